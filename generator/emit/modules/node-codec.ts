import type { Protocol } from "../../model/protocol.js";
import { type SourceFile } from "../printer/source-file.js";
import { classify, codecParts, emitFramings, readMessage } from "./codec-parts.js";
import { runtime } from "./runtime-module.js";

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
    file.doc("Resolves when the stream accepts more data; rejects if it fails.");
    file.line(`write(message: ${message}): Promise<void>;`);
  });
  file.line();
  file.doc(
    "Writes to a socket, the standard input of a child process, or the standard output of this process.",
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
