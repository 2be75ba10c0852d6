import type { Protocol } from "../../generator/model/protocol.js";
import type { RecordedEntry } from "./entries/recorded-entry.js";

/** The first line of a recording. */
export interface RecordingHead {
  readonly recording: "wirewright";
  /** Version of the recording format. Captures have version 2. */
  readonly form: 1;
  readonly protocol: string;
  readonly version: string;
  readonly roles: readonly [string, string];
  /** Start time in ISO 8601 format. Absent if the source omits it. */
  readonly began?: string;
  /** `guessed` if the two directions were recorded separately, so that their order is a guess. */
  readonly order?: "guessed";
}

/**
 * Prints entries as a recording in the format that `wirewright tap` writes. `readRecording` can
 * read the result, and `wirewright view` can show it.
 *
 * @param entries Entries from `readRecording`, or your own.
 */
export function printRecording(
  entries: Iterable<RecordedEntry>,
  protocol: Pick<Protocol, "name" | "version" | "roles">,
): string {
  return recordingHead(protocol, {}) + [...entries].map(recordingLine).join("");
}

/** Returns the first line of a recording, including its line ending. */
export function recordingHead(
  { name, version, roles }: Pick<Protocol, "name" | "version" | "roles">,
  more: Pick<RecordingHead, "began" | "order">,
): string {
  const head: RecordingHead = {
    recording: "wirewright",
    form: 1,
    protocol: name,
    version,
    roles,
    ...more,
  };
  return `${JSON.stringify(head)}\n`;
}

/** Returns an entry's line in a recording, including its line ending. */
export function recordingLine(entry: RecordedEntry): string {
  const { session, time, from, offset, message, unknown, bytes, fault, printed, ended } = entry;
  if (ended !== undefined)
    return `${JSON.stringify({ session, kind: "end", time, from, how: ended })}\n`;
  if (printed !== undefined)
    return `${JSON.stringify({ session, kind: "stderr", time, from, text: printed })}\n`;
  return `${JSON.stringify({
    session,
    kind: message !== undefined ? "message" : fault?.code === "ERR_NOISE" ? "noise" : "fault",
    time,
    from,
    offset,
    ...(message !== undefined
      ? { unknown, bytes, message }
      : fault === undefined
        ? {}
        : { code: fault.code, text: fault.message }),
  })}\n`;
}
