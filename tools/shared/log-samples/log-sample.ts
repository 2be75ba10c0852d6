import type { RecordedEntry } from "../../../generator/session/entries/recorded-entry.js";

/** A log in one of the formats, and the result of reading it. */
export interface LogSample {
  readonly format: string;
  readonly about: string;
  /** Protocol; default: `dap`. */
  readonly protocol?: string;
  readonly log: string;
  readonly entries: readonly RecordedEntry[];
}
