import type { RequestOptions } from "./connection-settings.js";
import { abortedError, closedError, whenOver } from "./pending-requests.js";
import type { RequestError } from "./request-error.js";

type Listener = (body: unknown, message: object) => void;

/** Who listens to the events of the other side, by name. */
export class EventListeners {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** What is done for those who wait for an event if the conversation ends. */
  readonly #expecting = new Set<() => void>();
  #isClosed = false;

  /** Listens to an event; gives a function that ends it. */
  on(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    // A listener that is given twice listens twice.
    const own: Listener = (body, message) => listener(body, message);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** The body of the next event of a name. @throws RequestError, as a rejection, as a request does. */
  once(name: string, { signal, timeoutMs }: RequestOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        off();
        dispose();
        this.#expecting.delete(end);
        act();
      };
      const fail = (error: RequestError): void => settle(() => reject(error));
      const end = (): void => fail(closedError(name));
      const off = this.on(name, (body) => settle(() => resolve(body)));
      const dispose = whenOver(name, `"${name}"`, { signal, timeoutMs }, fail);
      if (signal?.aborted === true) fail(abortedError(name, signal));
      else if (this.#isClosed) end();
      else this.#expecting.add(end);
    });
  }

  /** Tells all listeners of an event; what one throws is handed on. Returns false if nobody listens. */
  tell(name: string, body: unknown, message: object, thrown: (cause: unknown) => void): boolean {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined || listeners.size === 0) return false;
    for (const listener of [...listeners]) {
      try {
        listener(body, message);
      } catch (cause) {
        thrown(cause);
      }
    }
    return true;
  }

  /** No event will come any more. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#expecting]) end();
  }
}
