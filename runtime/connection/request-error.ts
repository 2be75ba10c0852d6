import { causedBy } from "./call-errors.js";
import { isBranded, setBrand } from "../base/branded-class.js";

/**
 * Why a request failed.
 *
 * - `ERR_REQUEST_FAILED`: the peer responded with a failure; see `response`
 * - `ERR_REQUEST_NOT_ANNOUNCED`: the peer has not announced the capability
 * - `ERR_RESULT`: the validator passed to `requestCustom` rejected the result
 * - `ERR_MIDDLEWARE`: a middleware dropped the request or its response
 */
export type RequestErrorCode =
  "ERR_REQUEST_FAILED" | "ERR_REQUEST_NOT_ANNOUNCED" | "ERR_RESULT" | "ERR_MIDDLEWARE";

/** Properties of a `RequestError`, in addition to its message. */
export interface RequestErrorOptions {
  readonly code: RequestErrorCode;
  readonly command: string;
  readonly response?: object | undefined;
  readonly cause?: unknown;
}

const requestErrorBrand = /* @__PURE__ */ Symbol.for("wirewright.RequestError");

/** Thrown when a request is refused or its result cannot be used. Check `code` for the reason. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** Name of the request. */
  readonly command: string;
  /** The failure response as received. */
  readonly response: object | undefined;

  constructor(message: string, { code, command, response, cause }: RequestErrorOptions) {
    super(message, causedBy(cause));
    this.code = code;
    this.command = command;
    this.response = response;
    setBrand(this, requestErrorBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, RequestError, requestErrorBrand, value);
  }
}

/** Creates the error for a request that was dropped by a middleware, or whose response was. */
export function lostError(command: string, text: string, cause?: unknown): RequestError {
  return new RequestError(text, { code: "ERR_MIDDLEWARE", command, cause });
}
