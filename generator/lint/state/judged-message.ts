import type { MessageKind } from "../../session/message-kind.js";
import type { ByteMark } from "../../session/entries/recorded-entry.js";
import type { Fields } from "../../session/message-fields.js";

/** A location in a recording, for findings. */
export interface EntryPlace {
  /** Position of the message in its session, from 1. */
  readonly index: number;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** Role that sent the message. If that is unknown, the first role. */
  readonly from: string;
  readonly isFromKnown: boolean;
  readonly session: number | undefined;
  readonly time: number | undefined;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  /** JSON Pointers of the parts that the source of the recording omits. */
  readonly unknown: readonly string[] | undefined;
}

/** A request that is remembered, so that its responses are recognised. */
export interface SentRequest extends EntryPlace {
  readonly name: string;
  isAnswered: boolean;
}

/**
 * Why a response was not expected.
 *
 * - `unmatched`: no request had its id
 * - `double`: its request was already answered
 * - `misnamed`: its name is not the name of its request
 */
export type ResponseMismatch = "unmatched" | "double" | "misnamed";

/**
 * A message, with the values of its envelope and its relation to earlier messages of the session.
 */
export interface JudgedMessage extends EntryPlace {
  readonly kind: MessageKind;
  /** Quirks in the bytes of the message. */
  readonly bytes: readonly ByteMark[] | undefined;
  /** Name of the message. The name of a response is the name of its request. */
  readonly name: string | undefined;
  readonly fields: Fields;
  /** Name of the message's definition. Undefined if the protocol does not define the message. */
  readonly definition: string | undefined;
  /** Field that contains the parameters or the result. */
  readonly payloadField: string;
  /** Whether the message is a response to a request that failed. */
  readonly hasFailed: boolean;
  /** Only for responses: the request that the response answers, if that request is remembered. */
  readonly request: SentRequest | undefined;
  readonly mismatch: ResponseMismatch | undefined;
  /** Only for responses: milliseconds since the request, if known. */
  readonly latency: number | undefined;
}

/** Copies the location of a message, without its contents. */
export function placeIn(message: EntryPlace): EntryPlace {
  const { index, label, from, isFromKnown, session, time, offset, line, unknown } = message;
  return { index, label, from, isFromKnown, session, time, offset, line, unknown };
}
