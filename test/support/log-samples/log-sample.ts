import type { RecordedEntry } from "../../../sessions/read/recorded-entry.js";

/** A log in one particular format, and what reading it should produce. */
export interface LogSample {
  readonly format: string;
  readonly about: string;
  /** Name of the protocol. Default: `dap`. */
  readonly protocol?: string;
  readonly log: string;
  readonly entries: readonly RecordedEntry[];
}
