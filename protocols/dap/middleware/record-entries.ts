import type { PerformanceClock } from "../../../generated/dap/runtime/index.js";

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
