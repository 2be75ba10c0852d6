import { Fifo } from "../base/fifo.js";
import { afterMicrotasks } from "../base/microtasks.js";
import { deferred } from "../base/promises.js";

/**
 * The order of what arrives. When a message has settled a promise, everything after it waits until
 * the code that awaits the promise has run: what that code listens to has not passed yet.
 */
export class ArrivalOrder {
  readonly #scheduleRelease = afterMicrotasks(() => this.#release());
  readonly #waiting = new Fifo<() => void>();
  #isHeld = false;
  #isReleasing = false;
  #emptied: ReturnType<typeof deferred<void>> | undefined;

  /** Whether what arrives now may be processed now. */
  get isFree(): boolean {
    return !this.#isHeld && !this.#isReleasing;
  }

  /**
   * Processes what has arrived, now or after what waits.
   *
   * @param act Must not throw.
   */
  follow(act: () => void): void {
    if (this.isFree) act();
    else this.#waiting.push(act);
  }

  /** A promise has been settled: everything else waits until the code that awaits it has run. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#scheduleRelease();
  }

  /** Settles when nothing waits; undefined if nothing does. */
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
