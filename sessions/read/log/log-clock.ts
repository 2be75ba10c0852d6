import type { LoggedTime } from "./log-head.js";

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Converts the times in a log to milliseconds since its first time. */
export class LogClock {
  #first: number | undefined;
  #firstSecond: number | undefined;
  #last = 0;
  /** One day in milliseconds for each midnight that has passed in a log with times of day. */
  #days = 0;

  #kind: LoggedTime["kind"] | undefined;

  /** Returns undefined for an invalid date, and for a time of another kind than the first. */
  since(time: LoggedTime): number | undefined {
    this.#kind ??= time.kind;
    if (time.kind !== this.#kind) return undefined;
    const milliseconds = this.#read(time);
    if (Number.isNaN(milliseconds)) return undefined;
    this.#first ??= milliseconds;
    return Math.round((milliseconds - this.#first) * 1_000) / 1_000;
  }

  #read({ kind, text }: LoggedTime): number {
    if (kind === "date") return Date.parse(text);
    if (kind === "milliseconds") return Number(text);
    if (kind === "seconds") {
      const [whole = "", fraction = ""] = text.split(".");
      // Subtract whole seconds first: seconds since 1970 with nanoseconds exceed a number's
      // precision.
      this.#firstSecond ??= Number(whole);
      return (Number(whole) - this.#firstSecond) * 1_000 + Number(`0.${fraction}`) * 1_000;
    }
    const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
    const time = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
    // Midnight may have passed since the previous time.
    if (time < this.#last - dayMilliseconds / 2) this.#days += dayMilliseconds;
    this.#last = time;
    return this.#days + time;
  }
}
