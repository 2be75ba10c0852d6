import { asPromise, deferred } from "../base/promises.js";
import type { Transport } from "./transport.js";
import { startTimer } from "../base/waiting-limits.js";

/** Milliseconds that a transport has to destroy itself. */
const destroyMs = 1_000;

/** Closes a transport: by asking, and by force when the time for that is over. Always settles, never rejects. */
export class TransportClosing {
  readonly #transport: Transport;
  readonly #drain: () => Promise<void>;
  readonly #done = deferred<void>();
  #isClosing = false;
  /** The transport was told to close. */
  #hasCalledClose = false;
  #isDestroyed = false;
  #isDone = false;
  #stopTimer: () => void = () => undefined;
  #deadline = Infinity;

  /** @param drain Settles when what is to be sent has been handed to the transport. */
  constructor(transport: Transport, drain: () => Promise<void>) {
    this.#transport = transport;
    this.#drain = drain;
  }

  /** Settles when the transport is closed, or as far as it can be. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Lets what was sent go out and closes the transport, in so many milliseconds at most. */
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

  /** Destroys the transport. */
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
    // A transport that cannot be destroyed can at least be closed.
    if (this.#transport.destroy !== undefined) await asPromise(this.#transport.destroy());
    else if (!this.#hasCalledClose) await asPromise(this.#transport.close());
  }

  /** Forces the end after so many milliseconds, unless it is to be forced earlier. */
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
