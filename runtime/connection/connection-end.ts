import { RequestError } from "./request-error.js";

/** How a connection came to its end. */
export interface ConnectionEnd {
  /** Sentence without a full stop. */
  readonly text: string;
  /** What went wrong, if something did. */
  readonly error: Error | undefined;
}

/** The end of a connection, with what is known of it. */
export function endOf(detail?: string, error?: Error): ConnectionEnd {
  const text = `the connection is closed${detail === undefined ? "" : `: ${detail}`}`;
  return { text, error };
}

/** What waits for an answer is given up. */
export function closedError(name: string, { text, error }: ConnectionEnd): RequestError {
  const message = `Cannot get an answer to "${name}": ${text}`;
  return new RequestError("ERR_CONNECTION_CLOSED", name, message, undefined, error);
}

/** What is to be sent cannot be sent any more. */
export function unsentError(name: string, { text, error }: ConnectionEnd): RequestError {
  const message = `Cannot send "${name}": ${text}`;
  return new RequestError("ERR_CONNECTION_CLOSED", name, message, undefined, error);
}
