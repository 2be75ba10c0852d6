/** The rows of a session's messages, by message number. Message numbers only increase. */
export class RowNumbers {
  /** Number of the message to which the first remembered row belongs. */
  #first = 1;
  #rows: number[] = [];

  /** Number of the latest message. */
  get last(): number {
    return this.#first + this.#rows.length - 1;
  }

  set(index: number, row: number): void {
    if (this.#rows.length === 0) this.#first = index;
    this.#rows[index - this.#first] = row;
  }

  /** Returns the row of a message, or -1 if it is unknown or has been forgotten. */
  rowOf(index: number): number {
    return this.#rows[index - this.#first] ?? -1;
  }

  /** Forgets all rows before the given row. */
  forgetBefore(row: number): void {
    const kept = this.#rows.findIndex((each) => each >= row);
    const count = kept < 0 ? this.#rows.length : kept;
    if (count === 0) return;
    this.#first += count;
    this.#rows = this.#rows.slice(count);
  }
}
