/** A deterministic random number generator. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, other = 0) {
    this.#a = seed | 0;
    this.#b = other | 0;
    this.#c = 0x9e3779b9;
    // Similar seeds produce similar first numbers, so skip a few.
    for (let round = 0; round < 12; round++) this.next();
  }

  /** Returns the next random 32-bit integer. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11) | 0) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns an integer from 0 up to, but not including, a bound; 0 if the bound is 0. */
  below(bound: number): number {
    return bound <= 1 ? 0 : this.next() % bound;
  }

  /** Returns true once every `count` calls on average. */
  oneIn(calls: number): boolean {
    return this.next() % calls === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Returns a length from 1 to a bound, favouring short lengths. */
  length(bound: number): number {
    const most = 1 << this.below(1 + Math.floor(Math.log2(Math.max(1, bound))));
    return 1 + this.below(Math.min(bound, most * 2));
  }
}
