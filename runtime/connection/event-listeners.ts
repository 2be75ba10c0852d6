import type { ArrivalOrder } from "./arrival-order.js";
import { closedError, type ConnectionEnd, type FailedCall } from "./connection-end.js";
import {
  eventWaitChecks,
  listenChecks,
  type EventWaitOptions,
  type ListenOptions,
} from "./connection-settings.js";
import { EventHistory, type EventMark, type EventTest } from "./event-history.js";
import type { FailedCalls } from "./failed-calls.js";
import { EventQueue } from "./event-queue.js";
import { onGiveUp, type WaitLimits } from "./pending-requests.js";
import { callback, checkOptions } from "../base/check-options.js";
import { deferred, markHandled, onRejection, nothing } from "../base/promises.js";
import { abortReason, limitOf, onAbort } from "../base/waiting-limits.js";

type Listener = (body: unknown, message: object) => unknown;

/** A connection's event listeners, by name. */
export class EventListeners {
  readonly #order: ArrivalOrder;
  readonly #failedCalls: FailedCalls;
  /** Default timeout of `once`, as returned by `limitOf`. */
  readonly #timeoutMs: number | undefined;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #history = new EventHistory();
  /** Functions that reject the pending `once` calls when the connection ends. */
  readonly #closeCallbacks = new Set<(end: ConnectionEnd) => void>();
  #limitedWaits = 0;
  /** Body length of the event being dispatched. */
  #bytes = 0;
  #end: ConnectionEnd | undefined;

  /** @param timeoutMs Default timeout of `once`, as returned by `limitOf`. */
  constructor(order: ArrivalOrder, failedCalls: FailedCalls, timeoutMs: number | undefined) {
    this.#order = order;
    this.#failedCalls = failedCalls;
    this.#timeoutMs = timeoutMs;
  }

  /** Number of pending `once` calls with a timeout. */
  get limitedWaits(): number {
    return this.#limitedWaits;
  }

  /** Returns a mark for the current moment, for use with `once`. */
  mark(): EventMark {
    return this.#history.mark();
  }

  /**
   * Adds a listener for an event, or for all events if the name is `*`. Returns a function that
   * removes it.
   */
  on(name: string, listener: Listener, options?: ListenOptions): () => void {
    checkOptions("on", { listener }, { listener: callback });
    checkOptions("on", options, listenChecks);
    const signal = options?.signal;
    if (signal === undefined) return this.#add(name, listener);
    if (signal.aborted) return () => undefined;
    const remove = this.#add(name, listener);
    const stopWatching = onAbort(signal, remove);
    return () => {
      stopWatching();
      remove();
    };
  }

  /**
   * Iterates over the bodies of all events with this name that arrive from now on. Events are
   * buffered until they are consumed.
   */
  events(name: string, options?: ListenOptions): EventQueue {
    checkOptions("events", options, listenChecks);
    const signal = options?.signal;
    const queue = new EventQueue(name, () => {
      remove();
      stopWatching();
      this.#closeCallbacks.delete(close);
    });
    const close = (end: ConnectionEnd): void =>
      end.error === undefined ? queue.end() : queue.fail(endedWait(name, end));
    const remove = this.#addCounted(name, (body, bytes) => {
      if (queue.add(body, bytes)) this.#order.hold();
    });
    const stopWatching =
      signal === undefined ? nothing : onAbort(signal, () => queue.fail(abortReason(signal)));
    this.#closeCallbacks.add(close);
    if (signal?.aborted === true) queue.fail(abortReason(signal));
    else if (this.#end !== undefined) close(this.#end);
    return queue;
  }

  #addCounted(name: string, receive: (body: unknown, bytes: number) => void): () => void {
    return this.#add(name, (body) => receive(body, this.#bytes));
  }

  #add(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    // Wrap the listener so that it is called twice if it was added twice.
    const own: Listener = (body, message) => listener(body, message);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /**
   * Resolves to the body of the next event with this name, or of the first such event since a mark.
   *
   * @throws Rejects with TimeoutError, ConnectionClosedError, or the signal's abort reason.
   */
  once(name: string, options: EventWaitOptions): Promise<unknown> {
    try {
      checkOptions("once", options, eventWaitChecks);
      const { signal, since, where = () => true } = options;
      const timeoutMs =
        options.timeoutMs === undefined ? this.#timeoutMs : limitOf(options.timeoutMs);
      if (signal?.aborted === true) throw abortReason(signal);
      const past = since && this.#history.find(name, since, where);
      if (past !== undefined) return Promise.resolve(past.body);
      if (this.#end !== undefined) throw endedWait(name, this.#end);
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
    const off = this.#add(name, (body, message) => {
      try {
        if (!where(body, message)) return;
        resolve(body);
      } catch (error) {
        reject(error);
      }
      stop();
      this.#order.hold();
    });
    const timedOut = (timeoutMs: number): unknown =>
      this.#failedCalls.timeout(`"${name}"`, timeoutMs, start);
    const stopLimits = onGiveUp(limits, timedOut, (error) => {
      stop();
      this.#failedCalls.add({ name, error }, promise, start);
      reject(error);
    });
    const close = (end: ConnectionEnd): void => {
      stop();
      void markHandled(promise);
      reject(endedWait(name, end, this.#failedCalls.since(start)));
    };
    this.#closeCallbacks.add(close);
    this.#limitedWaits += counted;
    return promise;
  }

  /**
   * Calls all listeners for an event, then those for `*`, and reports their exceptions and
   * rejections. Returns false if there are no listeners.
   *
   * @param bytes Length of the message's body.
   */
  emit(
    name: string,
    body: unknown,
    message: object,
    bytes: number,
    thrown: (cause: unknown) => void,
  ): boolean {
    this.#history.add(name, body, message, bytes);
    this.#bytes = bytes;
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

function endedWait(name: string, end: ConnectionEnd, failure?: FailedCall): Error {
  return closedError(name, end, failure, "wait for");
}
