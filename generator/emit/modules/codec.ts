import type { Protocol } from "../../model/protocol.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { envelopeTable } from "./protocol-values.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import {
  classify,
  codecParts,
  type CodecParts,
  emitFramings,
  readMessage,
  settingsOf,
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
  emitEncoder(parts, file);
  if (parts.isJson) emitPeek(protocol, file);
  emitReader(parts, file);
}

function emitDecoder(parts: CodecParts, file: SourceFile): void {
  const { isJson, settings } = parts;
  const frame = file.importType("Frame", runtime);
  const decoder = file.importType("StreamDecoder", runtime);
  const sender = senderOption("The sender of the decoded messages.", parts, file);
  const mapped = classify(readMessage("dialect", parts, file), file);
  file.code`
    /** Decoder options: limits, recovery, and callbacks for faults and noise. */
    export interface DecoderOptions extends ${streamSettings(file)} {
      /** Called with each message, classified as known, custom or malformed. The frame is valid only during the call. */
      readonly onMessage: (message: ${file.importType("Classified", "./guards.js")}, frame: ${frame}) => void;
      ${dialectOption(parts, file)}
      ${sender}
    }

    /** Creates a decoder that turns bytes, in chunks of any size, into messages: \`push\` each chunk, then call \`end\`. */
    export function createDecoder(options: DecoderOptions): ${decoder} {
      const { onMessage${isJson && ", dialect"} } = options;
      return ${parts.decode()}({
        ${settings.map((setting) => `${setting},`).join("\n")}
        onMessage: (message, frame) => onMessage(${mapped}, frame),
      });
    }

    /** Options for a decoder that does not parse bodies. */
    export interface FrameDecoderOptions extends ${streamSettings(file)} {
      /** Called with each frame. The frame is valid only during the call. */
      readonly onFrame: (frame: ${frame}) => void;
      ${sender}
    }

    /** Creates a decoder that turns bytes, in chunks of any size, into frames with unparsed bodies, for use in routers and proxies. */
    export function createFrameDecoder(options: FrameDecoderOptions): ${decoder} {
      return ${parts.decode()}(${settings.length === 1 ? "options" : `{ ${settings.join(", ")} }`});
    }
  `;
}

function emitEncoder(parts: CodecParts, file: SourceFile): void {
  const { framing, isUniform, message } = parts;
  const settings = `Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing">`;
  file.code`
    /** Encodes messages as bytes, one array per frame. */
    export interface Encoder {
      /** Encodes a message as a single frame, which can be sent with one write. @throws EncodeError, with the path of the value that cannot be written. */
      encode(message: ${message}): Uint8Array;
      /** Encodes several messages into one array. */
      encodeAll(batch: readonly (${message})[]): Uint8Array;
    }
  `;
  if (!isUniform)
    file.code`
      /** Options for an encoder. */
      export interface EncoderOptions extends ${settings} {
        ${senderOption("The sender of the encoded messages.", parts, file)}
      }
    `;
  file.code`
    /** Creates an encoder that turns messages into frames. */
    export function createEncoder(options: ${isUniform ? `${settings} = {}` : "EncoderOptions"}): Encoder {
      return ${parts.encode()}({ ...options, framing: ${framing} });
    }
  `;
}

function emitPeek({ envelope }: Protocol, file: SourceFile): void {
  const idFields = [...new Set([envelope.id, envelope.replyTo])]
    .flatMap((field) => (field === undefined ? [] : quote(field)))
    .join(" | ");
  const type = file.importType("Peek", runtime);
  const create = file.importValue("createPeek", runtime);
  // Emit the envelope here instead of reading it from the table in `protocol.ts`, so that bundlers
  // need not keep the whole table.
  const head = `export const peek: ${type}<${idFields}> = /* @__PURE__ */ ${create}(`;
  file.code`
    /** Reads a message's envelope from its bytes without parsing the rest. */
    ${head}${printLiteral(toLiteral(envelopeTable(envelope)), head.length, 2, 0)});
  `;
}

