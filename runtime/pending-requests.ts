import { LatestEntries } from "./latest-entries.js";
import { RequestError } from "./request-error.js";

/** Numbers of requests that are over and remembered at most, half of them at least: what comes late can be told. */
const maxRemembered = 2_000;

interface Pending {
  readonly name: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RequestError) => void;
  readonly dispose: () => void;
}

/** Why a response answers nothing that waits. One to a request that was aborted is expected. */
export type StrayResponse =
  "ERR_RESPONSE_UNSOLICITED" | "ERR_RESPONSE_DOUBLE" | "ERR_RESPONSE_LATE" | "expected";

/** What makes a request be given up before its response. */
export interface GiveUpLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Requests that wait for their responses, by number. */
export class PendingRequests {
  readonly #pending = new Map<unknown, Pending>();
  readonly #over = new LatestEntries<unknown, StrayResponse>(maxRemembered);

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Lets a request wait until it is taken, aborted or out of time.
   *
   * @param onGiveUp Called when it is given up, so that the other side can be told.
   */
  add(
    number: number,
    request: Omit<Pending, "dispose">,
    limits: GiveUpLimits,
    onGiveUp: () => void,
  ): void {
    const { name, resolve, reject } = request;
    if (limits.signal === undefined && limits.timeoutMs === undefined) {
      this.#pending.set(number, { name, resolve, reject, dispose: nothing });
      return;
    }
    const giveUp = (error: RequestError): void => {
      const later = error.code === "ERR_REQUEST_ABORTED" ? "expected" : "ERR_RESPONSE_LATE";
      if (this.take(number, later) === undefined) return;
      onGiveUp();
      reject(error);
    };
    const dispose = whenOver(name, `the response to "${name}"`, limits, giveUp);
    this.#pending.set(number, { name, resolve, reject, dispose });
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
    this.#over.set(number, later);
    return pending;
  }

  /** Why a response to a request of that number answers nothing. */
  strayResponse(number: unknown): StrayResponse {
    const why = this.#over.get(number) ?? "ERR_RESPONSE_UNSOLICITED";
    if (why === "expected") this.#over.set(number, "ERR_RESPONSE_DOUBLE");
    return why;
  }

  /** Gives up all. */
  rejectAll(error: (name: string) => RequestError): void {
    for (const { name, reject, dispose } of this.#pending.values()) {
      dispose();
      reject(error(name));
    }
    this.#pending.clear();
  }
}

/**
 * Calls back once when a signal is aborted or a time is over; gives a function that ends that.
 *
 * @param what What is waited for, in words.
 */
export function whenOver(
  name: string,
  what: string,
  { signal, timeoutMs }: GiveUpLimits,
  giveUp: (error: RequestError) => void,
): () => void {
  const aborted = (): void => giveUp(abortedError(name, signal));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          const text = `Cannot wait longer for ${what}: ${timeoutMs} ms are over`;
          giveUp(new RequestError("ERR_REQUEST_TIMEOUT", name, text));
        }, timeoutMs);
  signal?.addEventListener("abort", aborted);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", aborted);
  };
}

function nothing(): void {}

export function abortedError(name: string, signal: AbortSignal | undefined): RequestError {
  const text = `The request "${name}" was given up`;
  return new RequestError("ERR_REQUEST_ABORTED", name, text, undefined, signal?.reason);
}

export function closedError(name: string): RequestError {
  const text = `Cannot get an answer to "${name}": the connection is closed`;
  return new RequestError("ERR_CONNECTION_CLOSED", name, text);
}
