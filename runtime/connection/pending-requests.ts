import { LatestEntries } from "../base/latest-entries.js";
import { closedError, type ConnectionEnd } from "./connection-end.js";
import type { CallStart, FailedCalls } from "./failed-calls.js";
import { markHandled, nothing } from "../base/promises.js";
import { abortReason, onAbort, startTimer } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";

/**
 * How many settled requests to remember (1,000 to 2,000) to recognise late and duplicate responses.
 */
const maxFinished = 2_000;

/** How many of our own cancel requests to remember. Only their ids are stored. */
const maxCancels = 20_000;

interface Call {
  readonly name: string;
  readonly promise: Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that is awaiting its response or has just stopped waiting. */
export interface PendingRequest extends Call {
  readonly dispose: () => void;
  readonly start: CallStart;
  /** Why the request was cancelled, for as long as its response is pending. */
  abortedBy?: { readonly reason: unknown };
}

/** The problem with a response that does not match a pending request. */
export type StrayResponse =
  "ERR_RESPONSE_UNSOLICITED" | "ERR_RESPONSE_DOUBLE" | "ERR_RESPONSE_LATE";

/** Conditions that end a wait before the response arrives. */
export interface WaitLimits {
  readonly signal?: Signal | undefined;
  /** Timeout in milliseconds, as returned by `limitOf`. */
  readonly timeoutMs?: number | undefined;
  /** Whether to wait for the response even after asking the peer to cancel the request. */
  readonly acceptsPartial?: boolean | undefined;
}

/** Requests awaiting their responses, by id. */
export class PendingRequests {
  readonly #failedCalls: FailedCalls;
  readonly #pending = new Map<unknown, PendingRequest>();
  /**
   * The problem to report if a response to a settled request arrives, or `expected` if the peer was
   * asked to cancel that request.
   */
  readonly #finished = new LatestEntries<unknown, StrayResponse | "expected">(maxFinished);
  readonly #cancels = new LatestEntries<unknown, true>(maxCancels);

  constructor(failedCalls: FailedCalls) {
    this.#failedCalls = failedCalls;
  }

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Adds a request, which waits until it is taken, is aborted or times out.
   *
   * @param cancel Called when the wait ends early. Returns whether the peer was asked to cancel the
   * request.
   */
  add(number: number, request: Call, limits: WaitLimits, cancel: () => boolean): void {
    const { name, promise, resolve, reject } = request;
    const start = this.#failedCalls.now;
    let dispose = nothing;
    if (limits.signal !== undefined || limits.timeoutMs !== undefined) {
      const giveUp = (error: unknown): void => {
        const waiting = this.#pending.get(number);
        if (waiting === undefined) return;
        const wasCancelled = waiting.abortedBy !== undefined;
        const isCancelled = wasCancelled || cancel();
        if (isCancelled && !wasCancelled && limits.acceptsPartial === true) {
          waiting.abortedBy = { reason: error };
          return;
        }
        const taken = this.take(number, "ERR_RESPONSE_LATE");
        if (taken === undefined) return;
        if (isCancelled) this.#finished.set(number, "expected");
        this.reject(taken, error);
      };
      const timedOut = (timeoutMs: number): unknown =>
        this.#failedCalls.timeout(`the response to "${name}"`, timeoutMs, start);
      dispose = onGiveUp(limits, timedOut, giveUp);
    }
    this.#pending.set(number, { name, promise, resolve, reject, dispose, start });
  }

  /** Rejects a request that is no longer pending. */
  reject({ name, promise, reject, start, abortedBy }: PendingRequest, cause: unknown): void {
    const error = abortedBy === undefined ? cause : abortedBy.reason;
    this.#failedCalls.add({ name, error }, promise, start);
    reject(error);
  }

  /** Remembers one of our own cancel requests, so that the response to it is not reported. */
  addCancel(number: number): void {
    this.#cancels.set(number, true);
  }

  /** Removes and returns the pending request with an id, or undefined if there is none. */
  take(number: unknown, later: StrayResponse = "ERR_RESPONSE_DOUBLE"): PendingRequest | undefined {
    const pending = this.#pending.get(number);
    if (pending === undefined) return undefined;
    this.#pending.delete(number);
    pending.dispose();
    this.#finished.set(number, later);
    return pending;
  }

  /**
   * Returns the problem with a response that matches no pending request. Returns undefined if the
   * response was expected, because it answers one of our own cancel requests or a request that the
   * peer was asked to cancel.
   */
  strayResponse(number: unknown): StrayResponse | undefined {
    const isCancel = this.#cancels.get(number) === true;
    const why = isCancel ? "expected" : this.#finished.get(number);
    if (why !== "expected") return why ?? "ERR_RESPONSE_UNSOLICITED";
    this.#cancels.delete(number);
    this.#finished.set(number, "ERR_RESPONSE_DOUBLE");
    return undefined;
  }

  /** Rejects all requests. Callers that ignore the promise find the reason in `closed`. */
  rejectAll(end: ConnectionEnd): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { name, promise, reject, dispose, start } of all) {
      dispose();
      void markHandled(promise);
      reject(closedError(name, end, this.#failedCalls.since(start)));
    }
  }
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
