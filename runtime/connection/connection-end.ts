import { RequestError } from "./request-error.js";

/** How a connection ended. */
export interface ConnectionEnd {
  /** A sentence without a full stop. */
  readonly text: string;
  /** The error, if it ended because of one. */
  readonly error: Error | undefined;
}

/** @param instead What has arrived instead of a message, as a part of a sentence. */
export function endOf(detail?: string, error?: Error, instead = ""): ConnectionEnd {
  const having = instead === "" ? "" : `, having ${instead}`;
  const text = `the connection is closed${having}${detail === undefined ? "" : `: ${detail}`}`;
  return { text, error };
}

/**
 * The error of a request or wait that is pending.
 *
 * @param failure Another call that has failed meanwhile.
 */
export function closedError(
  name: string,
  { text, error }: ConnectionEnd,
  failure?: RequestError,
): RequestError {
  const message = withFailure(`Cannot get a response to "${name}": ${text}`, failure);
  return new RequestError("ERR_CONNECTION_CLOSED", name, message, undefined, error ?? failure);
}

/** Adds to the message of an error what else has failed, which may be the reason. */
export function withFailure(message: string, failure: RequestError | undefined): string {
  return failure === undefined
    ? message
    : `${message}; meanwhile "${failure.command}" failed: ${failure.message}`;
}

/** The error of a message that can no longer be sent. */
export function unsentError(name: string, { text, error }: ConnectionEnd): RequestError {
  const message = `Cannot send "${name}": ${text}`;
  return new RequestError("ERR_CONNECTION_CLOSED", name, message, undefined, error);
}
