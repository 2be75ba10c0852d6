import { closedError, type ConnectionEnd } from "./connection-end.js";
import type { RequestOptions } from "./connection-settings.js";
import { abortedError, onGiveUp } from "./pending-requests.js";
import { deferred, markHandled, onRejection } from "../base/promises.js";
import { readTimeout } from "../base/waiting-limits.js";

type Listener = (body: unknown, message: object) => unknown;

/** Who listens to the events of the other side, by name. */
export class EventListeners {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** What is done for those who wait for an event if the conversation ends. */
  readonly #closeCallbacks = new Set<(end: ConnectionEnd) => void>();
  #end: ConnectionEnd | undefined;

  /** Listens to an event; gives a function that ends it. */
  on(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    // A listener that is given twice listens twice.
    const own: Listener = (body, message) => listener(body, message);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /** The body of the next event of a name. @throws RequestError, as a rejection, as a request does. */
  once(name: string, options: RequestOptions): Promise<unknown> {
    const { promise, resolve, reject } = deferred<unknown>();
    const { signal } = options;
    const close = (end: ConnectionEnd): void => {
      void markHandled(promise);
      fail(closedError(name, end));
    };
    let dispose = (): void => undefined;
    const settle = (act: () => void): void => {
      off();
      dispose();
      this.#closeCallbacks.delete(close);
      act();
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const off = this.on(name, (body) => settle(() => resolve(body)));
    try {
      const timeoutMs = readTimeout(options.timeoutMs);
      if (signal?.aborted === true) fail(abortedError(name, signal));
      else if (this.#end !== undefined) close(this.#end);
      else {
        dispose = onGiveUp(name, `"${name}"`, { signal, timeoutMs }, fail);
        this.#closeCallbacks.add(close);
      }
    } catch (error) {
      fail(error as Error);
    }
    return promise;
  }

  /** Tells all listeners of an event; what one throws or rejects with is handed on. Returns false if nobody listens. */
  emit(name: string, body: unknown, message: object, thrown: (cause: unknown) => void): boolean {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined || listeners.size === 0) return false;
    for (const listener of [...listeners]) {
      try {
        onRejection(listener(body, message), thrown);
      } catch (cause) {
        thrown(cause);
      }
    }
    return true;
  }

  /** No event will come any more. */
  close(end: ConnectionEnd): void {
    this.#end = end;
    for (const close of [...this.#closeCallbacks]) close(end);
  }
}
