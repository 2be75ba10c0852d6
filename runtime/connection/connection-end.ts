import { textOfThrown } from "../base/thrown.js";
import { causedBy, ConnectionClosedError } from "./call-errors.js";

/** How a connection ended. */
export interface ConnectionEnd {
  /** How the connection ended, as a sentence without a full stop. */
  readonly message: string;
  /** The error that ended the connection; undefined if there was none. */
  readonly error: Error | undefined;
}

/**
 * Describes the end of a connection.
 *
 * @param instead Describes the bytes that arrived instead of a message, as part of a sentence.
 */
export function endOf(detail?: string, error?: Error, instead = ""): ConnectionEnd {
  const having = instead === "" ? "" : `, having ${instead}`;
  const message = `the connection is closed${having}${detail === undefined ? "" : `: ${detail}`}`;
  return { message, error };
}

/** A call that has failed. */
export interface FailedCall {
  /** Name of the request or event. */
  readonly name: string;
  readonly error: unknown;
}

/**
 * Creates the error for a request or wait that is pending when the connection ends.
 *
 * @param failure Another call that failed in the meantime.
 * @param aim The attempted action, as a verb phrase.
 */
export function closedError(
  name: string,
  { message, error }: ConnectionEnd,
  failure?: FailedCall,
  aim = "get a response to",
): ConnectionClosedError {
  const sentence = withFailure(`Cannot ${aim} "${name}": ${message}`, failure);
  return new ConnectionClosedError(sentence, causedBy(error ?? failure?.error));
}

/** Adds another failure to an error message, because that failure may be the cause. */
export function withFailure(message: string, failure: FailedCall | undefined): string {
  return failure === undefined
    ? message
    : `${message}; meanwhile "${failure.name}" failed: ${textOfThrown(failure.error)}`;
}

/** Creates the error for a message that can no longer be sent. */
export function unsentError({ message, error }: ConnectionEnd): ConnectionClosedError {
  return new ConnectionClosedError(`Cannot send: ${message}`, causedBy(error));
}
