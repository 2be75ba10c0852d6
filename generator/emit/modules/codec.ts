import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { envelopeTable } from "./protocol-values.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import {
  classify,
  codecParts,
  type CodecParts,
  emitFramings,
  emitSettings,
  readMessage,
} from "./codec-parts.js";
import { nodeRuntime, runtime } from "./package-names.js";

/**
 * Emits `codec.ts`: the runtime's decoder, encoder and peek function, specialised to the protocol's
 * types and framing.
 */
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

function emitDecoder({ isJson, decode, settings, ...parts }: CodecParts, file: SourceFile): void {
  const frame = file.importType("Frame", runtime);
  file.doc("Decoder options: limits, recovery, and callbacks for faults and noise.");
  file.block(`export interface DecoderOptions extends ${streamSettings(file)} {`, "}", () => {
    file.doc(
      "Called with each message, classified as known, custom or malformed. The frame is valid only during the call.",
    );
    const classified = file.importType("Classified", "./guards.js");
    file.line(`readonly onMessage: (message: ${classified}, frame: ${frame}) => void;`);
    emitDialect({ isJson }, file);
    emitFrom("The sender of the decoded messages.", parts, file);
  });
  file.line();
  file.doc(
    "Creates a decoder that turns bytes, in chunks of any size, into messages: `push` each chunk, then call `end`.",
  );
  const decoder = file.importType("StreamDecoder", runtime);
  file.block(`export function createDecoder(options: DecoderOptions): ${decoder} {`, "}", () => {
    file.line(`const { onMessage${isJson ? ", dialect" : ""} } = options;`);
    file.block(`return ${decode()}({`, "});", () => {
      for (const setting of settings) file.line(`${setting},`);
      const classified = classify(readMessage("dialect", { isJson }, file), file);
      file.line(`onMessage: (message, frame) => onMessage(${classified}, frame),`);
    });
  });
  file.line();
}

function emitFrames(parts: CodecParts, file: SourceFile): void {
  const decoder = file.importType("StreamDecoder", runtime);
  file.doc("Options for a decoder that does not parse bodies.");
  file.block(`export interface FrameDecoderOptions extends ${streamSettings(file)} {`, "}", () => {
    file.doc("Called with each frame. The frame is valid only during the call.");
    file.line(`readonly onFrame: (frame: ${file.importType("Frame", runtime)}) => void;`);
    emitFrom("The sender of the decoded messages.", parts, file);
  });
  file.line();
  file.doc(
    "Creates a decoder that turns bytes, in chunks of any size, into frames with unparsed bodies, for use in routers and proxies.",
  );
  file.block(
    `export function createFrameDecoder(options: FrameDecoderOptions): ${decoder} {`,
    "}",
    () => {
      const { decode, settings } = parts;
      file.line(
        settings.length === 1
          ? `return ${decode()}(options);`
          : `return ${decode()}({ ${settings.join(", ")} });`,
      );
    },
  );
  file.line();
}

function emitEncoder({ framing, message, ...parts }: CodecParts, file: SourceFile): void {
  const encode = file.importValue(
    framing === quote("content-length") ? "encodeContentLength" : "encodeFrames",
    runtime,
  );
  const settings = `Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing">`;
  file.doc("Encodes messages as bytes, one array per frame.");
  file.block("export interface Encoder {", "}", () => {
    file.doc(
      "Encodes a message as a single frame, which can be sent with one write.",
      docTag("throws", "EncodeError, with the path of the value that cannot be written."),
    );
    file.line(`encode(message: ${message}): Uint8Array;`);
    file.doc("Encodes several messages into one array.");
    file.line(`encodeAll(batch: readonly (${message})[]): Uint8Array;`);
  });
  file.line();
  if (!parts.isUniform) {
    file.doc("Options for an encoder.");
    file.block(`export interface EncoderOptions extends ${settings} {`, "}", () =>
      emitFrom("The sender of the encoded messages.", parts, file),
    );
    file.line();
  }
  const parameter = parts.isUniform ? `options: ${settings} = {}` : "options: EncoderOptions";
  file.doc("Creates an encoder that turns messages into frames.");
  file.block(`export function createEncoder(${parameter}): Encoder {`, "}", () => {
    file.line(`return ${encode}({ ...options, framing: ${framing} });`);
  });
  file.line();
}

function emitPeek({ envelope }: Protocol, file: SourceFile): void {
  const idFields = [...new Set([envelope.id, envelope.replyTo])]
    .flatMap((field) => (field === undefined ? [] : quote(field)))
    .join(" | ");
  const type = file.importType("Peek", runtime);
  const create = file.importValue("createPeek", runtime);
  file.doc("Reads a message's envelope from its bytes without parsing the rest.");
  // Emit the envelope here instead of reading it from the table in `protocol.ts`, so that bundlers
  // need not keep the whole table.
  const head = `export const peek: ${type}<${idFields}> = /* @__PURE__ */ ${create}(`;
  file.line(`${head}${printLiteral(toLiteral(envelopeTable(envelope)), head.length, 2, 0)});\n`);
}

