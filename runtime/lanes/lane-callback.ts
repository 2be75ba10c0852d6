/** Whether a value is a promise, or is waited for like one. Throws what reading it throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof (value as { readonly then?: unknown }).then === "function";
}

/** Takes what a callback has given: if it is a promise that is rejected, says with what. Never throws. */
export function watchResult(result: unknown, onRejected: (cause: unknown) => void): void {
  try {
    if (isThenable(result)) new Promise((settle) => settle(result)).catch(onRejected);
  } catch (cause) {
    onRejected(cause);
  }
}

/** Calls what nobody waits for; what it throws, at once or later, is nobody's concern. */
export function callQuietly(callback: () => unknown): void {
  try {
    watchResult(callback(), () => undefined);
  } catch {
    // Nobody is left to be told.
  }
}

/** What was thrown, as text. It may be anything, and even reading it may throw. */
export function textOfThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "Something without a text was thrown";
  }
}
