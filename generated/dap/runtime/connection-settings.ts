import type { ConversationTable } from "./conversation.js";
import type { FrameDecoderOptions } from "./frame-decoder.js";
import type { Dialect } from "./frame-encoder.js";
import type { FrameErrorCode } from "./frame-errors.js";
import type { JsonProtocolTable, MessageFacts } from "./protocol-table.js";

/**
 * What can go wrong in a conversation without ending it.
 *
 * - `ERR_MESSAGE_KIND`: a message that is neither request, event nor response
 * - `ERR_RESPONSE_UNSOLICITED`: a response to nothing that was asked
 * - `ERR_RESPONSE_DOUBLE`: a second response to the same request
 * - `ERR_RESPONSE_LATE`: a response to a request that was given up
 * - `ERR_EVENT_HANDLER`: a listener threw; `cause` is what
 * - `ERR_REQUEST_HANDLER`: a handler threw something other than a `Refusal`; the request was answered
 * - `ERR_NOT_ANNOUNCED`: a request was sent that the other side has not announced
 * - `ERR_TRANSPORT`: reading or writing failed
 */
export type ProblemCode =
  | "ERR_MESSAGE_KIND"
  | "ERR_RESPONSE_UNSOLICITED"
  | "ERR_RESPONSE_DOUBLE"
  | "ERR_RESPONSE_LATE"
  | "ERR_EVENT_HANDLER"
  | "ERR_REQUEST_HANDLER"
  | "ERR_NOT_ANNOUNCED"
  | "ERR_TRANSPORT";

/** Something that went wrong and did not end the connection. */
export interface Problem {
  readonly code: ProblemCode | FrameErrorCode;
  /** Sentence for people. */
  readonly text: string;
  /** The message that it is about, if it is about one. */
  readonly message?: object;
  readonly cause?: unknown;
}

/** Looks at what goes through, or changes it. */
export interface Middleware {
  /** A message on its way out: gives the one to send, or nothing to hold it back. */
  beforeSend?(message: object): object | undefined;
  /** What was written. The bytes are valid during the call. */
  afterSend?(message: object, bytes: Uint8Array): void;
  /** A message that arrived, with its frame's bytes: gives the one to deal with, or nothing to drop it. */
  afterReceive?(message: object, bytes: Uint8Array): object | undefined;
}

export interface RequestOptions {
  /** Gives the request up; the other side is told to cancel it, if it can. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which it is given up. */
  readonly timeoutMs?: number;
}

/** What a handler of requests is told besides the parameters. */
export interface RequestContext {
  /** Aborted when the other side cancels the request, and when the connection closes. */
  readonly signal: AbortSignal;
  readonly request: object;
}

export type AnyRequestHandler = (parameters: never, context: RequestContext) => unknown;

export interface ConnectionSettings extends Pick<
  FrameDecoderOptions,
  "limits" | "recovery" | "invalidUtf8" | "onNoise"
> {
  /** Handlers of requests by name. Other requests are answered with a failure. */
  readonly handlers?: { readonly [name: string]: AnyRequestHandler | undefined };
  /** Milliseconds after which requests are given up. Default: never. */
  readonly timeoutMs?: number;
  /** What becomes of requests that the other side has not announced. Default: `send`. */
  readonly gates?: "refuse" | "warn" | "send";
  readonly middleware?: readonly Middleware[];
  /** What the other side speaks, if not the protocol to the letter. */
  readonly dialect?: Dialect;
  /** Called with each message before it is encoded; throw to refuse it. */
  readonly check?: (message: object) => void;
  readonly onProblem?: (problem: Problem) => void;
  /** Called with messages that nobody listens to: events without a listener. */
  readonly onUnhandled?: (message: object) => void;
  /** Requests of the other side that may be at work; beyond them reading waits. Default: 1,000. */
  readonly maxAnswering?: number;
}

/** A protocol as a connection needs it. */
export interface ConnectionProtocol {
  readonly protocol: JsonProtocolTable & { readonly conversation: ConversationTable };
  readonly requests: { readonly [name: string]: MessageFacts };
}
