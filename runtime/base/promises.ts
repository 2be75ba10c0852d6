/**
 * A value as a native promise if it is a promise of any kind: anything with a `then`. Never throws; what throws
 * when it is asked for its `then` is a rejected promise, as for `await`.
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

/** Hands on why the result of a callback was rejected, if it is a promise that is. */
export function onRejection(result: unknown, rejected: (cause: unknown) => void): void {
  if (result === undefined) return;
  asPromise(result)?.then(undefined, rejected);
}

/** Marks a promise as handled: those who do not look at it are told in another way. */
export function markHandled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

/** A promise, and the functions that settle it. */
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
