const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Converts the times in a log to milliseconds since its first time. */
export class LogClock {
  #first: number | undefined;
  #firstSecond: number | undefined;
  #last = 0;
  /**
   * One day in milliseconds for each midnight that has passed in the log. Used only for logs with
   * times of day.
   */
  #days = 0;

  /** @param milliseconds Milliseconds since any fixed point in time. */
  since(milliseconds: number): number {
    this.#first ??= milliseconds;
    return rounded(milliseconds - this.#first);
  }

  /** @param text Seconds, with up to nine digits after the decimal point. */
  ofSeconds(text: string): number {
    const [whole = "", fraction = ""] = text.split(".");
    const milliseconds = Number(`0.${fraction}`) * 1_000;
    // Subtract whole seconds first: seconds since 1970 with nanoseconds exceed a number's
    // precision.
    this.#firstSecond ??= Number(whole);
    return this.since((Number(whole) - this.#firstSecond) * 1_000 + milliseconds);
  }

  /**
   * @param text A time of day, such as `23:59:59`, with or without a fraction. Midnight may have
   * passed since the previous time.
   */
  ofDay(text: string): number {
    const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
    const time = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
    if (time < this.#last - dayMilliseconds / 2) this.#days += dayMilliseconds;
    this.#last = time;
    return this.since(this.#days + time);
  }

  /** @param text A date and time. If it is invalid, the result is undefined. */
  ofDate(text: string): number | undefined {
    const milliseconds = Date.parse(text);
    return Number.isNaN(milliseconds) ? undefined : this.since(milliseconds);
  }
}

/** Rounds a number of milliseconds to microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
