import type { StreamDecoder } from "./decoder-options.js";

/** What handlers push while a decoder reads a chunk: it waits until that has been read. */
export class DeferredPushes {
  readonly #waiting: (Uint8Array | "end")[] = [];
  /** Whether something waits. */
  hasMore = false;
  #isReplaying = false;

  /** Keeps a chunk, as a copy: its memory is the caller's. */
  add(chunk: Uint8Array): void {
    this.hasMore = true;
    this.#waiting.push(new Uint8Array(chunk));
  }

  /** Keeps in mind that the stream ends behind what waits. */
  end(): void {
    this.hasMore = true;
    this.#waiting.push("end");
  }

  /**
   * Gives a decoder what waits, in its order; what comes meanwhile waits behind that.
   *
   * @throws what the first of these calls throws, behind the last one.
   */
  replay(decoder: StreamDecoder): void {
    if (this.#isReplaying) return;
    this.#isReplaying = true;
    const waiting = this.#waiting;
    const thrown: unknown[] = [];
    for (let next = 0; next < waiting.length; next++) {
      const chunk = waiting[next]!;
      try {
        if (chunk === "end") decoder.end();
        else decoder.push(chunk);
      } catch (error) {
        thrown.push(error);
      }
    }
    waiting.length = 0;
    this.hasMore = this.#isReplaying = false;
    if (thrown.length > 0) throw thrown[0];
  }
}
