const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Turns the times of a log into milliseconds since its first one. */
export class LogClock {
  #first: number | undefined;
  #firstSecond: number | undefined;
  #last = 0;
  /** Milliseconds of the days that ended since the first time of a day. */
  #days = 0;

  /** @param milliseconds Since any fixed moment. */
  since(milliseconds: number): number {
    this.#first ??= milliseconds;
    return rounded(milliseconds - this.#first);
  }

  /** @param text Seconds, with up to nine digits after the point. */
  ofSeconds(text: string): number {
    const [whole = "", fraction = ""] = text.split(".");
    const milliseconds = Number(`0.${fraction}`) * 1_000;
    // Seconds since 1970 with nanoseconds are not an exact number: whole seconds are subtracted first.
    this.#firstSecond ??= Number(whole);
    return this.since((Number(whole) - this.#firstSecond) * 1_000 + milliseconds);
  }

  /** @param text A time of day as `23:59:59`, with or without a fraction. A day may end in between. */
  ofDay(text: string): number {
    const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
    const time = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
    if (time < this.#last - dayMilliseconds / 2) this.#days += dayMilliseconds;
    this.#last = time;
    return this.since(this.#days + time);
  }

  /** @param text A date with a time. The result is undefined for an invalid date. */
  ofDate(text: string): number | undefined {
    const milliseconds = Date.parse(text);
    return Number.isNaN(milliseconds) ? undefined : this.since(milliseconds);
  }
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
