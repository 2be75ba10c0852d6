import { textOfThrown } from "../base/errors.js";
import { markHandled, nothing } from "../base/promises.js";
import { abortReason, onAbort, startTimer } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";
import { causedBy, ConnectionClosedError, TimeoutError } from "./call-errors.js";

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

/** How a connection ended. */
export interface ConnectionEnd {
  /** How the connection ended, as a sentence without a full stop. */
  readonly message: string;
  /** The error that ended the connection; undefined if there was none. */
  readonly error: Error | undefined;
}

/**
 * Describes the end of a connection.
 *
 * @param instead Describes the bytes that arrived instead of a message, as part of a sentence.
 */
export function endOf(detail?: string, error?: Error, instead = ""): ConnectionEnd {
  const having = instead === "" ? "" : `, having ${instead}`;
  const message = `the connection is closed${having}${detail === undefined ? "" : `: ${detail}`}`;
  return { message, error };
}

/** A call that has failed. */
export interface FailedCall {
  /** Name of the request or event. */
  readonly name: string;
  readonly error: unknown;
}

/**
 * Creates the error for a request or wait that is pending when the connection ends.
 *
 * @param failure Another call that failed in the meantime.
 * @param aim The attempted action, as a verb phrase.
 */
export function closedError(
  name: string,
  { message, error }: ConnectionEnd,
  failure?: FailedCall,
  aim = "get a response to",
): ConnectionClosedError {
  const sentence = withFailure(`Cannot ${aim} "${name}": ${message}`, failure);
  return new ConnectionClosedError(sentence, causedBy(error ?? failure?.error));
}

/** Adds another failure to an error message, because that failure may be the cause. */
function withFailure(message: string, failure: FailedCall | undefined): string {
  return failure === undefined
    ? message
    : `${message}; meanwhile "${failure.name}" failed: ${textOfThrown(failure.error)}`;
}

/** Creates the error for a message that can no longer be sent. */
export function unsentError({ message, error }: ConnectionEnd): ConnectionClosedError {
  return new ConnectionClosedError(`Cannot send: ${message}`, causedBy(error));
}

/** Conditions that end a wait before the response arrives. */
export interface WaitLimits {
  readonly signal?: Signal | undefined;
  /** Timeout in milliseconds, as returned by `limitOf`. */
  readonly timeoutMs?: number | undefined;
  /** Whether to wait for the response even after asking the peer to cancel the request. */
  readonly acceptsPartial?: boolean | undefined;
}

/**
 * Calls a function once when a signal is aborted or a timeout expires. Returns a function that
 * cancels both.
 *
 * @param timedOut Creates the error after a timeout.
 */
export function onGiveUp(
  { signal, timeoutMs }: WaitLimits,
  timedOut: (timeoutMs: number) => unknown,
  giveUp: (error: unknown) => void,
): () => void {
  const stopWatching =
    signal === undefined ? nothing : onAbort(signal, () => giveUp(abortReason(signal)));
  const stopTimer =
    timeoutMs === undefined ? nothing : startTimer(timeoutMs, () => giveUp(timedOut(timeoutMs)));
  return () => {
    stopTimer();
    stopWatching();
  };
}
