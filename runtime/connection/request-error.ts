import { isBranded } from "../base/branded-class.js";
import { textOfThrown } from "../base/thrown.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";

/**
 * Why a request came to nothing.
 *
 * - `ERR_REQUEST_FAILED`: the other side said so; `response` is what it said
 * - `ERR_REQUEST_TIMEOUT`: no response in the time given
 * - `ERR_REQUEST_ABORTED`: its signal was aborted
 * - `ERR_REQUEST_NOT_ANNOUNCED`: the other side has not announced that it can do this
 * - `ERR_CONNECTION_CLOSED`: the connection ended; `cause` is what went wrong, if something did
 * - `ERR_MIDDLEWARE`: a middleware held it back, or kept its response from arriving
 */
export type RequestErrorCode =
  | "ERR_REQUEST_FAILED"
  | "ERR_REQUEST_TIMEOUT"
  | "ERR_REQUEST_ABORTED"
  | "ERR_REQUEST_NOT_ANNOUNCED"
  | "ERR_CONNECTION_CLOSED"
  | "ERR_MIDDLEWARE";

const requestErrorBrand: unique symbol = /* @__PURE__ */ Symbol.for("wirewright.RequestError");
const refusalBrand: unique symbol = /* @__PURE__ */ Symbol.for("wirewright.Refusal");

/** A request that came to nothing. Match on `code`. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** Name of the request. */
  readonly command: string;
  /** The response of a request that failed, as it arrived. */
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
  }

  get [requestErrorBrand](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, RequestError, requestErrorBrand, value);
  }
}

/** A middleware keeps a request, or its response, from arriving. */
export function lostError(name: string, text: string, cause?: unknown): RequestError {
  return new RequestError("ERR_MIDDLEWARE", name, text, undefined, cause);
}

/**
 * Throw it in a handler to say why a request fails: `fields` are merged into the failure response, such as a
 * code or an explanation of one's own.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code = "ERR_REFUSAL";
  readonly fields: { readonly [field: string]: unknown };

  constructor(message: string, fields: { readonly [field: string]: unknown } = {}) {
    super(message);
    this.fields = fields;
  }

  get [refusalBrand](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, Refusal, refusalBrand, value);
  }
}

/** Whether a handler threw a refusal, be it one of another copy of this module. Never throws. */
export function isRefusal(error: unknown): error is Refusal {
  try {
    return error instanceof Error && (error as { code?: unknown }).code === "ERR_REFUSAL";
  } catch {
    return false;
  }
}

/** The fields of a refusal; undefined if it is none. Never throws. */
export function refusalFields(error: unknown): AnyFields | undefined {
  try {
    return isRefusal(error) && isObject(error.fields) ? error.fields : undefined;
  } catch {
    return undefined;
  }
}

/** Characters of a text with its variables filled in, at most: they may stand in it any number of times. */
const maxFilledIn = 65_536;

/** Fills the variables of a text in; what is in braces and no variable stays. Never throws. */
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
