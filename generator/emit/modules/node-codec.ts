import type { Protocol } from "../../model/protocol.js";
import { type SourceFile } from "../printer/source-file.js";
import { classify, codecParts, emitFramings, emitSettings, readMessage } from "./codec-parts.js";
import { runtime } from "./runtime-module.js";

/** Emits `node.ts`: the codec for Node streams. */
export function emitNodeCodec(protocol: Protocol, file: SourceFile): void {
  const node = "./runtime/node.js";
  file.referTo("node");
  const parts = codecParts(protocol, file);
  const { isUniform, framing, message, isJson } = parts;
  emitFramings(protocol, file);
  file.doc(
    "Creates a Node transform stream that turns bytes into messages, classified in the same way as by `classify`.",
  );
  const transform = file.importValue("createDecoderTransform", node);
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
