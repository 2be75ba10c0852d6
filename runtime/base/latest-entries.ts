/**
 * A map that keeps the latest entries only: when it is full, the older half goes.
 *
 * To drop the first key of a `Map` for each new one takes longer and longer: what was deleted before that key
 * is passed over each time.
 */
export class LatestEntries<Key, Value> {
  readonly #half: number;
  #older: Map<Key, Value> = new Map();
  #newer: Map<Key, Value> = new Map();

  /** @param most Entries that are kept at most. */
  constructor(maxEntries: number) {
    this.#half = maxEntries >> 1;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  /** Keeps an entry as the latest, in place of another one of its key. */
  set(key: Key, value: Value): void {
    this.delete(key);
    if (this.#newer.size >= this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  delete(key: Key): void {
    if (!this.#newer.delete(key)) this.#older.delete(key);
  }

  /** From the oldest to the latest. */
  values(): Value[] {
    return [...this.#older.values(), ...this.#newer.values()];
  }
}
