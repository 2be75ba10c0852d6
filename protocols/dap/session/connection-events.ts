import type { Connection } from "../../../generated/dap/connection.js";

/** Calls a function once a connection has ended. */
export function whenClosed(
  { closed }: Connection<"client">,
  callback: (error: Error | undefined) => void,
): void {
  inBackground(closed.then(callback));
}

/** Ignores the outcome of a promise whose failure is reported in some other way. */
export function inBackground(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
