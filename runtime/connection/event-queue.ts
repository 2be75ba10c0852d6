import { Fifo } from "../base/fifo.js";
import { deferred } from "../base/promises.js";

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
export class EventQueue implements AsyncIterableIterator<unknown> {
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
