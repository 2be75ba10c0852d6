import { callback, checkOptions } from "../base/check-options.js";
import { Fifo } from "../base/fifo.js";
import { callSafely, deferred, markHandled, nothing } from "../base/promises.js";
import { abortReason, limitOf, onAbort } from "../base/waiting-limits.js";
import type { ArrivalOrder } from "./arrival-order.js";
import {
  closedError,
  onGiveUp,
  type ConnectionEnd,
  type FailedCall,
  type FailedCalls,
  type WaitLimits,
} from "./failed-calls.js";
import {
  eventWaitChecks,
  listenChecks,
  type EventMark,
  type EventTest,
  type EventWaitOptions,
  type ListenOptions,
} from "./options.js";

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
  /** Functions that reject the pending `once` calls for an event. */
  readonly #refuseCallbacks = new Map<string, Set<(error: Error) => void>>();
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
    const wrapped: Listener = (body, message) => listener(body, message);
    listeners.add(wrapped);
    return () => {
      listeners.delete(wrapped);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /**
   * Resolves to the body of the next event with this name, or of the first such event since a mark.
   *
   * @throws Rejects with InvalidMessageError if the event arrives but is invalid, TimeoutError,
   * ConnectionClosedError, or the signal's abort reason.
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
      this.#refuseCallbacks.get(name)?.delete(fail);
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
    const fail = (error: unknown): void => {
      stop();
      this.#failedCalls.add({ name, error }, promise, start);
      reject(error);
    };
    const stopLimits = onGiveUp(limits, timedOut, fail);
    const refuseCallbacks = this.#refuseCallbacks.get(name) ?? new Set();
    this.#refuseCallbacks.set(name, refuseCallbacks.add(fail));
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
    for (const listener of [...(named ?? []), ...(all ?? [])])
      callSafely(() => listener(body, message), thrown);
    return true;
  }

  /** Called with the reason why an event is not delivered. Rejects the calls that wait for it. */
  refuse(name: string, error: Error): void {
    for (const fail of [...(this.#refuseCallbacks.get(name) ?? [])]) fail(error);
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

/** Maximum number of buffered events, and maximum total size of their messages, in bytes. */
const maxEvents = 100_000;
const maxBytes = 0x400_0000;

interface Waiting {
  readonly resolve: (result: IteratorResult<unknown, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * An async iterator over events with one name. Buffers events until they are consumed, up to a
 * limit.
 */
class EventQueue implements AsyncIterableIterator<unknown> {
  readonly #name: string;
  readonly #stop: () => void;
  readonly #arrived = new Fifo<{ readonly body: unknown; readonly bytes: number }>();
  readonly #waiting = new Fifo<Waiting>();
  #bytes = 0;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;

  /** @param stop Called when the consumer no longer needs events. */
  constructor(name: string, stop: () => void) {
    this.#name = name;
    this.#stop = stop;
  }

  /** Adds an event. Returns whether a consumer was waiting for it. */
  add(body: unknown, bytes: number): boolean {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting.resolve({ done: false, value: body });
      return true;
    }
    this.#arrived.push({ body, bytes });
    this.#bytes += bytes;
    if (this.#arrived.size > maxEvents || this.#bytes > maxBytes)
      this.fail(
        Object.assign(new Error(`Too many unread "${this.#name}" events`), {
          code: "ERR_OVERLOADED",
        }),
      );
    return false;
  }

  /** Ends the iterator after the events that have already arrived. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    for (const { resolve } of this.#waiting.takeAll()) resolve({ done: true, value: undefined });
  }

  /** Makes the iterator throw an error after the events that have already arrived. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    const [first, ...others] = this.#waiting.takeAll();
    if (first === undefined) this.#failure = { error };
    else first.reject(error);
    for (const { resolve } of others) resolve({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<unknown, undefined>> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) {
      this.#bytes -= arrived.bytes;
      return Promise.resolve({ done: false, value: arrived.body });
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) return Promise.reject(failure.error as Error);
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    const { promise, resolve, reject } = deferred<IteratorResult<unknown, undefined>>();
    this.#waiting.push({ resolve, reject });
    return promise;
  }

  /** Called when a loop over the events exits early. */
  return(): Promise<IteratorResult<unknown, undefined>> {
    this.#arrived.takeAll();
    this.#failure = undefined;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Maximum number and total size of the events kept after the first mark. */
const maxKeptEvents = 4_096;
const maxKeptBytes = 0x40_0000;

interface KeptEvent {
  readonly name: string;
  readonly body: unknown;
  readonly message: object;
  readonly number: number;
  readonly bytes: number;
}

/** A connection's latest events. Nothing is kept before the first mark. */
class EventHistory {
  readonly #events = new Fifo<KeptEvent>();
  #bytes = 0;
  #arrived = 0;
  #isKeeping = false;

  mark(): EventMark {
    this.#isKeeping = true;
    return { arrived: this.#arrived };
  }

  /**
   * Adds an event.
   *
   * @param bytes Length of the message's body.
   */
  add(name: string, body: unknown, message: object, bytes: number): void {
    const number = ++this.#arrived;
    if (!this.#isKeeping) return;
    this.#events.push({ name, body, message, number, bytes });
    this.#bytes += bytes;
    while (
      this.#events.size > 1 &&
      (this.#events.size > maxKeptEvents || this.#bytes > maxKeptBytes)
    )
      this.#bytes -= this.#events.shift()!.bytes;
  }

  /** Returns the first event kept that arrived after a mark and passes a test. */
  find(
    name: string,
    { arrived }: EventMark,
    passes: EventTest,
  ): { readonly body: unknown } | undefined {
    for (const event of this.#events.items()) {
      if (event.number <= arrived || event.name !== name) continue;
      if (passes(event.body, event.message)) return event;
    }
    return undefined;
  }
}
