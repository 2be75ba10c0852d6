import type { Protocol } from "../../model/protocol.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { hasSpellings } from "./notation.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./runtime-module.js";

/** The function of the runtime that decodes a framing. */
export function decoderOf(framing: string): string {
  return framing === quote("lines")
    ? "decodeLines"
    : framing === quote("nul")
      ? "decodeNul"
      : "decodeContentLength";
}

/** Whether the runtime has a separate function for this framing. */
export function hasOwnDecoder(framing: string): boolean {
  return ["content-length", "lines", "nul"].map(quote).includes(framing);
}

/**
 * The expression that creates the decoders of a connection: a function of options that may have a
 * framing.
 */
export function connectionDecoder(protocol: Protocol, file: SourceFile): string {
  const [first] = Object.values(protocol.framing).map(quote);
  return hasOneFraming(protocol) && hasOwnDecoder(first!)
    ? file.importValue(decoderOf(first!), runtime)
    : `(options) => new ${file.importValue("FrameDecoder", runtime)}(options)`;
}

/** The expression that translates a message from the peer's dialect. */
export function readMessage(
  dialect: string,
  { isJson }: Pick<CodecParts, "isJson">,
  file: SourceFile,
): string {
  return isJson ? `${file.importValue("readAs", runtime)}(${dialect}, message)` : "message";
}

export function classify(message: string, file: SourceFile): string {
  return `${file.importValue("classify", "./classify.js")}(${message})`;
}

/** Whether both sides use the same framing and spelling. */
export function hasOneFraming({ framing, notations, roles: [first, second] }: Protocol): boolean {
  return notations === undefined && framing[first] === framing[second];
}

/** Whether any role writes messages as JSON. */
export function speaksJson({ notations, roles }: Protocol): boolean {
  return roles.some((role) => notations?.[role] === undefined);
}

/**
 * The facts about a protocol for `codec.ts` and `node.ts`, and the expressions and types that both
 * print.
 */
export interface CodecParts {
  /** Whether both sides use the same framing and spelling. */
  readonly isUniform: boolean;
  readonly roles: string;
  readonly framing: string;
  readonly message: string;
  /** Whether any role writes JSON, and whether dialects spell messages differently. */
  readonly isJson: boolean;
  readonly isSpelled: boolean;
}

/**
 * Prints how each side frames JSON messages, if they differ. The table of the protocol would add
 * all of its facts to a bundle.
 */
export function emitFramings(protocol: Protocol, file: SourceFile): void {
  if (hasOneFraming(protocol) || protocol.notations !== undefined) return;
  const head = "const framings = ";
  file.line(`${head}${printLiteral(toLiteral(protocol.framing), head.length, 10, 0)} as const;\n`);
}

export function codecParts(protocol: Protocol, file: SourceFile): CodecParts {
  const { notations } = protocol;
  const isUniform = hasOneFraming(protocol);
  const isSpelled = hasSpellings(protocol);
  const notation = (): string =>
    `${file.importValue("framingOf", "./notation.js")}(options.from${isSpelled ? ", options.spelling" : ""})`;
  return {
    isUniform,
    isJson: speaksJson(protocol),
    isSpelled,
    roles: protocol.roles.map(quote).join(" | "),
    framing: isUniform
      ? quote(protocol.framing[protocol.roles[0]]!)
      : notations !== undefined
        ? notation()
        : "framings[options.from]",
    message: `${file.importType("KnownMessage", "./messages.js")} | ${file.importType("CustomMessage", "./messages.js")}`,
  };
}