function emitReader(parts: CodecParts, file: SourceFile): void {
  const { isJson } = parts;
  file.doc("Options for a reader.");
  file.block(`export interface ReadOptions extends ${streamSettings(file)} {`, "}", () => {
    emitDialect({ isJson }, file);
    emitFrom("The sender of the messages being read.", parts, file);
  });
  file.line();
  file.doc("Options for `readMessages`.");
  file.block("export interface MessageReadOptions extends ReadOptions {", "}", () => {
    file.doc(
      "A signal that closes the source when aborted. The iterator then throws the signal's reason.",
    );
    file.line(`readonly signal?: ${file.importType("HostSignal", runtime)};`);
  });
  file.line();
  file.doc(
    "Reads messages one at a time from any source of bytes, at the consumer's pace.",
    docTag(
      "throws",
      "NoMessageError at the end of the input if there were bytes but no message, unless `onFault` is given. The signal's reason if it is aborted.",
    ),
  );
  file.declare(
    "export async function* readMessages",
    [
      "source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>",
      parts.isUniform ? "options: MessageReadOptions = {}" : "options: MessageReadOptions",
    ],
    `): AsyncGenerator<${file.importType("Classified", "./guards.js")}, void, void> {`,
    () => {
      const read = file.importValue("decodeMessages", runtime);
      const given = `${parts.decode()}, source, ${emitSettings(parts, file)}`;
      file.block(`for await (const message of ${read}(${given})) {`, "}", () =>
        file.line(`yield ${classify(readMessage("options.dialect", { isJson }, file), file)};`),
      );
    },
  );
}

function emitDecoderStream(parts: CodecParts, file: SourceFile): void {
  const { isJson } = parts;
  const classified = file.importType("Classified", "./guards.js");
  file.line();
  file.doc(
    "Creates a WHATWG `TransformStream` that turns bytes into messages, classified in the same way as by `classify`.",
  );
  file.declare(
    "export function createDecoderStream",
    [parts.isUniform ? "options: ReadOptions = {}" : "options: ReadOptions"],
    `): ${file.importType("HostTransform", runtime)}<Uint8Array, ${classified}> {`,
    () => {
      const create = file.importValue("createMappedStream", runtime);
      const settings = emitSettings(parts, file);
      const mapped = classify(readMessage("options.dialect", { isJson }, file), file);
      file.line(`const read = (message: object) => ${mapped};`);
      file.line(`return ${create}(${parts.decode()}, ${settings}, read);`);
    },
  );
}

/** Returns the type of the settings that all decoders share. */
function streamSettings(file: SourceFile): string {
  return `Omit<${file.importType("StreamOptions", runtime)}, "framing">`;
}

/**
 * Emits the option that states who the sender is, if the two sides frame or spell messages
 * differently.
 */
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
    file.doc("The dialect whose spelling is used. Default: the protocol's spelling.");
    file.line(`readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`);
  }
}

function emitDialect({ isJson }: Pick<CodecParts, "isJson">, file: SourceFile): void {
  if (!isJson) return;
  file.doc("The peer's dialect, if it deviates from the protocol.");
  file.line(`readonly dialect?: ${file.importType("Dialect", runtime)};`);
}

/** Emits `node.ts`: the codec for Node streams. */
export function emitNodeCodec(protocol: Protocol, file: SourceFile): void {
  file.referTo("node");
  const parts = codecParts(protocol, file);
  const { isUniform, framing, message, isJson } = parts;
  emitFramings(protocol, file);
  file.doc(
    "Creates a Node transform stream that turns bytes into messages, classified in the same way as by `classify`.",
  );
  const transform = file.importValue("createDecoderTransform", nodeRuntime);
  const read = file.importType("ReadOptions", "./codec.js");
  file.declare(
    "export function createMessageTransform",
    [isUniform ? `options: ${read} = {}` : `options: ${read}`],
    `): ${file.importType("Transform", "node:stream")} {`,
    () => {
      const settings = emitSettings(parts, file);
      const mapped = classify(readMessage("options.dialect", { isJson }, file), file);
      file.line(`const read = (message: object) => ${mapped};`);
      file.line(`return ${transform}(${parts.decode()}, ${settings}, read);`);
    },
  );
  file.line();
  file.doc("Writes messages to a Node stream, with one write per message.");
  file.block("export interface MessageWriter {", "}", () => {
    file.doc("Resolves once the stream can accept more data, or rejects if the stream fails.");
    file.line(`write(message: ${message}): Promise<void>;`);
  });
  file.line();
  file.doc(
    "Creates a writer for a socket, the standard input of a child process, or the standard output of this process.",
  );
  const writer = file.importValue("createFrameWriter", nodeRuntime);
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
