import type { LoggedTime } from "./log-head.js";

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Converts the times in a log to milliseconds since its first time. */
export class LogClock {
  #first: LoggedTime | undefined;
  #last = 0;
  /** One day in milliseconds for each midnight that has passed in a log with times of day. */
  #days = 0;

  /** Returns undefined for an invalid date, and for a time of another kind than the first. */
  since({ kind, milliseconds }: LoggedTime): number | undefined {
    if (Number.isNaN(milliseconds)) return undefined;
    this.#first ??= { kind, milliseconds };
    if (kind !== this.#first.kind) return undefined;
    // Midnight may have passed since the previous time.
    if (kind === "day" && milliseconds < this.#last - dayMilliseconds / 2)
      this.#days += dayMilliseconds;
    this.#last = milliseconds;
    return Math.round((this.#days + milliseconds - this.#first.milliseconds) * 1_000) / 1_000;
  }
}
