/**
 * A map that keeps only the latest entries. When it is full, it drops the older half.
 *
 * Deleting the first key of a `Map` for each new one would make the map slower and slower, because
 * iteration has to skip all deleted entries.
 */
export class LatestEntries<Key, Value> {
  readonly #half: number;
  #older: Map<Key, Value> = new Map();
  #newer: Map<Key, Value> = new Map();

  /** @param maxEntries Maximum number of entries. */
  constructor(maxEntries: number) {
    this.#half = maxEntries >> 1;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  /** Sets an entry, making it the latest. */
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

  /** Returns the values, oldest first. */
  values(): Value[] {
    return [...this.#older.values(), ...this.#newer.values()];
  }
}
