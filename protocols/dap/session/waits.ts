import { abortReason, deferred, onAbort, startTimer, TimeoutError } from "@wirewright/runtime";
import type { WaitOptions } from "./wait-options.js";

/** Pending calls, each of which waits until a test returns a result. */
export class Waits {
  readonly #checks = new Set<() => void>();
  readonly #failures = new Set<(error: unknown) => void>();

  /**
   * Waits until `test` returns a result, starting with an immediate test.
   *
   * @param what Describes the awaited condition in the error.
   * @throws Rejects with TimeoutError, the signal's abort reason, or an exception thrown by the
   * test.
   */
  wait<Result>(
    what: string,
    test: () => Result | undefined,
    { signal, timeoutMs = 0 }: WaitOptions,
  ): Promise<Result> {
    const { promise, resolve, reject } = deferred<Result>();
    const finish = (): void => {
      stopTimer();
      stopWatching?.();
      this.#checks.delete(check);
      this.#failures.delete(fail);
    };
    const fail = (error: unknown): void => {
      finish();
      reject(error);
    };
    const aborted = (): void => fail(abortReason(signal!));
    const check = (): void => {
      try {
        const result = test();
        if (result === undefined) return;
        resolve(result);
      } catch (error) {
        reject(error);
      }
      finish();
    };
    const limit = timeoutMs === 0 ? Infinity : timeoutMs;
    const stopTimer = startTimer(limit, () =>
      fail(new TimeoutError(`Timed out after ${limit} ms waiting for ${what}`)),
    );
    const stopWatching = signal === undefined ? undefined : onAbort(signal, aborted);
    this.#checks.add(check);
    this.#failures.add(fail);
    if (signal?.aborted === true) aborted();
    else check();
    return promise;
  }

  /** Rejects all pending calls. */
  fail(error: unknown): void {
    for (const fail of [...this.#failures]) fail(error);
  }

  /** Re-runs the tests of all pending calls. */
  check(): void {
    for (const check of [...this.#checks]) check();
  }
}
