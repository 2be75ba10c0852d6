import { isBranded, setBrand } from "../base/errors.js";

const timeoutBrand = /* @__PURE__ */ Symbol.for("wirewright.TimeoutError");
const closedBrand = /* @__PURE__ */ Symbol.for("wirewright.ConnectionClosedError");

/**
 * Thrown when a wait exceeds its timeout. If another call failed in the meantime, `cause` is the
 * latest such failure.
 */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly code = "ERR_TIMEOUT";

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    setBrand(this, timeoutBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, TimeoutError, timeoutBrand, value);
  }
}

/**
 * Thrown when the connection ends before a call has completed. `cause` is the error that ended the
 * connection or, if there was none, the latest earlier failure.
 */
export class ConnectionClosedError extends Error {
  override readonly name = "ConnectionClosedError";
  readonly code = "ERR_CONNECTION_CLOSED";

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    setBrand(this, closedBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, ConnectionClosedError, closedBrand, value);
  }
}

/** Returns the options for an error with a cause, or undefined if there is none. */
export function causedBy(cause: unknown): { readonly cause: unknown } | undefined {
  return cause === undefined ? undefined : { cause };
}
