import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FrameDecoder } from "../../runtime/index.js";
import { shared } from "./paths.js";
import { loggedSessions } from "./logged-sessions.js";
import { recordedSessions } from "./recorded-sessions.js";

/** A message in the form it takes on a line of a recording. */
export interface RecordedLine {
  readonly from: string;
  readonly time: number;
  readonly offset: number;
  readonly message: object;
}

/** A session whose messages are in the order in which their bytes were seen. */
export interface TimedRecording {
  readonly name: string;
  readonly lines: readonly RecordedLine[];
}

/**
 * Recordings of real debuggers: the bytes of recorded sessions, and wire messages recorded
 * alongside a log.
 */
export const timedRecordings: readonly TimedRecording[] = [
  ...recordedSessions.map(({ name, folder }) => ({ name, lines: linesOf(folder) })),
  ...loggedSessions.flatMap(({ name }) => {
    const file = shared(`logs/${name}/truth.jsonl`);
    return file === undefined ? [] : [{ name: `wire of ${name}`, lines: truthLines(file) }];
  }),
];

function linesOf(folder: string): readonly RecordedLine[] {
  const lines: RecordedLine[] = [];
  let time = 0;
  const open = (from: string): FrameDecoder =>
    new FrameDecoder({
      onMessage: (message, { offset }) => void lines.push({ from, time, offset, message }),
      onFault: () => undefined,
    });
  const sides = {
    in: { decoder: open("adapter"), bytes: readFileSync(join(folder, "in.bin")) },
    out: { decoder: open("client"), bytes: readFileSync(join(folder, "out.bin")) },
  };
  for (const line of readFileSync(join(folder, "chunks.jsonl"), "utf8").trimEnd().split("\n")) {
    const { t, dir, off, len } = JSON.parse(line) as ChunkLine;
    time = t;
    // Skip stderr output, which some recordings also contain.
    if (dir in sides) sides[dir].decoder.push(sides[dir].bytes.subarray(off, off + len));
  }
  return lines;
}

interface ChunkLine {
  readonly t: number;
  readonly dir: "in" | "out";
  readonly off: number;
  readonly len: number;
}

function truthLines(file: string): readonly RecordedLine[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const { from, message } = JSON.parse(line) as { from: string; message: object };
      return { from, time: index, offset: index, message };
    });
}

/** Encodes the lines of a recording. */
export function bytesOfLines(lines: readonly object[]): Uint8Array {
  return Buffer.from(
    lines.map((each) => `${JSON.stringify({ kind: "message", ...each })}\n`).join(""),
  );
}
