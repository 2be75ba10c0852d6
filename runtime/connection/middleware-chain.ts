import type { Middleware, Problem } from "./connection-settings.js";
import type { Frame } from "../frames/frame.js";
import { asPromise, onRejection } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import { isObject } from "../protocol/message-fields.js";

/** The middleware of a connection, in order. */
export class MiddlewareChain {
  readonly #before: readonly Required<Pick<Middleware, "beforeSend">>[];
  readonly #after: readonly Required<Pick<Middleware, "afterSend">>[];
  readonly #receive: readonly Required<Pick<Middleware, "afterReceive">>[];
  readonly #report: (problem: Problem) => void;

  constructor(middleware: readonly Middleware[], report: (problem: Problem) => void) {
    this.#before = middleware.filter((each) => each.beforeSend !== undefined) as never;
    this.#after = middleware.filter((each) => each.afterSend !== undefined) as never;
    this.#receive = middleware.filter((each) => each.afterReceive !== undefined) as never;
    this.#report = report;
  }

  /** The message to send; undefined if it is held back. @throws what a middleware throws, or TypeError. */
  beforeSend(message: object): object | undefined {
    let seen = message;
    for (const each of this.#before) {
      const given = each.beforeSend(seen);
      if (given === undefined) return undefined;
      seen = asMessage("beforeSend", given);
    }
    return seen;
  }

  /** A message was written. Never throws: it is too late for that. */
  afterSend(message: object, bytes: Uint8Array): void {
    for (const each of this.#after) {
      const failed = (cause: unknown): void =>
        this.#report({
          code: "ERR_MIDDLEWARE",
          text: `A middleware failed behind a message that was sent: ${textOfThrown(cause)}`,
          message,
          cause,
        });
      try {
        onRejection(each.afterSend(message, bytes), failed);
      } catch (cause) {
        failed(cause);
      }
    }
  }

  /** The message to deal with; undefined if it is dropped. @throws what a middleware throws, or TypeError. */
  afterReceive(message: object, frame: Frame): object | undefined {
    let seen = message;
    for (const each of this.#receive) {
      const given = each.afterReceive(seen, frame.raw);
      if (given === undefined) return undefined;
      seen = asMessage("afterReceive", given);
    }
    return seen;
  }
}

/** What a middleware gave, if that is a message. */
function asMessage(hook: string, given: unknown): object {
  const promise = asPromise(given);
  if (promise === undefined && isObject(given)) return given;
  promise?.catch(() => undefined);
  const what =
    promise !== undefined
      ? "a promise"
      : given === null
        ? "null"
        : Array.isArray(given)
          ? "a list"
          : `a ${typeof given}`;
  throw new TypeError(
    `Cannot use what ${hook} of a middleware returned: expected a message or undefined, received ${what}`,
  );
}
