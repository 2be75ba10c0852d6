import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { hasSpellings } from "./notation.js";
import { envelopeTable } from "./protocol-values.js";
import { quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";

/** Prints `codec.ts`: the decoder, encoder and peek of the runtime with the types and framing of the protocol. */
export function emitCodec(protocol: Protocol, file: SourceFile): void {
  emitFramings(protocol, file);
  const parts = codecParts(protocol, file);
  emitDecoder(parts, file);
  emitFrames(parts, file);
  emitEncoder(parts, file);
  if (parts.isJson) emitPeek(protocol, file);
  emitReader(parts, file);
  emitDecoderStream(parts, file);
}

function emitDecoder({ isJson, framing, ...parts }: CodecParts, file: SourceFile): void {
  const frame = file.importType("Frame", runtime);
  file.doc("Options of a decoder: limits, recovery, and callbacks for faults and noise.");
  const settings = streamSettings(file);
  file.block(`export interface DecoderOptions extends ${settings} {`, "}", () => {
    file.doc(
      "Called with each message, classified as known, custom or malformed. The frame is valid during the call.",
    );
    const classified = file.importType("Classified", "./classify.js");
    file.line(`readonly onMessage: (message: ${classified}, frame: ${frame}) => void;`);
    emitDialect({ isJson }, file);
    emitFrom("The sender of the decoded messages.", parts, file);
  });
  file.line();
  file.doc(
    "Creates a decoder from bytes in any chunking to messages: `push` each chunk, then call `end`.",
  );
  const decoder = file.importType("StreamDecoder", runtime);
  file.block(`export function createDecoder(options: DecoderOptions): ${decoder} {`, "}", () => {
    file.line(`const { onMessage${isJson ? ", dialect" : ""} } = options;`);
    const [create, settings] = decoding({ isJson, framing, ...parts }, file);
    file.block(`return ${create}({`, "});", () => {
      for (const setting of settings) file.line(`${setting},`);
      const classified = classify(readMessage("dialect", { isJson }, file), file);
      file.line(`onMessage: (message, frame) => onMessage(${classified}, frame),`);
    });
  });
  file.line();
}

function emitFrames(parts: CodecParts, file: SourceFile): void {
  const decoder = file.importType("StreamDecoder", runtime);
  file.doc("Options of a decoder that does not parse.");
  file.block(`export interface FrameDecoderOptions extends ${streamSettings(file)} {`, "}", () => {
    file.doc("Called with each frame. The frame is valid during the call.");
    file.line(`readonly onFrame: (frame: ${file.importType("Frame", runtime)}) => void;`);
    emitFrom("The sender of the decoded messages.", parts, file);
  });
  file.line();
  file.doc(
    "Creates a decoder from bytes in any chunking to frames with unparsed bodies, for routers and proxies.",
  );
  file.block(
    `export function createFrameDecoder(options: FrameDecoderOptions): ${decoder} {`,
    "}",
    () => {
      const [create, settings] = decoding(parts, file);
      file.line(
        settings.length === 1
          ? `return ${create}(options);`
          : `return ${create}({ ${settings.join(", ")} });`,
      );
    },
  );
  file.line();
}

/** What creates a decoder, and the settings that it takes from the protocol. A known framing needs no other one. */
function decoding(
  { framing, isUniform }: CodecParts,
  file: SourceFile,
): readonly [create: string, settings: readonly string[]] {
  if (!isUniform || !hasOwnDecoder(framing))
    return [
      `new ${file.importValue("FrameDecoder", runtime)}`,
      ["...options", `framing: ${framing}`],
    ];
  return [file.importValue(decoderOf(framing), runtime), ["...options"]];
}

/** The function of the runtime that decodes a framing, which is code. */
function decoderOf(framing: string): string {
  return framing === quote("lines")
    ? "decodeLines"
    : framing === quote("nul")
      ? "decodeNul"
      : "decodeContentLength";
}

/** Whether the runtime has a function for this framing alone, which is code. */
function hasOwnDecoder(framing: string): boolean {
  return ["content-length", "lines", "nul"].map(quote).includes(framing);
}

/** What creates the decoders of a connection: a function of options that may have a framing. */
export function connectionDecoder(protocol: Protocol, file: SourceFile): string {
  const [first] = Object.values(protocol.framing).map(quote);
  return hasOneFraming(protocol) && hasOwnDecoder(first!)
    ? file.importValue(decoderOf(first!), runtime)
    : `(options) => new ${file.importValue("FrameDecoder", runtime)}(options)`;
}

function emitEncoder({ framing, message, ...parts }: CodecParts, file: SourceFile): void {
  const encoder = file.importValue("FrameEncoder", runtime);
  const settings = `Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing">`;
  file.doc("Creates an encoder from messages to bytes, one array per frame.");
  file.block("export interface Encoder {", "}", () => {
    file.doc(
      "Encodes one message as a frame, to be written with one call.",
      docTag("throws", "EncodeError with the path of what cannot be written."),
    );
    file.line(`encode(message: ${message}): Uint8Array;`);
    file.doc("Encodes several messages in one array.");
    file.line(`encodeAll(batch: readonly (${message})[]): Uint8Array;`);
  });
  file.line();
  if (!parts.isUniform) {
    file.doc("Options of an encoder.");
    file.block(`export interface EncoderOptions extends ${settings} {`, "}", () =>
      emitFrom("The sender of the encoded messages.", parts, file),
    );
    file.line();
  }
  const parameter = parts.isUniform ? `options: ${settings} = {}` : "options: EncoderOptions";
  file.doc("Creates an encoder of messages into frames.");
  file.block(`export function createEncoder(${parameter}): Encoder {`, "}", () => {
    file.line(`return new ${encoder}({ ...options, framing: ${framing} });`);
  });
  file.line();
}

function emitPeek({ envelope }: Protocol, file: SourceFile): void {
  const idFields = [...new Set([envelope.id, envelope.replyTo])]
    .flatMap((field) => (field === undefined ? [] : quote(field)))
    .join(" | ");
  const type = file.importType("Peek", runtime);
  const create = file.importValue("createPeek", runtime);
  file.doc("Reads the envelope of a message from its bytes, without parsing the rest.");
  // Not a property of the table: bundlers keep what reads one, and the whole table with it.
  const head = `export const peek: ${type}<${idFields}> = /* @__PURE__ */ ${create}(`;
  file.line(`${head}${printLiteral(toLiteral(envelopeTable(envelope)), head.length, 2, 0)});\n`);
}

function emitReader({ framing, isJson, ...parts }: CodecParts, file: SourceFile): void {
  file.doc("Options of a reader.");
  file.block(`export interface ReadOptions extends ${streamSettings(file)} {`, "}", () => {
    emitDialect({ isJson }, file);
    emitFrom("The sender of the messages that are read.", parts, file);
  });
  file.line();
  file.doc("Reads messages from any source of bytes, one by one, at the pace of the consumer.");
  file.declare(
    "export async function* readMessages",
    [
      "source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>",
      parts.isUniform ? "options: ReadOptions = {}" : "options: ReadOptions",
    ],
    `): AsyncGenerator<${file.importType("Classified", "./classify.js")}, void, void> {`,
    () => {
      const decode = file.importValue("decodeMessages", runtime);
      file.line(`const settings = { ...options, framing: ${framing} } as const;`);
      file.block(`for await (const message of ${decode}(source, settings)) {`, "}", () =>
        file.line(`yield ${classify(readMessage("options.dialect", { isJson }, file), file)};`),
      );
    },
  );
}

function emitDecoderStream({ framing, isJson, ...parts }: CodecParts, file: SourceFile): void {
  const classified = file.importType("Classified", "./classify.js");
  file.line();
  file.doc(
    "Creates a WHATWG `TransformStream` from bytes to messages, classified as by `classify`.",
  );
  file.declare(
    "export function createDecoderStream",
    [parts.isUniform ? "options: ReadOptions = {}" : "options: ReadOptions"],
    `): ${file.importType("HostTransform", runtime)}<Uint8Array, ${classified}> {`,
    () => {
      if (isJson) file.line("const { dialect } = options;");
      const create = file.importValue("createMappedStream", runtime);
      file.line(`const settings = { ...options, framing: ${framing} } as const;`);
      const mapped = classify(readMessage("dialect", { isJson }, file), file);
      file.line(`return ${create}(settings, (message) => ${mapped});`);
    },
  );
}

/** Type of the settings that all decoders share. */
function streamSettings(file: SourceFile): string {
  return `Omit<${file.importType("StreamOptions", runtime)}, "framing">`;
}

/** Prints the option for the sender, if the two sides frame or spell messages differently. */
function emitFrom(
  docs: string,
  { isUniform, roles, isSpelled }: Pick<CodecParts, "isUniform" | "roles" | "isSpelled">,
  file: SourceFile,
): void {
  if (!isUniform) {
    file.doc(docs);
    file.line(`readonly from: ${roles};`);
  }
  if (isSpelled) {
    file.doc("Dialect whose spelling is used. Default: the spelling of the protocol.");
    file.line(`readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`);
  }
}

function emitDialect({ isJson }: Pick<CodecParts, "isJson">, file: SourceFile): void {
  if (!isJson) return;
  file.doc("The dialect of the peer, if it deviates from the protocol.");
  file.line(`readonly dialect?: ${file.importType("Dialect", runtime)};`);
}

/** The expression that translates a message from the peer's dialect. */
function readMessage(
  dialect: string,
  { isJson }: Pick<CodecParts, "isJson">,
  file: SourceFile,
): string {
  return isJson ? `${file.importValue("readAs", runtime)}(${dialect}, message)` : "message";
}

function classify(message: string, file: SourceFile): string {
  return `${file.importValue("classify", "./classify.js")}(${message})`;
}

/** Prints `node.ts`: the codec for Node streams. */
export function emitNodeCodec(protocol: Protocol, file: SourceFile): void {
  const node = "./runtime/node.js";
  file.referTo("node");
  const { isUniform, framing, message, isJson } = codecParts(protocol, file);
  emitFramings(protocol, file);
  file.doc("Creates a Node transform from bytes to messages, classified as by `classify`.");
  const transform = file.importValue("createDecoderTransform", node);
  const read = file.importType("ReadOptions", "./codec.js");
  file.declare(
    "export function createMessageTransform",
    [isUniform ? `options: ${read} = {}` : `options: ${read}`],
    `): ReturnType<typeof ${transform}> {`,
    () => {
      if (isJson) file.line("const { dialect } = options;");
      file.line(`const settings = { ...options, framing: ${framing} } as const;`);
      const classified = classify(readMessage("dialect", { isJson }, file), file);
      file.line(`return ${transform}(settings, (message) => ${classified});`);
    },
  );
  file.line();
  file.doc("Creates a writer of messages to a Node stream, one write per message.");
  file.block("export interface MessageWriter {", "}", () => {
    file.doc("Resolves when the stream can take more; rejects if it fails.");
    file.line(`write(message: ${message}): Promise<void>;`);
  });
  file.line();
  file.doc("A writer for a socket, a child's standard input or the process's own output.");
  const writer = file.importValue("createFrameWriter", node);
  file.declare(
    "export function createMessageWriter",
    [
      `stream: Parameters<typeof ${writer}>[0]`,
      isUniform
        ? `options: Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing"> = {}`
        : `options: ${file.importType("EncoderOptions", "./codec.js")}`,
    ],
    "): MessageWriter {",
    () =>
      file.list(`return ${writer}(stream, {`, ["...options", `framing: ${framing}`], "});", " "),
  );
}

/** Whether both sides frame and spell messages alike. */
export function hasOneFraming({ framing, notations, roles: [first, second] }: Protocol): boolean {
  return notations === undefined && framing[first] === framing[second];
}

/** Whether any role writes messages as JSON. */
export function speaksJson({ notations, roles }: Protocol): boolean {
  return roles.some((role) => notations?.[role] === undefined);
}

/** What `codec.ts` and `node.ts` need to know about a protocol, and the expressions and types that both print. */
interface CodecParts {
  /** Whether both sides frame and spell messages alike. */
  readonly isUniform: boolean;
  readonly roles: string;
  readonly framing: string;
  readonly message: string;
  /** Whether any role writes JSON, and whether dialects spell messages differently. */
  readonly isJson: boolean;
  readonly isSpelled: boolean;
}

/** Prints how each side frames JSON messages, if they differ. The table of the protocol would come with all of its facts. */
function emitFramings(protocol: Protocol, file: SourceFile): void {
  if (hasOneFraming(protocol) || protocol.notations !== undefined) return;
  const head = "const framings = ";
  file.line(`${head}${printLiteral(toLiteral(protocol.framing), head.length, 10, 0)} as const;\n`);
}

function codecParts(protocol: Protocol, file: SourceFile): CodecParts {
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
