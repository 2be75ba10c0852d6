/** A set of numbers that are added in ascending order, stored as runs of consecutive numbers. */
export class IdRuns {
  /** First number of each run. `#lasts` contains the last number of each run. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #maxRuns: number;

  constructor(maxRuns: number) {
    this.#maxRuns = maxRuns;
  }

  /**
   * Adds a number. Returns false if the number is lower than an earlier one, or if the set would
   * need too many runs.
   */
  add(id: unknown): boolean {
    if (!Number.isSafeInteger(id)) return false;
    const last = this.#lasts.length - 1;
    const end = this.#lasts[last] ?? -Infinity;
    const number = id as number;
    if (number === end + 1) this.#lasts[last] = number;
    else if (number <= end || this.#firsts.length >= this.#maxRuns) return false;
    else {
      this.#firsts.push(number);
      this.#lasts.push(number);
    }
    return true;
  }

  has(id: unknown): boolean {
    if (typeof id !== "number" || !Number.isInteger(id)) return false;
    let [from, to] = [0, this.#lasts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#lasts[middle]! < id) from = middle + 1;
      else to = middle;
    }
    return from < this.#firsts.length && this.#firsts[from]! <= id;
  }
}
