import { judgeRecording, type JudgeOptions } from "../../sessions/judge/judge-recording.js";
import { openRecording, type RecordedEntry } from "../../sessions/read/recording.js";
import { dap } from "./judged-entries.js";

/** Judges the lines of a DAP recording. */
export async function judgedLines(
  lines: readonly object[],
  options: Partial<JudgeOptions> = {},
): Promise<Awaited<ReturnType<typeof judgeRecording>>> {
  const bytes = Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const recording = await openRecording([{ name: "x", chunks: [bytes] }], dap);
  return judgeRecording(recording, dap, {
    name: "x",
    profile: "wire",
    host: undefined,
    severities: new Map(),
    ...options,
  });
}

/** Creates the line for an entry in a recording. */
export const recorded = (session: number, { from, message }: RecordedEntry): object => ({
  kind: "message",
  session,
  from,
  message,
});
