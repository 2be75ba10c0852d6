import { asPromise, deferred } from "../base/promises.js";
import type { Transport } from "./transport.js";
import type { PerformanceClock } from "../base/web-standards.js";
import { startTimer } from "../base/waiting-limits.js";

declare const performance: PerformanceClock;

/** Milliseconds to wait for `destroy()`. */
const destroyMs = 1_000;

/** Closes a transport, and destroys it if that takes too long. Always settles, never rejects. */
export class TransportClosing {
  readonly #transport: Transport;
  readonly #drain: () => Promise<void>;
  readonly #done = deferred<void>();
  #isClosing = false;
  #hasCalledClose = false;
  #isDestroyed = false;
  #isDone = false;
  #stopTimer: () => void = () => undefined;
  #deadline = Infinity;

  /** @param drain Settles when all pending data has been handed to the transport. */
  constructor(transport: Transport, drain: () => Promise<void>) {
    this.#transport = transport;
    this.#drain = drain;
  }

  /** Settles when the transport is closed or could not be closed. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Flushes pending data and closes the transport within the given number of milliseconds. */
  closeWithin(milliseconds: number): void {
    if (milliseconds === 0) this.destroy();
    this.#setDeadline(milliseconds);
    if (this.#isClosing || this.#isDestroyed || this.#isDone) return;
    this.#isClosing = true;
    void this.#close(milliseconds / 2).then(
      () => this.#finish(),
      () => this.destroy(),
    );
  }

  destroy(): void {
    if (this.#isDestroyed || this.#isDone) return;
    this.#isDestroyed = true;
    this.#stopTimer();
    this.#stopTimer = startTimer(destroyMs, () => this.#finish());
    this.#destroy().then(
      () => this.#finish(),
      () => this.#finish(),
    );
  }

  async #close(drainMs: number): Promise<void> {
    const drained = deferred<void>();
    const stopTimer = startTimer(drainMs, () => drained.resolve());
    await Promise.race([this.#drain(), drained.promise]);
    stopTimer();
    if (this.#isDestroyed) return;
    this.#hasCalledClose = true;
    await this.#transport.close();
  }

  async #destroy(): Promise<void> {
    // If there is no `destroy`, fall back to `close`.
    if (this.#transport.destroy !== undefined) await asPromise(this.#transport.destroy());
    else if (!this.#hasCalledClose) await asPromise(this.#transport.close());
  }

  /** Destroys the transport after a delay, unless an earlier deadline has already been set. */
  #setDeadline(milliseconds: number): void {
    const deadline = performance.now() + milliseconds;
    if (this.#isDestroyed || this.#isDone || deadline >= this.#deadline) return;
    this.#deadline = deadline;
    this.#stopTimer();
    this.#stopTimer = startTimer(milliseconds, () => this.destroy());
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#stopTimer();
    this.#done.resolve();
  }
}
