import type { Dialect } from "../../generator/model/protocol.js";
import type { Fields, MessageKind } from "../read/message-reader.js";
import type { ByteMark } from "../read/recorded-entry.js";
import { shortName } from "../read/remembered.js";

/** A location in a recording, for findings. */
export interface EntryPlace {
  /** Position of the message in its session, counting from 1. */
  readonly index: number;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** Role that sent the message, or the first role if the sender is unknown. */
  readonly from: string;
  readonly isFromKnown: boolean;
  readonly session: number | undefined;
  readonly time: number | undefined;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  /** JSON Pointers to the parts that the recording's source omits. */
  readonly unknown: readonly string[] | undefined;
}

/** A request that is remembered so that its responses can be recognised. */
export interface SentRequest extends EntryPlace {
  readonly name: string;
  /** The parameters. Undefined once the request has been answered. */
  body: unknown;
  isAnswered: boolean;
}

/**
 * Why a response was not expected.
 *
 * - `unmatched`: no request has this id
 * - `double`: its request was already answered
 * - `misnamed`: its name differs from its request's name
 */
export type ResponseMismatch = "unmatched" | "double" | "misnamed";

/**
 * A message, with the values from its envelope and its relation to earlier messages in the session.
 */
export interface JudgedMessage extends EntryPlace {
  readonly kind: MessageKind;
  /** Quirks in the message's bytes. */
  readonly bytes: readonly ByteMark[] | undefined;
  /** Name of the message. For a response, the name of its request. */
  readonly name: string | undefined;
  /** The selectors in rule tables that match the message. */
  readonly selectors: readonly string[];
  readonly fields: Fields;
  /** The message as its sender wrote it. Differs from `fields` if it is in a dialect. */
  readonly written: Fields;
  /** The dialect that the message is written in. */
  readonly dialect: Dialect | undefined;
  /** Name of the message's definition. Undefined if the protocol does not define the message. */
  readonly definition: string | undefined;
  /** Field that contains the parameters or the result. */
  readonly payloadField: string;
  /** The parameters or the result. Empty if there are none. */
  readonly body: unknown;
  /** Whether the message is the response to a failed request. */
  readonly hasFailed: boolean;
  /** Only for responses: the request being answered, if it is remembered. */
  readonly request: SentRequest | undefined;
  readonly mismatch: ResponseMismatch | undefined;
  /** Only for responses: milliseconds since the request, if known. */
  readonly latency: number | undefined;
}

/** Creates the record of a request, which does not retain the rest of the message. */
export function sentRequest(message: JudgedMessage): SentRequest {
  const { name = "", body } = message;
  return Object.assign(placeIn(message), { name: shortName(name), body, isAnswered: false });
}

/** Copies the location of a message, without its contents. */
export function placeIn(message: EntryPlace): EntryPlace {
  const { index, label, from, isFromKnown, session, time, offset, line, unknown } = message;
  return { index, label, from, isFromKnown, session, time, offset, line, unknown };
}
