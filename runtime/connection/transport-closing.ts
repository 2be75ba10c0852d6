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
  #isAsked = false;
  /** The transport was told to close. */
  #isTold = false;
  #isForced = false;
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
  ask(milliseconds: number): void {
    if (milliseconds === 0) this.force();
    this.#limit(milliseconds);
    if (this.#isAsked || this.#isForced || this.#isDone) return;
    this.#isAsked = true;
    void this.#close(milliseconds / 2).then(
      () => this.#finish(),
      () => this.force(),
    );
  }

  /** Destroys the transport. */
  force(): void {
    if (this.#isForced || this.#isDone) return;
    this.#isForced = true;
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
    if (this.#isForced) return;
    this.#isTold = true;
    await this.#transport.close();
  }

  async #destroy(): Promise<void> {
    // A transport that cannot be destroyed can at least be closed.
    if (this.#transport.destroy !== undefined) await asPromise(this.#transport.destroy());
    else if (!this.#isTold) await asPromise(this.#transport.close());
  }

  /** Forces the end after so many milliseconds, unless it is to be forced earlier. */
  #limit(milliseconds: number): void {
    const deadline = performance.now() + milliseconds;
    if (this.#isForced || this.#isDone || deadline >= this.#deadline) return;
    this.#deadline = deadline;
    this.#stopTimer();
    this.#stopTimer = startTimer(milliseconds, () => this.force());
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#stopTimer();
    this.#done.resolve();
  }
}