function emitReader(parts: CodecParts, file: SourceFile): void {
  const none = parts.isUniform ? " = {}" : "";
  const classified = file.importType("Classified", "./guards.js");
  const source = "source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>";
  const decoded = `${parts.decode()}, source, ${settingsOf(parts).name}`;
  const mapped = classify(readMessage("options.dialect", parts, file), file);
  file.code`
    /** Options for a reader. */
    export interface ReadOptions extends ${streamSettings(file)} {
      ${dialectOption(parts, file)}
      ${senderOption("The sender of the messages being read.", parts, file)}
    }

    /** Options for \`readMessages\`. */
    export interface MessageReadOptions extends ReadOptions {
      /** A signal that closes the source when aborted. The iterator then throws the signal's reason. */
      readonly signal?: ${file.importType("HostSignal", runtime)};
    }

    /** Reads messages one at a time from any source of bytes, at the consumer's pace. @throws NoMessageError at the end of the input if there were bytes but no message, unless \`onFault\` is given. The signal's reason if it is aborted. */
    ${file.signature("export async function* readMessages", [source, `options: MessageReadOptions${none}`], `): AsyncGenerator<${classified}, void, void> {`)}
      ${settingsOf(parts).statement}
      for await (const message of ${file.importValue("decodeMessages", runtime)}(${decoded})) {
        yield ${mapped};
      }
    }

    /** Creates a WHATWG \`TransformStream\` that turns bytes into messages, classified in the same way as by \`classify\`. */
    ${file.signature("export function createDecoderStream", [`options: ReadOptions${none}`], `): ${file.importType("HostTransform", runtime)}<Uint8Array, ${classified}> {`)}
      ${mapping(parts, file.importValue("createMappedStream", runtime), file)}
    }
  `;
}

/** Returns the statements of a function that creates a stream of messages. */
function mapping(parts: CodecParts, create: string, file: SourceFile): string {
  const { statement, name } = settingsOf(parts);
  const mapped = classify(readMessage("options.dialect", parts, file), file);
  return [
    ...(statement === undefined ? [] : [statement]),
    `const read = (message: object) => ${mapped};`,
    `return ${create}(${parts.decode()}, ${name}, read);`,
  ].join("\n");
}

/** Returns the type of the settings that all decoders share. */
function streamSettings(file: SourceFile): string {
  return `Omit<${file.importType("StreamOptions", runtime)}, "framing">`;
}

/**
 * Returns the option that states who the sender is, if the two sides frame or spell messages
 * differently.
 */
function senderOption(docs: string, parts: CodecParts, file: SourceFile): string | undefined {
  const lines = [
    ...(parts.isUniform ? [] : [`/** ${docs} */`, `readonly from: ${parts.roles};`]),
    ...(parts.isSpelled
      ? [
          "/** The dialect whose spelling is used. Default: the protocol's spelling. */",
          `readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`,
        ]
      : []),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}

function dialectOption({ isJson }: CodecParts, file: SourceFile): string | undefined {
  if (!isJson) return undefined;
  const dialect = file.importType("Dialect", runtime);
  return `/** The peer's dialect, if it deviates from the protocol. */\nreadonly dialect?: ${dialect};`;
}

/** Emits `node.ts`: the codec for Node streams. */
export function emitNodeCodec(protocol: Protocol, file: SourceFile): void {
  file.referTo("node");
  const parts = codecParts(protocol, file);
  emitFramings(protocol, file);
  const { isUniform, framing, message } = parts;
  const transform = file.importType("Transform", "node:stream");
  const none = isUniform ? " = {}" : "";
  const writer = file.importValue("createFrameWriter", nodeRuntime);
  const options = isUniform
    ? `Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing"> = {}`
    : file.importType("EncoderOptions", "./codec.js");
  file.code`
    /** Creates a Node transform stream that turns bytes into messages, classified in the same way as by \`classify\`. */
    ${file.signature("export function createMessageTransform", [`options: ${file.importType("ReadOptions", "./codec.js")}${none}`], `): ${transform} {`)}
      ${mapping(parts, file.importValue("createDecoderTransform", nodeRuntime), file)}
    }

    /** Writes messages to a Node stream, with one write per message. */
    export interface MessageWriter {
      /** Resolves once the stream can accept more data, or rejects if the stream fails. */
      write(message: ${message}): Promise<void>;
    }

    /** Creates a writer for a socket, the standard input of a child process, or the standard output of this process. */
    ${file.signature("export function createMessageWriter", [`stream: Parameters<typeof ${writer}>[0]`, `options: ${options}`], "): MessageWriter {")}
      ${file.listed(`return ${writer}(stream, {`, ["...options", `framing: ${framing}`], "});", " ", 2)}
    }
  `;
}
