import { protocol } from "../../../generated/dap/protocol.js";
import { option, type Middleware, type PerformanceClock } from "@wirewright/runtime";

/** Returns the first line of a recording, which contains the protocol and the start time. */
export function recordingHead(began: Date = new Date()): string {
  const { name, version, roles } = protocol;
  const head = { recording: "wirewright", form: 1, protocol: name, version, roles };
  return JSON.stringify({ ...head, began: began.toISOString() });
}

/**
 * Creates a middleware that records a session as lines of JSON, for `wirewright lint`. Add it
 * before any other middleware, so that it sees messages exactly as they are sent and received. The
 * first line of the file must be `recordingHead()`.
 *
 * @param side The side whose connection uses the middleware.
 * @param write Called with each line, without its line ending.
 * @param session Number of the session, if the recording contains several.
 * @throws TypeError for an unknown side.
 */
export function recordMessages(
  side: "client" | "adapter",
  write: (line: string) => void,
  session?: number,
): Middleware {
  option.checkOptions("recordMessages", { side }, { side: option.oneOf("client", "adapter") });
  const peer = side === "client" ? "adapter" : "client";
  const entries = recordEntries(write, session);
  const offsets = { client: 0, adapter: 0 };
  const record = (from: "client" | "adapter", message: object, { length }: Uint8Array): void => {
    const offset = offsets[from];
    offsets[from] += length;
    entries("message", from, { offset, length, message });
  };
  return {
    afterReceive: (message, bytes) => record(peer, message, bytes),
    afterSend: (message, bytes) => record(side, message, bytes),
  };
}

declare const performance: PerformanceClock;

/** Records an entry of a session: its kind, its sender, and its other fields. */
export type RecordEntry = (kind: string, from: string, fields: object) => void;

/**
 * Returns a function that records the entries of a session that starts now. Each entry is passed on
 * as a line, without its line ending.
 */
export function recordEntries(write: (line: string) => void, session?: number): RecordEntry {
  const began = performance.now();
  const named = session === undefined ? {} : { session };
  return (kind, from, fields) => {
    const time = Math.round((performance.now() - began) * 1_000) / 1_000;
    write(JSON.stringify({ ...named, kind, time, from, ...fields }));
  };
}
