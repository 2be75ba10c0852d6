/**
 * The ids of messages forwarded to one peer. They stay unchanged until the bridge sends messages of
 * its own.
 */
export class BridgeNumbers {
  #last = 0;
  /** Id of the first message sent by the bridge itself. */
  #firstOwn = Infinity;
  /** The sender's request ids, keyed by the ids that the peer knows. */
  readonly #originals = new Map<number, number>();
  /** The ids that the peer knows, keyed by the sender's ids. */
  readonly #forwarded = new Map<number, number>();

  /** Whether ids may have to be replaced. */
  get areReplaced(): boolean {
    return this.#firstOwn < Infinity;
  }

  /** Returns an id for a message sent by the bridge. */
  own(): number {
    const number = this.next();
    this.#firstOwn = Math.min(this.#firstOwn, number);
    return number;
  }

  next(): number {
    return ++this.#last;
  }

  /** Returns the id by which the peer knows a forwarded message. */
  forward(id: unknown, isRequest: boolean): unknown {
    if (!Number.isSafeInteger(id)) return id;
    const number = id as number;
    if (!this.areReplaced) {
      this.#last = Math.max(this.#last, number);
      return id;
    }
    const replaced = number > this.#last ? (this.#last = number) : this.next();
    if (isRequest) {
      this.#originals.set(replaced, number);
      this.#forwarded.set(number, replaced);
    }
    return replaced;
  }

  /** Returns the id by which the peer knows a request that it has not answered yet. */
  forwarded(id: unknown): unknown {
    return this.#forwarded.get(id as number) ?? id;
  }

  /**
   * Returns the id that the sender gave a request, or undefined if it never sent such a request.
   */
  original(id: unknown): unknown {
    if (!Number.isSafeInteger(id) || (id as number) < this.#firstOwn) return id;
    return this.#originals.get(id as number);
  }

  /** Forgets a request that the peer has answered. */
  settle(id: unknown): void {
    const original = this.#originals.get(id as number);
    if (original === undefined) return;
    this.#originals.delete(id as number);
    if (this.#forwarded.get(original) === id) this.#forwarded.delete(original);
  }
}
