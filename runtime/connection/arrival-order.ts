import { Fifo } from "../base/fifo.js";
import { afterMicrotasks } from "../base/microtasks.js";
import { deferred } from "../base/promises.js";

/**
 * Keeps incoming messages in order. When a message settles a promise, later messages wait until the
 * code that awaits the promise has run, so that this code can add a listener without missing
 * anything.
 */
export class ArrivalOrder {
  readonly #scheduleRelease = afterMicrotasks(() => this.#release());
  readonly #waiting = new Fifo<() => void>();
  #isHeld = false;
  #isReleasing = false;
  #emptied: ReturnType<typeof deferred<void>> | undefined;

  /** Whether the next message may be processed now. */
  get isFree(): boolean {
    return !this.#isHeld && !this.#isReleasing;
  }

  /**
   * Processes a message immediately, or after the messages that are already waiting.
   *
   * @param act Must not throw.
   */
  follow(act: () => void): void {
    if (this.isFree) act();
    else this.#waiting.push(act);
  }

  /**
   * Called when a promise has been settled. Delays later messages until the code that awaits it has
   * run.
   */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#scheduleRelease();
  }

  /** Settles once no more messages are waiting. Undefined if none are waiting now. */
  untilEmpty(): Promise<void> | undefined {
    if (this.#waiting.size === 0) return undefined;
    this.#emptied ??= deferred<void>();
    return this.#emptied.promise;
  }

  #release(): void {
    this.#isHeld = false;
    this.#isReleasing = true;
    while (!this.#isHeld) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      next();
    }
    this.#isReleasing = false;
    if (this.#waiting.size > 0) return;
    this.#emptied?.resolve();
    this.#emptied = undefined;
  }
}
