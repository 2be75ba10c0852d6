import { isBranded, setBrand } from "../base/branded-class.js";

const timeoutBrand = /* @__PURE__ */ Symbol.for("wirewright.TimeoutError");
const closedBrand = /* @__PURE__ */ Symbol.for("wirewright.ConnectionClosedError");

/** A wait took longer than its limit. Its `cause` is the latest failure in the meantime, if there was one. */
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
 * The connection ended before a call was done. Its `cause` is the error that ended the connection, or the latest
 * failure before, if there was one.
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

/** The options of an error with this cause; empty without a cause. */
export function causedBy(cause: unknown): { readonly cause: unknown } | undefined {
  return cause === undefined ? undefined : { cause };
}
