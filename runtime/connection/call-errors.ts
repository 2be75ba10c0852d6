import { isBranded, setBrand } from "../base/branded-class.js";

const timeoutBrand = /* @__PURE__ */ Symbol.for("wirewright.TimeoutError");
const closedBrand = /* @__PURE__ */ Symbol.for("wirewright.ConnectionClosedError");

/**
 * A wait took longer than its limit. If a call failed in the meantime, `cause` is the latest such
 * failure.
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
 * The connection ended before a call had finished. `cause` is the error that ended the connection.
 * If there was none, it is the latest earlier failure.
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

/** The options of an error with a cause; undefined without a cause. */
export function causedBy(cause: unknown): { readonly cause: unknown } | undefined {
  return cause === undefined ? undefined : { cause };
}
