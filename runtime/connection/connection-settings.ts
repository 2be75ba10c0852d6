import type { FrameDecoderOptions } from "../frames/decoder-options.js";
import type { Dialect } from "../frames/frame-encoder.js";
import type { FrameErrorCode } from "../frames/frame-errors.js";
import type {
  ConversationTable,
  JsonProtocolTable,
  MessageFacts,
} from "../protocol/protocol-table.js";

/**
 * What can go wrong in a conversation.
 *
 * - `ERR_MESSAGE_KIND`: a message that is neither request, event nor response
 * - `ERR_RESPONSE_UNSOLICITED`: a response to nothing that was asked
 * - `ERR_RESPONSE_DOUBLE`: a second response to the same request
 * - `ERR_RESPONSE_LATE`: a response to a request that was given up, and that the other side was not told to cancel
 * - `ERR_EVENT_HANDLER`: a listener threw or rejected; `cause` is what with
 * - `ERR_REQUEST_HANDLER`: a handler threw something other than a `Refusal`, or what it gave cannot be sent; the
 *   request was answered with a failure
 * - `ERR_MIDDLEWARE`: a middleware threw, returned something that is no message, or held a response back
 * - `ERR_CALLBACK`: `onUnhandled` or `onNoise` threw or rejected
 * - `ERR_NOT_ANNOUNCED`: a request was sent that the other side has not announced
 * - `ERR_OVERLOADED`: requests are refused because too many are queued, or the other side announces more than is
 *   kept; or the connection ends because the other side sends requests and does not read the answers
 * - `ERR_TRANSPORT`: reading or writing failed; ends the connection
 */
export type ProblemCode =
  | "ERR_MESSAGE_KIND"
  | "ERR_RESPONSE_UNSOLICITED"
  | "ERR_RESPONSE_DOUBLE"
  | "ERR_RESPONSE_LATE"
  | "ERR_EVENT_HANDLER"
  | "ERR_REQUEST_HANDLER"
  | "ERR_MIDDLEWARE"
  | "ERR_CALLBACK"
  | "ERR_NOT_ANNOUNCED"
  | "ERR_OVERLOADED"
  | "ERR_TRANSPORT";

/** Something that went wrong. */
export interface Problem {
  readonly code: ProblemCode | FrameErrorCode;
  /** Sentence for people. */
  readonly text: string;
  /** The message that it is about, if it is about one. */
  readonly message?: object;
  readonly cause?: unknown;
}

/** Looks at what goes through, or changes it. Not asynchronous: a promise is no message. */
export interface Middleware {
  /**
   * A message on its way out: gives the one to send, or nothing to hold it back. A request that is held back
   * is rejected.
   */
  beforeSend?(message: object): object | undefined;
  /** What was written. The bytes are valid during the call. */
  afterSend?(message: object, bytes: Uint8Array): void;
  /**
   * A message that arrived, with its frame's bytes: gives the one to deal with, or nothing to drop it. A
   * request that is dropped is answered with a failure; what waits for a response that is dropped is rejected.
   */
  afterReceive?(message: object, bytes: Uint8Array): object | undefined;
}

export interface RequestOptions {
  /** Gives the request up; the other side is told to cancel it, if it can. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which it is given up; 0 and Infinity mean never. */
  readonly timeoutMs?: number;
}

/** Milliseconds that a connection has to close. */
export const defaultCloseMs = 5_000;

export interface CloseOptions {
  /**
   * Milliseconds to write what was sent and to close the transport; then the transport is destroyed. 0 destroys
   * it at once, Infinity never. Default: 5,000.
   */
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
  /** Milliseconds after which a request without a `timeoutMs` of its own is given up; 0 and Infinity mean never. Default: never. */
  readonly timeoutMs?: number;
  /** What becomes of requests that the other side has not announced. Default: `send`. */
  readonly gates?: "refuse" | "warn" | "send";
  readonly middleware?: readonly Middleware[];
  /** What the other side speaks, if not the protocol to the letter. */
  readonly dialect?: Dialect;
  /** Called with each message before it is encoded; throw to refuse it. */
  readonly check?: (message: object) => void;
  /** Called with what goes wrong. What it throws is ignored. */
  readonly onProblem?: (problem: Problem) => void;
  /** Called with messages that nobody listens to: events without a listener. */
  readonly onUnhandled?: (message: object) => void;
  /**
   * Most handlers that run at once. Further requests are queued, as are all while more than 16 MiB of output is
   * unwritten. Responses, events and cancels are never held back. Default: 1,000.
   */
  readonly maxAnswering?: number;
  /**
   * Most bytes of queued requests; each counts 256 more than its body. When the queue is half full, reading
   * pauses as long as handlers finish. If none finishes for 100 ms, reading resumes, and requests that do not
   * fit are refused. Default: 64 MiB.
   */
  readonly maxQueuedBytes?: number;
}

/** A protocol as a connection needs it. */
export interface ConnectionProtocol {
  readonly protocol: JsonProtocolTable & { readonly conversation: ConversationTable };
  readonly requests: { readonly [name: string]: MessageFacts };
}
