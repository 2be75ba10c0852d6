/** Number of dropped items at which the array is compacted. */
const maxDropped = 1_024;

/**
 * Keeps the latest items, limiting their number and their total weight. Adding an item takes
 * constant time.
 */
export class LatestItems<Item> {
  readonly #maxItems: number;
  readonly #maxWeight: number;
  #items: (Item | undefined)[] = [];
  #weights: number[] = [];
  /** Index of the first item kept. */
  #head = 0;
  #weight = 0;
  #added = 0;

  constructor(maxItems: number, maxWeight: number) {
    this.#maxItems = maxItems;
    this.#maxWeight = maxWeight;
  }

  /** Number of items added so far, which is also the number of the next item. */
  get added(): number {
    return this.#added;
  }

  /** Number of the first item kept. */
  get first(): number {
    return this.#added - (this.#items.length - this.#head);
  }

  /** Adds an item. The latest item is always kept, however much it weighs. */
  add(item: Item, weight: number): void {
    this.#items.push(item);
    this.#weights.push(weight);
    this.#weight += weight;
    this.#added++;
    while (
      this.#items.length - this.#head > 1 &&
      (this.#items.length - this.#head > this.#maxItems || this.#weight > this.#maxWeight)
    )
      this.#drop();
  }

  /** Returns the item with the given number, or undefined if it has been dropped. */
  get(number: number): Item | undefined {
    return this.#items[this.#head + number - this.first];
  }

  /** Returns the items kept, starting with the given number. */
  from(number: number): readonly Item[] {
    return this.#items.slice(this.#head + Math.max(0, number - this.first)) as Item[];
  }

  #drop(): void {
    this.#weight -= this.#weights[this.#head]!;
    this.#items[this.#head++] = undefined;
    if (this.#head < maxDropped || this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#weights = this.#weights.slice(this.#head);
    this.#head = 0;
  }
}

/** Characters counted for each field or item in addition to its own. */
const perItem = 16;

/** Returns the approximate number of characters in a JSON value. Counting stops at a limit. */
export function weightOf(value: unknown, limit: number = Infinity): number {
  let weight = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && weight < limit) {
    const next = rest.pop();
    weight += typeof next === "string" ? next.length + perItem : perItem;
    if (typeof next !== "object" || next === null) continue;
    for (const [name, field] of Object.entries(next)) {
      weight += name.length;
      rest.push(field);
    }
  }
  return weight;
}
