import { isBranded, setBrand } from "../base/branded-class.js";
import { textOfThrown } from "../base/thrown.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";

/**
 * Why a request failed.
 *
 * - `ERR_REQUEST_FAILED`: the peer responded with a failure, see `response`
 * - `ERR_REQUEST_TIMEOUT`: no response within the timeout
 * - `ERR_REQUEST_ABORTED`: its signal was aborted
 * - `ERR_REQUEST_NOT_ANNOUNCED`: the peer has not announced the capability
 * - `ERR_CONNECTION_CLOSED`: the connection ended; `cause` is the error, if it ended because of one
 * - `ERR_MIDDLEWARE`: a middleware held the request back or dropped its response
 */
export type RequestErrorCode =
  | "ERR_REQUEST_FAILED"
  | "ERR_REQUEST_TIMEOUT"
  | "ERR_REQUEST_ABORTED"
  | "ERR_REQUEST_NOT_ANNOUNCED"
  | "ERR_CONNECTION_CLOSED"
  | "ERR_MIDDLEWARE";

const requestErrorBrand = /* @__PURE__ */ Symbol.for("wirewright.RequestError");
const refusalBrand = /* @__PURE__ */ Symbol.for("wirewright.Refusal");

/** A request failed. Match on `code`. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** Name of the request. */
  readonly command: string;
  /** The failure response, as it arrived. */
  readonly response: object | undefined;

  constructor(
    code: RequestErrorCode,
    command: string,
    message: string,
    response?: object,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.command = command;
    this.response = response;
    setBrand(this, requestErrorBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, RequestError, requestErrorBrand, value);
  }
}

/** The error of a request that a middleware held back, or whose response it dropped. */
export function lostError(name: string, text: string, cause?: unknown): RequestError {
  return new RequestError("ERR_MIDDLEWARE", name, text, undefined, cause);
}

/**
 * Throw this in a request handler to refuse the request. `fields` are merged into the failure
 * response, for example an error code.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code = "ERR_REFUSAL";
  readonly fields: { readonly [field: string]: unknown };

  constructor(message: string, fields: { readonly [field: string]: unknown } = {}) {
    super(message);
    this.fields = fields;
    setBrand(this, refusalBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, Refusal, refusalBrand, value);
  }
}

/** Whether an error is a `Refusal`, possibly of another copy of this module. Never throws. */
export function isRefusal(error: unknown): error is Refusal {
  try {
    return error instanceof Error && (error as { code?: unknown }).code === "ERR_REFUSAL";
  } catch {
    return false;
  }
}

/** The fields of a `Refusal`, or undefined. Never throws. */
export function refusalFields(error: unknown): AnyFields | undefined {
  try {
    return isRefusal(error) && isObject(error.fields) ? error.fields : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Maximum length of a message after substitution, because a variable may occur any number of times.
 */
const maxFilledIn = 65_536;

/** Substitutes `{name}` in a text. Unknown names are left as they are. Never throws. */
export function fillIn(format: string, variables: unknown): string {
  if (typeof variables !== "object" || variables === null) return format;
  let text = "";
  let at = 0;
  for (const { 0: placeholder, 1: name, index } of format.matchAll(/\{([^{}]*)\}/g)) {
    if (!Object.hasOwn(variables, name!)) continue;
    text += format.slice(at, index) + textOfThrown((variables as AnyFields)[name!]);
    at = index + placeholder.length;
    if (text.length > maxFilledIn) return `${text.slice(0, maxFilledIn)}…`;
  }
  return text + format.slice(at);
}
