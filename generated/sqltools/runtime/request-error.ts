/**
 * Why a request came to nothing.
 *
 * - `ERR_REQUEST_FAILED`: the other side said so; `response` is what it said
 * - `ERR_REQUEST_TIMEOUT`: no response in the time given
 * - `ERR_REQUEST_ABORTED`: its signal was aborted
 * - `ERR_REQUEST_NOT_ANNOUNCED`: the other side has not announced that it can do this
 * - `ERR_CONNECTION_CLOSED`: the connection ended
 */
export type RequestErrorCode =
  | "ERR_REQUEST_FAILED"
  | "ERR_REQUEST_TIMEOUT"
  | "ERR_REQUEST_ABORTED"
  | "ERR_REQUEST_NOT_ANNOUNCED"
  | "ERR_CONNECTION_CLOSED";

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
}

/** Whether a handler threw a refusal, be it one of another copy of this module. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && (error as { code?: unknown }).code === "ERR_REFUSAL";
}

/** Fills the variables of a text in; what is in braces and no variable stays. */
export function fillIn(format: string, variables: unknown): string {
  if (typeof variables !== "object" || variables === null) return format;
  return format.replace(/\{([^{}]*)\}/g, (placeholder, name: string) =>
    Object.hasOwn(variables, name)
      ? String((variables as Record<string, unknown>)[name])
      : placeholder,
  );
}
