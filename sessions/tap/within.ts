/**
 * Waits for a promise, but no longer than the given number of milliseconds. Resolves to `late` if
 * the promise takes longer.
 */
export function within<Value, Late>(
  promise: Promise<Value>,
  mostMs: number,
  late: Late,
): Promise<Value | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), mostMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
