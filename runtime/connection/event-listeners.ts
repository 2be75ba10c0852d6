import type { ArrivalOrder } from "./arrival-order.js";
import { closedError, type ConnectionEnd } from "./connection-end.js";
import type { EventWaitOptions } from "./connection-settings.js";
import { EventHistory, type EventMark, type EventTest } from "./event-history.js";
import type { FailedCalls } from "./failed-calls.js";
import { abortedError, onGiveUp, type WaitLimits } from "./pending-requests.js";
import { deferred, markHandled, onRejection } from "../base/promises.js";
import { readTimeout } from "../base/waiting-limits.js";
import type { RequestError } from "./request-error.js";

type Listener = (body: unknown, message: object) => unknown;

/** The event listeners of a connection, by name. */
export class EventListeners {
  readonly #order: ArrivalOrder;
  readonly #failedCalls: FailedCalls;
  /** As returned by `readTimeout`. */
  readonly #timeoutMs: number | undefined;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #history = new EventHistory();
  /** Reject the pending `once` calls when the connection ends. */
  readonly #closeCallbacks = new Set<(end: ConnectionEnd) => void>();
  #limitedWaits = 0;
  #end: ConnectionEnd | undefined;

  /** @param timeoutMs Default of `once`, as returned by `readTimeout`. */
  constructor(order: ArrivalOrder, failedCalls: FailedCalls, timeoutMs: number | undefined) {
    this.#order = order;
    this.#failedCalls = failedCalls;
    this.#timeoutMs = timeoutMs;
  }

  /** Number of pending `once` calls that have a time limit. */
  get limitedWaits(): number {
    return this.#limitedWaits;
  }

  /** The present moment, for `once`. */
  mark(): EventMark {
    return this.#history.mark();
  }

  /** Adds a listener for an event, or for all of them: `*`. Returns a function that removes it. */
  on(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    // Wrap it, so that a listener added twice is called twice.
    const own: Listener = (body, message) => listener(body, message);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /**
   * Resolves to the body of the next event with this name, or of the first one since a mark.
   *
   * @throws RequestError as a rejection, as for requests.
   */
  once(name: string, options: EventWaitOptions): Promise<unknown> {
    try {
      const { signal, since, where = () => true } = options;
      const timeoutMs =
        options.timeoutMs === undefined ? this.#timeoutMs : readTimeout(options.timeoutMs);
      if (signal?.aborted === true) throw abortedError(name, signal);
      const past = since && this.#history.find(name, since, where);
      if (past !== undefined) return Promise.resolve(past.body);
      if (this.#end !== undefined) throw closedError(name, this.#end);
      return this.#wait(name, where, { signal, timeoutMs });
    } catch (error) {
      const rejected = Promise.reject<unknown>(error);
      return this.#end === undefined ? rejected : markHandled(rejected);
    }
  }

  #wait(name: string, where: EventTest, limits: WaitLimits): Promise<unknown> {
    const { promise, resolve, reject } = deferred<unknown>();
    const start = this.#failedCalls.now;
    const counted = limits.timeoutMs === undefined ? 0 : 1;
    const stop = (): void => {
      off();
      stopLimits();
      this.#closeCallbacks.delete(close);
      this.#limitedWaits -= counted;
    };
    const off = this.on(name, (body, message) => {
      try {
        if (!where(body, message)) return;
        resolve(body);
      } catch (error) {
        reject(error);
      }
      stop();
      this.#order.hold();
    });
    const timedOut = (timeoutMs: number): RequestError =>
      this.#failedCalls.timeout(name, `"${name}"`, timeoutMs, start);
    const stopLimits = onGiveUp(name, limits, timedOut, (error) => {
      stop();
      this.#failedCalls.add(error, promise, start);
      reject(error);
    });
    const close = (end: ConnectionEnd): void => {
      stop();
      void markHandled(promise);
      reject(closedError(name, end, this.#failedCalls.since(start)));
    };
    this.#closeCallbacks.add(close);
    this.#limitedWaits += counted;
    return promise;
  }

  /**
   * Calls all listeners of an event, then those of `*`, and passes on what they throw or reject with. Returns false if
   * there are none.
   *
   * @param bytes Length of its body.
   */
  emit(
    name: string,
    body: unknown,
    message: object,
    bytes: number,
    thrown: (cause: unknown) => void,
  ): boolean {
    this.#history.add(name, body, message, bytes);
    const named = this.#listeners.get(name);
    const all = name === "*" ? undefined : this.#listeners.get("*");
    if (named === undefined && all === undefined) return false;
    for (const listener of [...(named ?? []), ...(all ?? [])]) {
      try {
        onRejection(listener(body, message), thrown);
      } catch (cause) {
        thrown(cause);
      }
    }
    return true;
  }

  /** Called when the connection ends. */
  close(end: ConnectionEnd): void {
    this.#end = end;
    for (const close of [...this.#closeCallbacks]) close(end);
  }
}
