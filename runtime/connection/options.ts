import * as option from "../base/check-options.js";
import { textOfThrown } from "../base/errors.js";
import type { HostSignal, Signal } from "../base/web-standards.js";
import type { CreateDecoder, FrameDecoderOptions, Notation } from "../frames/decoder-options.js";
import type { CreateEncoder, Dialect } from "../frames/content-length-encoder.js";
import { limitChecks, type FrameFaultCode } from "../frames/frame-faults.js";
import type {
  ConversationTable,
  JsonProtocolDescription,
  MessageFacts,
} from "../protocol/protocol-description.js";
import type { Validation, ValidationIssue } from "../validation/findings.js";
import {
  messageCheckOption,
  type AnyValidator,
  type MessageCheck,
  type MessageValidators,
} from "./message-checks.js";

/**
 * Problems that a connection reports.
 *
 * - `ERR_NO_MESSAGE`: the peer sent bytes, but no message within a second or before the end
 * - `ERR_MESSAGE_KIND`: a message that is neither a request, an event nor a response
 * - `ERR_INVALID_MESSAGE`: an invalid message; see `issues`. An invalid event is not delivered, unless
 *   the check is `report`
 * - `ERR_RESPONSE_UNSOLICITED`: a response to a request that was never sent
 * - `ERR_RESPONSE_DOUBLE`: a second response to the same request
 * - `ERR_RESPONSE_LATE`: a response to a request that timed out or was aborted, and that the peer
 *   was not asked to cancel
 * - `ERR_EVENT_HANDLER`: an event listener threw or rejected; see `cause`
 * - `ERR_REQUEST_HANDLER`: a handler threw something other than a `Refusal`, or its result cannot
 *   be sent, in which case the request was answered with a failure; or a function passed to `after`
 *   failed
 * - `ERR_MIDDLEWARE`: a middleware threw, returned something that is not a message, or dropped a
 *   response
 * - `ERR_CALLBACK`: `onUnhandled` or `onNoise` threw or rejected
 * - `ERR_NOT_ANNOUNCED`: a request was sent although the peer has not announced the capability
 * - `ERR_OVERLOADED`: requests are refused because too many are queued; or the peer announces too
 *   many capabilities; or the connection ends because the peer sends requests without reading the
 *   responses
 * - `ERR_TRANSPORT`: reading or writing failed, which ends the connection
 * - `ERR_HOST`: a program that hosts adapters does not accept a message; see `hosts` in
 *   `defineAdapter`
 */
export type ProblemCode =
  | "ERR_NO_MESSAGE"
  | "ERR_MESSAGE_KIND"
  | "ERR_INVALID_MESSAGE"
  | "ERR_RESPONSE_UNSOLICITED"
  | "ERR_RESPONSE_DOUBLE"
  | "ERR_RESPONSE_LATE"
  | "ERR_EVENT_HANDLER"
  | "ERR_REQUEST_HANDLER"
  | "ERR_MIDDLEWARE"
  | "ERR_CALLBACK"
  | "ERR_NOT_ANNOUNCED"
  | "ERR_OVERLOADED"
  | "ERR_TRANSPORT"
  | "ERR_HOST";

/** A problem that a connection reports. */
export interface Problem {
  readonly code: ProblemCode | FrameFaultCode;
  /** A human-readable sentence, with an excerpt of the affected bytes. */
  readonly message: string;
  /** The message that the problem concerns, if any. */
  readonly subject?: object;
  /** The issues of an invalid message. */
  readonly issues?: readonly ValidationIssue[];
  readonly cause?: unknown;
}

/** Describes an exception as a problem. `what` failed. */
export function thrownProblem<Code extends ProblemCode>(
  code: Code,
  what: string,
  cause: unknown,
  subject?: object,
): Problem & { readonly code: Code } {
  const message = `${what}: ${textOfThrown(cause)}`;
  return { code, message, ...(subject === undefined ? {} : { subject }), cause };
}

/**
 * Inspects or changes messages. A hook returns a message to use in place of the original, `null` to
 * drop the message, or nothing to leave it as it is. Hooks are synchronous: a promise is not a
 * message.
 */
