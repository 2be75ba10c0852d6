/** Number of consumed slots at which the array is compacted. */
const maxSpent = 1_024;

/** A queue with constant-time `shift`. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) this.#clear();
    else if (this.#head >= maxSpent && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Returns the items in order, without removing them. */
  *items(): Generator<Item, void, void> {
    for (let at = this.#head; at < this.#items.length; at++) yield this.#items[at] as Item;
  }

  /** Empties the queue and returns its items. */
  takeAll(): Item[] {
    const items = this.#items.slice(this.#head) as Item[];
    this.#clear();
    return items;
  }

  #clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
