import { isBranded, setBrand } from "../../../generated/dap/runtime/index.js";

const brand = /* @__PURE__ */ Symbol.for("wirewright.SessionAssertionError");

/**
 * Thrown when a session does not behave as expected. Like an `AssertionError`, the error has the
 * properties `name`, `code`, `actual` and `expected`, so that test runners show a diff. The message
 * ends with an account of the session.
 */
export class SessionAssertionError extends Error {
  override readonly name = "AssertionError";
  readonly code = "ERR_ASSERTION";
  readonly actual: unknown;
  readonly expected: unknown;
  /** The message without the account. */
  readonly summary: string;
  /** The last events and output. */
  readonly account: string;

  constructor(
    summary: string,
    account: string,
    values: {
      readonly actual?: unknown;
      readonly expected?: unknown;
      readonly cause?: unknown;
    } = {},
  ) {
    super(
      `${summary}\n${account}`,
      values.cause === undefined ? undefined : { cause: values.cause },
    );
    this.actual = values.actual;
    this.expected = values.expected;
    this.summary = summary;
    this.account = account;
    setBrand(this, brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, SessionAssertionError, brand, value);
  }
}
