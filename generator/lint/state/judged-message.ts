import type { MessageKind } from "../../session/message-kind.js";
import type { ByteMark } from "../../session/entries/recorded-entry.js";
import type { Fields } from "../../session/message-fields.js";

/** A location in a recording, for findings. */
export interface EntryPlace {
  /** Number of the message in its session, from 1. */
  readonly index: number;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** Role that sent the message; the first role if that is unknown. */
  readonly from: string;
  readonly isFromKnown: boolean;
  readonly session: number | undefined;
  readonly time: number | undefined;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  /** JSON Pointers of the parts that the source omits. */
  readonly unknown: readonly string[] | undefined;
}

/** A request whose responses are still recognized. */
export interface SentRequest extends EntryPlace {
  readonly name: string;
  isAnswered: boolean;
}

/**
 * Why a response was not expected.
 *
 * - `unmatched`: no request had its id
 * - `double`: its request already has a response
 * - `misnamed`: it does not name the request that it answers
 */
export type ResponseMismatch = "unmatched" | "double" | "misnamed";

/** A message, with the values of its envelope and of the session before it. */
export interface JudgedMessage extends EntryPlace {
  readonly kind: MessageKind;
  /** Quirks of its bytes. */
  readonly bytes: readonly ByteMark[] | undefined;
  /** Name of the message. The name of a response is the name of its request. */
  readonly name: string | undefined;
  readonly fields: Fields;
  /** Definition of the message; undefined if the protocol does not define it. */
  readonly definition: string | undefined;
  /** Field with its parameters or its result. */
  readonly payloadField: string;
  /** Whether the message is a response to a request that failed. */
  readonly hasFailed: boolean;
  /** The request that it answers, if it is a response and the request is remembered. */
  readonly request: SentRequest | undefined;
  readonly mismatch: ResponseMismatch | undefined;
  /** Milliseconds since its request, if it is a response and that is known. */
  readonly latency: number | undefined;
}

/** The place of a message, without its contents. */
export function placeIn(message: EntryPlace): EntryPlace {
  const { index, label, from, isFromKnown, session, time, offset, line, unknown } = message;
  return { index, label, from, isFromKnown, session, time, offset, line, unknown };
}
