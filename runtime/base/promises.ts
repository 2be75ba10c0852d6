/**
 * Converts any thenable to a native promise; returns undefined for other values. Never throws: as
 * with `await`, if reading `then` throws, the result is a rejected promise.
 */
export function asPromise(value: unknown): Promise<unknown> | undefined {
  if ((typeof value !== "object" || value === null) && typeof value !== "function")
    return undefined;
  try {
    const { then } = value as { readonly then?: unknown };
    return typeof then === "function" ? Promise.resolve(value) : undefined;
  } catch (error) {
    return markHandled(Promise.reject(error));
  }
}

/**
 * Calls a callback, and calls `failed` if it throws or returns a promise that rejects. By default,
 * its failures are ignored.
 */
export function callSafely(
  callback: () => unknown,
  failed: (cause: unknown) => void = nothing,
): void {
  try {
    const result = callback();
    if (result !== undefined) asPromise(result)?.then(undefined, failed);
  } catch (cause) {
    failed(cause);
  }
}

/** Prevents an unhandled rejection. Use this if the error is also reported in some other way. */
export function markHandled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

/** Creates a promise, and returns it together with the functions that settle it. */
export function deferred<Result>(): {
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve!: (result: Result) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Result>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

export function nothing(): void {}

/**
 * Makes `await using` call a function at the end of the block, if the host supports
 * `Symbol.asyncDispose`.
 */
export function setAsyncDispose(target: object, dispose: () => Promise<unknown>): void {
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  if (asyncDispose !== undefined)
    Object.defineProperty(target, asyncDispose, { value: () => dispose().then(() => undefined) });
}
