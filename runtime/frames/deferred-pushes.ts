import type { DecoderOutput } from "./decoder-output.js";
import type { StreamDecoder } from "./decoder-options.js";

/** Stores chunks that handlers push while the decoder is busy, for the decoder to read later. */
export class DeferredPushes {
  readonly #waiting: (Uint8Array | "end")[] = [];
  #hasMore = false;
  #isReplaying = false;

  /** Stores a copy of a chunk, whose memory belongs to the caller. */
  add(chunk: Uint8Array): void {
    this.#hasMore = true;
    this.#waiting.push(new Uint8Array(chunk));
  }

  /** Makes the stream end after the deferred chunks. */
  end(): void {
    this.#hasMore = true;
    this.#waiting.push("end");
  }

  /**
   * Releases a processed chunk, and reads the chunks that handlers have pushed in the meantime.
   *
   * @throws Any exception thrown by a handler.
   */
  finishChunk(output: DecoderOutput, decoder: StreamDecoder): void {
    output.release();
    if (this.#hasMore) this.#replay(decoder);
    output.rethrow();
  }

  /**
   * Pushes the deferred chunks in order, including any added in the meantime.
   *
   * @throws The first exception from these calls, once all of them are done.
   */
  #replay(decoder: StreamDecoder): void {
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
    this.#hasMore = this.#isReplaying = false;
    if (thrown.length > 0) throw thrown[0];
  }
}
