import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printRecording, type LintedProtocol } from "wirewright";
import type { Wire } from "../session/wire.js";
import { entriesOf } from "./judge-recording.js";

/**
 * Writes each of a case's connections as a recording. Line 1 is the head, and line n + 1 is message
 * n in the results, unless the adapter has sent bytes that do not belong to a message.
 */
export function writeRecordings(
  folder: string,
  name: string,
  wires: readonly Pick<Wire, "chunks" | "trace">[],
  protocol: LintedProtocol,
  side: "adapter" | "client" = "adapter",
): void {
  mkdirSync(folder, { recursive: true });
  wires.forEach((wire, index) => {
    const text = printRecording(entriesOf(wire, protocol, side), protocol);
    writeFileSync(join(folder, `${name}${index === 0 ? "" : `-${index + 1}`}.jsonl`), text);
  });
}