export interface Middleware {
  /**
   * Called with each outgoing message. Dropping a request rejects it. A message that a hook sends
   * goes out before the one that the hook was called with.
   */
  beforeSend?(message: object): object | null | void;
  /** Called just before a message is written. The bytes are valid only during the call. */
  afterSend?(message: object, bytes: Uint8Array): void;
  /**
   * Called with each incoming message and the bytes of its frame. Dropping a request answers it
   * with a failure; dropping a response rejects its request.
   */
  afterReceive?(message: object, bytes: Uint8Array): object | null | void;
}

/** Limits of a wait. */
export interface WaitOptions {
  /** Aborting this signal makes the promise reject with the abort reason. */
  readonly signal?: Signal;
  /**
   * Milliseconds until the promise rejects with a `TimeoutError`. 0 and Infinity disable the
   * timeout. Default: the connection's `timeoutMs`.
   */
  readonly timeoutMs?: number;
}

export const waitChecks: option.OptionChecks<WaitOptions> = {
  signal: option.signal,
  timeoutMs: option.milliseconds,
};

/**
 * Options for a request. When a request times out or is aborted, the peer is asked to cancel it, if
 * the protocol supports that.
 */
export interface RequestOptions extends WaitOptions {
  /**
   * Whether to wait for the response even after asking the peer to cancel the request. The promise
   * then resolves to the result, which may be partial, or rejects with the cancellation reason if
   * there is no result. After `signal` is aborted, only `timeoutMs` limits the wait. Default:
   * false.
   */
  readonly acceptsPartial?: boolean;
  /** Values for additional envelope fields, if the protocol has any. */
  readonly fields?: { readonly [field: string]: string | undefined };
}

export const requestChecks: option.OptionChecks<RequestOptions> = /* @__PURE__ */ Object.assign(
  {},
  waitChecks,
  { acceptsPartial: option.flag, fields: option.object },
);

/** Options for `requestCustom`. */
export interface CustomRequestOptions<Result> extends RequestOptions {
  /**
   * Checks the result and determines its type. If the result is invalid, the request rejects with a
   * `RequestError` whose code is `ERR_RESULT`.
   */
  readonly result?: (value: unknown) => Validation<Result>;
}

export const customRequestChecks: option.OptionChecks<CustomRequestOptions<unknown>> =
  /* @__PURE__ */ Object.assign({}, requestChecks, { result: option.callback });

/** A moment between two events on a connection, as returned by `mark()`. */
export interface EventMark {
  /** Number of events that had arrived by that moment. */
  readonly arrived: number;
}

export type EventTest = (body: unknown, message: object) => boolean;

/** Options for `once`. */
export interface EventWaitOptions extends WaitOptions {
  /** Returns true for the event to wait for. */
  readonly where?: EventTest;
  /** A mark returned by `mark()`. Events that arrived after it count, too. */
  readonly since?: EventMark;
}

export const eventWaitChecks: option.OptionChecks<EventWaitOptions> = /* @__PURE__ */ Object.assign(
  {},
  waitChecks,
  { where: option.callback, since: option.object },
);

/** Options for `on` and `events`. */
export interface ListenOptions {
  /**
   * Aborting this signal removes the listener, and makes the iterator returned by `events` throw
   * the abort reason.
   */
  readonly signal?: Signal;
}

export const listenChecks: option.OptionChecks<ListenOptions> = { signal: option.signal };

/** Default for the `graceMs` option, in milliseconds. */
export const defaultGraceMs = 5_000;

/** Options for `close`. */
export interface CloseOptions {
  /**
   * Milliseconds to wait for pending messages to be flushed and the transport to be closed. After
   * that, the transport is destroyed. 0 destroys it immediately; Infinity never does. Default:
   * 5,000.
   */
  readonly graceMs?: number;
}

/**
 * Returns the `graceMs` of an options object. @throws TypeError for unknown options and invalid
 * values.
 */
export function graceOf(options: CloseOptions | undefined): number {
  option.checkOptions("close", options, closeChecks);
  return options?.graceMs ?? defaultGraceMs;
}

const closeChecks: option.OptionChecks<CloseOptions> = { graceMs: option.milliseconds };

/** The second argument passed to request handlers. */
export interface RequestContext<Request extends object = object, Connection = unknown> {
  /** Aborted when the peer cancels the request or the connection closes. */
  readonly signal: HostSignal;
  /** The whole request message. */
  readonly request: Request;
  /** The connection that the request came from. */
  readonly connection: Connection;
  /**
   * Calls a function once the successful response has been written, so that any messages it sends
   * follow the response. The function is not called if the request fails.
   */
  after(run: () => unknown): void;
}

