/** Whether a value is a thenable. Throws if reading `then` throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof (value as { readonly then?: unknown }).then === "function";
}

/** Calls `onRejected` if the result of a callback is a promise that rejects. Never throws. */
export function watchResult(result: unknown, onRejected: (cause: unknown) => void): void {
  try {
    if (isThenable(result)) new Promise((settle) => settle(result)).catch(onRejected);
  } catch (cause) {
    onRejected(cause);
  }
}

/** Calls a callback and ignores its exceptions and rejections. */
export function callQuietly(callback: () => unknown): void {
  try {
    watchResult(callback(), () => undefined);
  } catch {
    // There is nowhere left to report it.
  }
}

/** The message of a thrown value of any type. Never throws. */
export function textOfThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "A value without a message was thrown";
  }
}
