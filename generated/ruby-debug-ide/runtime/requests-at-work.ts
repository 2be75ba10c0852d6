import type { AnsweredRequest } from "./answered-request.js";

/** The requests of the other side whose handlers are at work. */
export class RequestsAtWork {
  readonly #byId = new Map<unknown, AnsweredRequest>();
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;
  /** How many there are. Two may have the same id. */
  count = 0;

  /** A request is at work until its answer is there. */
  add(id: unknown, request: AnsweredRequest, answer: Promise<unknown>): void {
    this.#byId.set(id, request);
    this.count++;
    void answer.finally(() => {
      if (this.#byId.get(id) === request) this.#byId.delete(id);
      this.count--;
      this.#waiting.shift()?.();
    });
  }

  cancel(id: unknown): void {
    this.#byId.get(id)?.cancel();
  }

  /** Settles when there are fewer, or nobody waits for an answer any more. */
  async untilFewer(most: number): Promise<void> {
    while (this.count >= most && !this.#isClosed)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Nobody waits for an answer any more. */
  close(): void {
    this.#isClosed = true;
    for (const request of this.#byId.values()) request.cancel();
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
