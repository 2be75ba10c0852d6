import { markHandled } from "../base/promises.js";
import { causedBy, TimeoutError } from "./call-errors.js";
import { withFailure, type FailedCall } from "./connection-end.js";

/** The numbers of failures and timeouts that had occurred when a call began. */
export interface CallStart {
  readonly failures: number;
  readonly timeouts: number;
}

/**
 * A connection's failed calls: requests, and waits for events.
 *
 * Code that is awaiting one call cannot yet handle another call's failure. A failure is therefore
 * not treated as an unhandled rejection in two cases:
 *
 * 1. Another call is still waiting. If that call fails too, its error reports this failure.
 * 2. Another call failed first, and the program may have abandoned this one for that reason. If
 *    this call timed out, any earlier failure may be the reason. Otherwise, only an earlier timeout
 *    may be.
 */
export class FailedCalls {
  readonly #countWaiting: () => number;
  readonly #instead: () => string;
  #now: CallStart = { failures: 0, timeouts: 0 };
  #latest: FailedCall | undefined;

  /**
   * @param countWaiting Returns the number of pending calls that are certain to settle.
   * @param instead Describes the bytes that arrived instead of a message, as part of a sentence.
   */
  constructor(countWaiting: () => number, instead: () => string) {
    this.#countWaiting = countWaiting;
    this.#instead = instead;
  }

  get now(): CallStart {
    return this.#now;
  }

  /** Called before a call's promise is rejected, when the call no longer counts as waiting. */
  add(failed: FailedCall, promise: Promise<unknown>, start: CallStart): void {
    const { failures, timeouts } = this.#now;
    const hasTimedOut = failed.error instanceof TimeoutError;
    const isAbandoned = hasTimedOut ? failures > start.failures : timeouts > start.timeouts;
    if (isAbandoned || this.#countWaiting() > 0) void markHandled(promise);
    this.#now = { failures: failures + 1, timeouts: timeouts + (hasTimedOut ? 1 : 0) };
    this.#latest = failed;
  }

  /**
   * Creates the error for a call that timed out.
   *
   * @param what Describes the awaited message.
   */
  timeout(what: string, timeoutMs: number, start: CallStart): TimeoutError {
    const failure = this.since(start);
    const instead = this.#instead();
    const text =
      withFailure(`Timed out after ${timeoutMs} ms waiting for ${what}`, failure) +
      (instead === "" ? "" : `; ${instead}`);
    return new TimeoutError(text, causedBy(failure?.error));
  }

  /** Returns the latest failure since the given call began, or undefined if there has been none. */
  since(start: CallStart): FailedCall | undefined {
    return this.#now.failures > start.failures ? this.#latest : undefined;
  }
}
