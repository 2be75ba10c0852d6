import { asPromise, callSafely } from "../base/promises.js";
import type { Frame } from "../frames/frame.js";
import { isObject } from "../protocol/message-fields.js";
import { thrownProblem, type Middleware, type Problem } from "./options.js";

/** The properties of an incoming frame that a connection needs. */
export type ReceivedFrame = Pick<Frame, "bodyLength" | "raw">;

/** A middleware as added to a connection. The same middleware may be added more than once. */
interface Added {
  readonly middleware: Middleware;
}

/** A connection's middleware, in order. */
export class MiddlewareChain {
  #all: readonly Added[] = [];
  #beforeSend: readonly Required<Pick<Middleware, "beforeSend">>[] = [];
  #afterSend: readonly Required<Pick<Middleware, "afterSend">>[] = [];
  #afterReceive: readonly Required<Pick<Middleware, "afterReceive">>[] = [];
  readonly #report: (problem: Problem) => void;

  constructor(middleware: readonly Middleware[], report: (problem: Problem) => void) {
    this.#set(middleware.map((each) => ({ middleware: each })));
    this.#report = report;
  }

  /** Adds a middleware in front of all others. Returns a function that removes it. */
  add(middleware: Middleware): () => void {
    // Create a separate object, so that removing a middleware that was added twice removes it only
    // once.
    const entry = { middleware };
    this.#set([entry, ...this.#all]);
    return () => this.#set(this.#all.filter((other) => other !== entry));
  }

  #set(all: readonly Added[]): void {
    this.#all = all;
    const middleware = all.map((entry) => entry.middleware);
    this.#beforeSend = middleware.filter((hooks) => hooks.beforeSend !== undefined) as never;
    this.#afterSend = middleware.filter((hooks) => hooks.afterSend !== undefined) as never;
    this.#afterReceive = middleware.filter((hooks) => hooks.afterReceive !== undefined) as never;
  }

  /**
   * Returns the message to send, or null if a middleware drops it.
   *
   * @throws Any exception thrown by a middleware, or TypeError if a middleware does not return a
   * message.
   */
  beforeSend(message: object): object | null {
    let current = message;
    for (const hooks of this.#beforeSend) {
      const returned = hooks.beforeSend(current);
      if (returned === null) return null;
      if (returned !== undefined) current = asMessage("beforeSend", returned);
    }
    return current;
  }

  /** Called after a message was written. Never throws, because the message cannot be unsent. */
  afterSend(message: object, bytes: Uint8Array): void {
    const what = "A middleware failed after a message was sent";
    for (const hooks of this.#afterSend) {
      callSafely(
        () => hooks.afterSend(message, bytes),
        (cause) => this.#report(thrownProblem("ERR_MIDDLEWARE", what, cause, message)),
      );
    }
  }

  /** Whether the bytes of incoming messages are needed. */
  get readsBytes(): boolean {
    return this.#afterReceive.length > 0;
  }

  /**
   * Returns the message to process, or null if a middleware drops it.
   *
   * @throws Any exception thrown by a middleware, or TypeError if a middleware does not return a
   * message.
   */
  afterReceive(message: object, frame: ReceivedFrame): object | null {
    let current = message;
    for (const hooks of this.#afterReceive) {
      const returned = hooks.afterReceive(current, frame.raw);
      if (returned === null) return null;
      if (returned !== undefined) current = asMessage("afterReceive", returned);
    }
    return current;
  }
}

/** Checks that a middleware returned a message. @throws TypeError if it did not. */
export function asMessage(hook: string, returned: unknown): object {
  const promise = asPromise(returned);
  if (promise === undefined && isObject(returned)) return returned;
  promise?.catch(() => undefined);
  const what =
    promise !== undefined
      ? "a promise"
      : Array.isArray(returned)
        ? "an array"
        : `a ${typeof returned}`;
  throw new TypeError(
    `Cannot use the result of ${hook}: expected a message, null or undefined, received ${what}`,
  );
}
