import { LatestEntries } from "../base/latest-entries.js";
import { RequestError } from "./request-error.js";
import { markHandled } from "../base/promises.js";
import { onAbort, startTimer } from "../base/waiting-limits.js";

/** Numbers of requests that are over and remembered at most, half of them at least: what comes late can be told. */
const maxFinished = 2_000;

/** Numbers of our cancels that are remembered at most. Nothing else is kept of them. */
const maxCancels = 20_000;

interface Pending {
  readonly name: string;
  readonly promise: Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly dispose: () => void;
}

/** Why a response answers nothing that waits. */
export type StrayResponse =
  "ERR_RESPONSE_UNSOLICITED" | "ERR_RESPONSE_DOUBLE" | "ERR_RESPONSE_LATE";

/** What makes a request be given up before its response. */
export interface WaitLimits {
  readonly signal?: AbortSignal | undefined;
  /** As `readTimeout` returns it. */
  readonly timeoutMs?: number | undefined;
}

/** Requests that wait for their responses, by number. */
export class PendingRequests {
  readonly #pending = new Map<unknown, Pending>();
  /** What a response to a request that is over would be; `expected` where the other side was told to cancel it. */
  readonly #finished = new LatestEntries<unknown, StrayResponse | "expected">(maxFinished);
  readonly #cancels = new LatestEntries<unknown, true>(maxCancels);

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Lets a request wait until it is taken, aborted or out of time.
   *
   * @param cancel Called when it is given up; returns whether the other side was told to cancel it.
   */
  add(
    number: number,
    request: Omit<Pending, "dispose">,
    limits: WaitLimits,
    cancel: () => boolean,
  ): void {
    const { name, promise, resolve, reject } = request;
    if (limits.signal === undefined && limits.timeoutMs === undefined) {
      this.#pending.set(number, { name, promise, resolve, reject, dispose: nothing });
      return;
    }
    const giveUp = (error: RequestError): void => {
      if (this.take(number, "ERR_RESPONSE_LATE") === undefined) return;
      if (cancel()) this.#finished.set(number, "expected");
      reject(error);
    };
    const dispose = onGiveUp(name, `the response to "${name}"`, limits, giveUp);
    this.#pending.set(number, { name, promise, resolve, reject, dispose });
  }

  /** Remembers a cancel of ours, so that its response is not taken for a stray one. */
  addCancel(number: number): void {
    this.#cancels.set(number, true);
  }

  /** Takes a request out; undefined if none of that number waits. */
  take(
    number: unknown,
    later: StrayResponse = "ERR_RESPONSE_DOUBLE",
  ): Omit<Pending, "dispose"> | undefined {
    const pending = this.#pending.get(number);
    if (pending === undefined) return undefined;
    this.#pending.delete(number);
    pending.dispose();
    this.#finished.set(number, later);
    return pending;
  }

  /**
   * Why a response to a request of that number answers nothing; undefined if it was to be expected: it
   * answers a cancel of ours, or a request that the other side was told to cancel.
   */
  strayResponse(number: unknown): StrayResponse | undefined {
    const isCancel = this.#cancels.get(number) === true;
    const why = isCancel ? "expected" : this.#finished.get(number);
    if (why !== "expected") return why ?? "ERR_RESPONSE_UNSOLICITED";
    this.#cancels.delete(number);
    this.#finished.set(number, "ERR_RESPONSE_DOUBLE");
    return undefined;
  }

  /** Gives up all. Those who do not look at their requests learn of it from `closed`. */
  rejectAll(error: (name: string) => RequestError): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { name, promise, reject, dispose } of all) {
      dispose();
      void markHandled(promise);
      reject(error(name));
    }
  }
}

/**
 * Calls back once when a signal is aborted or a time is over; returns a function that ends that.
 *
 * @param what What is waited for, in words.
 */
export function onGiveUp(
  name: string,
  what: string,
  { signal, timeoutMs }: WaitLimits,
  giveUp: (error: RequestError) => void,
): () => void {
  const stopWatching =
    signal === undefined ? nothing : onAbort(signal, () => giveUp(abortedError(name, signal)));
  const stopTimer =
    timeoutMs === undefined
      ? nothing
      : startTimer(timeoutMs, () => {
          const text = `Cannot wait longer for ${what}: ${timeoutMs} ms are over`;
          giveUp(new RequestError("ERR_REQUEST_TIMEOUT", name, text));
        });
  return () => {
    stopTimer();
    stopWatching();
  };
}

function nothing(): void {}

export function abortedError(name: string, signal: AbortSignal | undefined): RequestError {
  const text = `The request "${name}" was given up`;
  return new RequestError("ERR_REQUEST_ABORTED", name, text, undefined, signal?.reason);
}
