import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FrameDecoder } from "../../runtime/index.js";
import type { RecordedSession } from "./recorded-sessions.js";

export interface SentMessage {
  readonly from: "client" | "adapter";
  readonly message: Record<string, any>;
}

/** Reads a recorded session's messages in the order in which their last bytes arrived. */
export function readMessagesOf({ folder }: RecordedSession): readonly SentMessage[] {
  const messages: SentMessage[] = [];
  const decoders = {
    in: decoderOf("adapter", messages),
    out: decoderOf("client", messages),
  };
  const bytes = {
    in: readFileSync(join(folder, "in.bin")),
    out: readFileSync(join(folder, "out.bin")),
  };
  for (const line of readFileSync(join(folder, "chunks.jsonl"), "utf8").trimEnd().split("\n")) {
    const { dir, off, len } = JSON.parse(line) as { dir: "in" | "out"; off: number; len: number };
    // Skip stderr output, which some recordings also contain.
    if (dir in decoders) decoders[dir].push(bytes[dir].subarray(off, off + len));
  }
  return messages;
}

function decoderOf(from: SentMessage["from"], into: SentMessage[]): FrameDecoder {
  return new FrameDecoder({
    onMessage: (message) => void into.push({ from, message: message as SentMessage["message"] }),
    onFault: () => undefined,
  });
}
