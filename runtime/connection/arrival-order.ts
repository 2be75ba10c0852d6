import { Fifo } from "../base/fifo.js";
import { deferred } from "../base/promises.js";
import type { SetTimeout } from "../base/web-standards.js";

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

declare const setTimeout: SetTimeout;

/** Functions provided by the host, any of which may be missing. */
interface Host {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    readonly nextTick?: (callback: () => void) => void;
  };
  readonly setImmediate?: (callback: () => void) => void;
  readonly MessageChannel?: new () => {
    readonly port1: object;
    readonly port2: { postMessage(message: null): void };
  };
}

/**
 * Returns a function that schedules a call to `callback`. The call takes place once all pending
 * promise callbacks have run, including any that they add.
 *
 * @param callback Must not throw.
 * @param host The global object, or a substitute.
 */
export function afterMicrotasks(callback: () => void, host: Host = globalThis as Host): () => void {
  const { process, setImmediate, MessageChannel } = host;
  const nextTick = process?.nextTick;
  // Node runs all pending promise callbacks before it continues with the `nextTick` queue, within
  // the same turn of the event loop. Browser substitutes for `process` have no version.
  if (nextTick !== undefined && process?.versions?.node !== undefined) {
    const settled = Promise.resolve();
    const scheduleTick = (): void => nextTick(callback);
    return () => void settled.then(scheduleTick);
  }
  if (setImmediate !== undefined) return () => setImmediate(callback);
  if (MessageChannel === undefined) return () => setTimeout(callback);
  // Background tabs delay timers, but not messages sent through a port.
  const { port1, port2 } = new MessageChannel();
  Object.assign(port1, { onmessage: callback });
  return () => port2.postMessage(null);
}
