import type { Protocol } from "../../model/protocol.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { hasSpellings } from "./notation.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

/** Names of the runtime functions that decode only a single framing, by framing. */
const ownDecoders: Readonly<Record<string, string>> = {
  "content-length": "decodeContentLength",
  lines: "decodeLines",
  nul: "decodeNul",
};

/**
 * Returns the name of the runtime function that decodes only the protocol's framing, so that
 * bundles contain no other decoders. Returns undefined if the two sides use different framings.
 */
function ownDecoder(protocol: Protocol): string | undefined {
  return hasOneFraming(protocol) ? ownDecoders[protocol.framing[protocol.roles[0]]!] : undefined;
}

/**
 * Imports the function that creates a decoder, and returns its name. Its options must specify the
 * framing.
 */
export function createsDecoder(protocol: Protocol, file: SourceFile): string {
  return file.importValue(ownDecoder(protocol) ?? "decodeFrames", runtime);
}

/**
 * Imports the function that creates an encoder, and returns its name. Its options must specify the
 * framing.
 */
export function createsEncoder(protocol: Protocol, file: SourceFile): string {
  const isPlain = ownDecoder(protocol) === ownDecoders["content-length"];
  return file.importValue(isPlain ? "encodeContentLength" : "encodeFrames", runtime);
}

/** Returns the expression that translates an incoming message from the peer's dialect. */
export function readMessage(
  dialect: string,
  { isJson }: Pick<CodecParts, "isJson">,
  file: SourceFile,
): string {
  return isJson ? `${file.importValue("readAs", runtime)}(${dialect}, message)` : "message";
}

export function classify(message: string, file: SourceFile): string {
  return `${file.importValue("classify", "./guards.js")}(${message})`;
}

/** Returns whether both sides use the same framing and spelling. */
export function hasOneFraming({ framing, notations, roles: [first, second] }: Protocol): boolean {
  return notations === undefined && framing[first] === framing[second];
}

/** Returns whether any role sends messages as JSON. */
export function speaksJson({ notations, roles }: Protocol): boolean {
  return roles.some((role) => notations?.[role] === undefined);
}

/**
 * Facts about a protocol that `codec.ts` and `node.ts` depend on, along with expressions and types
 * that both of them contain.
 */
export interface CodecParts {
  /** Whether both sides use the same framing and spelling. */
  readonly isUniform: boolean;
  readonly roles: string;
  readonly framing: string;
  /** The properties of a decoder's options, as code. */
  readonly settings: readonly string[];
  /** Returns the name of the function that creates a decoder. */
  readonly decode: () => string;
  /** Returns the name of the function that creates an encoder. */
  readonly encode: () => string;
  readonly message: string;
  /**
   * Whether any role sends messages as JSON. `isSpelled`: whether dialects spell messages in
   * different ways.
   */
  readonly isJson: boolean;
  readonly isSpelled: boolean;
}

/**
 * Emits each side's framing if the two sides frame JSON messages differently. Generated code does
 * not use the table in `protocol.ts` for this, because bundles would then contain that table in
 * full.
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
  const framing = isUniform
    ? quote(protocol.framing[protocol.roles[0]]!)
    : notations !== undefined
      ? notation()
      : "framings[options.from]";
  return {
    isUniform,
    isJson: speaksJson(protocol),
    isSpelled,
    roles: protocol.roles.map(quote).join(" | "),
    framing,
    settings: [
      "...options",
      ...(ownDecoder(protocol) === undefined ? [`framing: ${framing}`] : []),
    ],
    decode: () => createsDecoder(protocol, file),
    encode: () => createsEncoder(protocol, file),
    message: `${file.importType("KnownMessage", "./messages.js")} | ${file.importType("CustomMessage", "./messages.js")}`,
  };
}

/**
 * Returns the name of the variable with the decoder options, and the statement that declares it
 * unless they are the same as the user's options.
 */
export function settingsOf({ settings }: CodecParts): { name: string; statement?: string } {
  if (settings.length === 1) return { name: "options" };
  return {
    name: "settings",
    statement: `const settings = { ${settings.join(", ")} } as const;`,
  };
}