export type AnyRequestHandler = (arguments_: never, context: RequestContext) => unknown;

export interface AnyConnectOptions extends Pick<
  FrameDecoderOptions,
  "limits" | "recovery" | "invalidUtf8" | "onNoise"
> {
  /** Request handlers, by name. Other requests are answered with a failure. */
  readonly handlers?: { readonly [name: string]: AnyRequestHandler | undefined };
  /**
   * Default `timeoutMs` for requests and `once`, in milliseconds. 0 and Infinity disable the
   * timeout. Default: no timeout.
   */
  readonly timeoutMs?: number;
  /**
   * How to treat requests that require a capability that the peer has not announced. Default:
   * `send`.
   */
  readonly unannounced?: "refuse" | "warn" | "send";
  readonly middleware?: readonly Middleware[];
  /** The peer's dialect, if it deviates from the protocol. */
  readonly dialect?: Dialect;
  /**
   * How to check incoming messages. Invalid requests get a failure response, invalid responses reject
   * their requests, and invalid events are reported to `onProblem` instead of being delivered.
   * Middleware sees all messages. Default: `wire`.
   */
  readonly checkIncoming?: MessageCheck;
  /**
   * How to check outgoing messages, after the middleware. Sending an invalid message throws an
   * `InvalidMessageError`, and a handler's invalid result is replaced with a failure. Default: `off`.
   */
  readonly checkOutgoing?: MessageCheck;
  /**
   * Validators for request parameters that the protocol leaves to programs, such as the attributes of
   * launch configurations, by request. Default: those that the package was generated with.
   */
  readonly parameters?: { readonly [request: string]: AnyValidator };
  /** Called with each problem. Exceptions are ignored. */
  readonly onProblem?: (problem: Problem) => void;
  /** Called with events that have no listeners. */
  readonly onUnhandled?: (message: object) => void;
  /**
   * Maximum number of concurrent request handlers. Further requests are queued, as are all requests
   * while more than 16 MiB of output is unwritten. Responses, events and cancellations are never
   * delayed. Default: 1,000.
   */
  readonly maxAnswering?: number;
  /**
   * Maximum total size of queued requests, in bytes; each request counts for 256 bytes more than
   * its body. When the queue is half full, reading pauses as long as handlers keep completing. If
   * none completes for 100 ms, reading resumes, and requests that do not fit are refused. Default:
   * 64 MiB.
   */
  readonly maxQueuedBytes?: number;
}

export const middlewareCheck: option.OptionCheck = /* @__PURE__ */ option.hooks(
  "beforeSend",
  "afterSend",
  "afterReceive",
);

export const connectionChecks: option.OptionChecks<AnyConnectOptions> = {
  handlers: option.object,
  timeoutMs: option.milliseconds,
  unannounced: /* @__PURE__ */ option.oneOf("refuse", "warn", "send"),
  middleware: /* @__PURE__ */ option.listOf(middlewareCheck),
  dialect: option.object,
  checkIncoming: messageCheckOption,
  checkOutgoing: messageCheckOption,
  parameters: /* @__PURE__ */ option.recordOf(option.callback),
  onProblem: option.callback,
  onUnhandled: option.callback,
  onNoise: option.callback,
  maxAnswering: option.limit,
  maxQueuedBytes: option.limit,
  limits: limitChecks,
  recovery: /* @__PURE__ */ option.oneOf("tolerant", "strict"),
  invalidUtf8: /* @__PURE__ */ option.oneOf("replace", "error"),
};

/** Facts about the messages of one kind, by name. */
export interface KnownMessages {
  readonly [name: string]: MessageFacts;
}

/** The parts of a protocol that a connection depends on. */
export interface ConnectionProtocol {
  readonly protocol: JsonProtocolDescription & { readonly conversation: ConversationTable };
  readonly requests: KnownMessages;
  readonly events: KnownMessages;
  /** Notations by role, for roles whose messages are not JSON. */
  readonly notations?: { readonly [role: string]: Notation };
  readonly decode: CreateDecoder;
  readonly encode: CreateEncoder;
  readonly validators: MessageValidators;
}
