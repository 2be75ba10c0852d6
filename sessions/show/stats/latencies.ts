/**
 * Maximum number of response times to store exactly. Beyond that, all times are merely counted in
 * classes of similar times.
 */
const maxExact = 10_000;

/**
 * Width of a class of similar times, on a logarithmic scale. The longest and shortest times in a
 * class differ by 0.1 %.
 */
const width = Math.log(1.001);

/** The shortest time that is not treated as zero: a microsecond, in milliseconds. */
const shortest = 0.001;

/**
 * The distribution of response times, kept in bounded memory. It is exact for up to 10,000 times
 * and accurate to 0.1 % beyond that.
 */
export class Latencies {
  #exact: number[] = [];
  readonly #classes = new Map<number, number>();
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  get max(): number {
    return this.#max;
  }

  /**
   * Adds a response time.
   *
   * @param time Time in milliseconds.
   */
  add(time: number): void {
    this.#count++;
    this.#max = Math.max(this.#max, time);
    if (this.#count <= maxExact) {
      this.#exact.push(time);
      return;
    }
    for (const each of this.#exact) this.#classify(each);
    this.#exact = [];
    this.#classify(time);
  }

  /**
   * Returns a percentile: the lowest time that is not exceeded by the given share (from 0 to 1) of
   * all times. Returns zero if there are no times.
   */
  atShare(share: number): number {
    const place = Math.max(1, Math.ceil(share * this.#count));
    if (this.#classes.size === 0) return this.#exact.sort((a, b) => a - b)[place - 1] ?? 0;
    let seen = 0;
    for (const [index, count] of [...this.#classes].sort(([a], [b]) => a - b)) {
      seen += count;
      if (seen >= place)
        return index < 0 ? 0 : Math.min(this.#max, shortest * Math.exp((index + 0.5) * width));
    }
    return this.#max;
  }

  #classify(time: number): void {
    const index = time < shortest ? -1 : Math.floor(Math.log(time / shortest) / width);
    this.#classes.set(index, (this.#classes.get(index) ?? 0) + 1);
  }
}
