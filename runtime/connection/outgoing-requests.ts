import { checkOptions, guess } from "../base/check-options.js";
import { isBranded, setBrand } from "../base/errors.js";
import { LatestEntries } from "../base/latest-entries.js";
import { nearestText } from "../base/nearest-text.js";
import { deferred, markHandled, nothing } from "../base/promises.js";
import { abortReason, limitOf } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";
import type { PeerCapabilities } from "../protocol/capabilities.js";
import type { ConversationTable, EnvelopeTable } from "../protocol/protocol-description.js";
import { hasFailed, type AnyFields } from "../protocol/message-fields.js";
import { describeIssue } from "../validation/describe-issue.js";
import type { Validation, ValidationIssue } from "../validation/findings.js";
import { causedBy } from "./call-errors.js";
import {
  closedError,
  onGiveUp,
  type CallStart,
  type ConnectionEnd,
  type FailedCalls,
  type WaitLimits,
} from "./failed-calls.js";
import {
  customRequestChecks,
  requestChecks,
  thrownProblem,
  type AnyConnectOptions,
  type CustomRequestOptions,
  type KnownMessages,
  type Problem,
} from "./options.js";
import { failureText } from "./failure-response.js";
import { textOfInvalid } from "./message-checks.js";
import type { MessageBuilder, OutgoingMessages } from "./outgoing-messages.js";

interface OutgoingRequestsParts {
  readonly conversation: ConversationTable;
  readonly requests: KnownMessages;
  readonly direction: Direction;
  readonly unannounced: AnyConnectOptions["unannounced"];
  /** Default request timeout, as returned by `limitOf`. */
  readonly timeoutMs: number | undefined;
  readonly build: MessageBuilder;
  readonly outgoing: OutgoingMessages;
  readonly pending: PendingRequests;
  readonly peerCapabilities: PeerCapabilities;
  readonly report: (problem: Problem) => void;
  /** How the connection ended; undefined while it is open. */
  readonly end: () => ConnectionEnd | undefined;
}

/** Sends requests. Asks the peer to cancel requests that time out or are aborted. */
export class OutgoingRequests {
  readonly #parts: OutgoingRequestsParts;

  constructor(parts: OutgoingRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Sends a request and resolves to its result.
   *
   * @param isCustom Whether the request is not defined by the protocol. Such a request requires no
   * capability, and its result may be checked.
   * @throws Rejects with RequestError, TimeoutError, ConnectionClosedError, EncodeError, or the
   * signal's abort reason; or with TypeError for a request that has no response.
   */
  send(
    name: string,
    parameters: unknown,
    options: CustomRequestOptions<unknown> | undefined,
    isCustom: boolean,
  ): Promise<unknown> {
    const { build, outgoing, pending, end } = this.#parts;
    const { promise, resolve, reject } = deferred<unknown>();
    try {
      if (isCustom) checkOptions("requestCustom", options, customRequestChecks);
      else checkOptions("request", options, requestChecks);
      const signal = options?.signal;
      const timeoutMs =
        options?.timeoutMs === undefined ? this.#parts.timeoutMs : limitOf(options.timeoutMs);
      this.#checkOpen(name, signal);
      if (!isCustom) {
        if (this.isUnanswered(name))
          throw new TypeError(`Cannot request "${name}": it has no response. Use notify instead`);
        const { requests, direction } = this.#parts;
        checkMessageName(["request", "requestCustom"], name, requests, direction);
        this.#checkSupported(name);
      }
      const [number, message] = build.request(name, parameters, options?.fields);
      const unit = outgoing.encode(message);
      // Check again, because a middleware may have closed the connection or aborted the signal.
      this.#checkOpen(name, signal);
      if (unit === undefined) throw lostError(name, `A middleware dropped "${name}"`);
      const result = options?.result;
      const settle =
        result === undefined ? resolve : settleChecked(name, result, { resolve, reject });
      const limits = { signal, timeoutMs, acceptsPartial: options?.acceptsPartial };
      pending.add(number, { name, promise, resolve: settle, reject }, limits, () =>
        this.#cancel(name, number),
      );
      outgoing.queue.push(unit);
    } catch (error) {
      if (end() !== undefined) void markHandled(promise);
      reject(error);
    }
    return promise;
  }

  /** Returns whether the protocol defines a request with this name that has no response. */
  isUnanswered(name: string): boolean {
    const { requests } = this.#parts;
    return Object.hasOwn(requests, name) && requests[name]!.unanswered === true;
  }

  /**
   * @throws ConnectionClosedError if the connection has ended, or the signal's abort reason if it
   * is aborted.
   */
  #checkOpen(name: string, signal: Signal | undefined): void {
    const end = this.#parts.end();
    if (end !== undefined) throw closedError(name, end);
    if (signal?.aborted === true) throw abortReason(signal);
  }

  /**
   * @throws RequestError if the peer has not announced the request and the settings forbid sending
   * it.
   */
  #checkSupported(name: string): void {
    const { unannounced = "send", direction, report } = this.#parts;
    if (unannounced === "send" || this.#isSupported(name)) return;
    const message = `Cannot send "${name}": the ${direction.receiver} has not announced it`;
    if (unannounced === "refuse")
      throw new RequestError(message, { code: "ERR_REQUEST_NOT_ANNOUNCED", command: name });
    report({ code: "ERR_NOT_ANNOUNCED", message });
  }

  /** Returns whether a request either requires no capability or has been announced by the peer. */
  #isSupported(name: string): boolean {
    const { requests, peerCapabilities } = this.#parts;
    const facts = Object.hasOwn(requests, name) ? requests[name] : undefined;
    return facts === undefined || peerCapabilities.has(facts.capability);
  }

  /**
   * Asks the peer to cancel a request. Returns false if that is not possible. The cancel request
   * itself has no pending promise and cannot be cancelled.
   */
  #cancel(name: string, number: number): boolean {
    const { conversation, requests, build, outgoing, pending, report, end } = this.#parts;
    const { cancel } = conversation;
    if (cancel === undefined || name === cancel.message || end() !== undefined) return false;
    const isRequest = Object.hasOwn(requests, cancel.message);
    if (isRequest && !this.#isSupported(cancel.message)) return false;
    const parameters = { [cancel.id]: number };
    try {
      const [cancelNumber, message] = isRequest
        ? build.request(cancel.message, parameters)
        : [undefined, build.event(cancel.message, parameters)];
      const unit = outgoing.encode(message);
      if (unit === undefined) return false;
      if (cancelNumber !== undefined) pending.addCancel(cancelNumber);
      outgoing.queue.push(unit);
      return true;
    } catch (cause) {
      report(thrownProblem("ERR_MIDDLEWARE", `Cannot cancel "${name}"`, cause));
      return false;
    }
  }
}

/** Settles a request with its result if the result is valid. */
export function settleChecked(
  command: string,
  check: (value: unknown) => Validation<unknown>,
  settle: {
    readonly resolve: (result: unknown) => void;
    readonly reject: (error: unknown) => void;
  },
): (result: unknown) => void {
  return (result) => {
    try {
      settle.resolve(validResult(command, check(result)));
    } catch (error) {
      settle.reject(error);
    }
  };
}

/** @throws RequestError if the result is invalid. */
function validResult(command: string, validation: Validation<unknown>): unknown {
  if (validation.ok) return validation.value;
  const { issues } = validation;
  const text = `The result of "${command}" is invalid: ${issues.map(describeIssue).join("; ")}`;
  throw new RequestError(text, { code: "ERR_RESULT", command, issues });
}

/**
 * Returns the error with which a response rejects its request, or undefined if it reports a success.
 *
 * @param issues Why the response must not be used, if it is invalid.
 */
export function responseError(
  { envelope, conversation }: { envelope: EnvelopeTable; conversation: ConversationTable },
  command: string,
  response: AnyFields,
  issues: readonly ValidationIssue[] | undefined,
): RequestError | undefined {
  const invalid = issues && textOfInvalid("response", command, issues);
  if (!hasFailed(envelope.response, response))
    return invalid === undefined
      ? undefined
      : new RequestError(invalid, { code: "ERR_RESULT", command, issues });
  const reason = failureText(conversation.failures, response, command);
  return new RequestError(invalid === undefined ? reason : `${reason}. ${invalid}`, {
    code: "ERR_REQUEST_FAILED",
    command,
    ...(issues === undefined ? { response } : { issues }),
  });
}

/**
 * Why a request failed.
 *
 * - `ERR_REQUEST_FAILED`: the peer responded with a failure; see `response`
 * - `ERR_REQUEST_NOT_ANNOUNCED`: the peer has not announced the capability
 * - `ERR_RESULT`: the result is invalid; see `issues`
 * - `ERR_MIDDLEWARE`: a middleware dropped the request or its response
 */
export type RequestErrorCode =
  "ERR_REQUEST_FAILED" | "ERR_REQUEST_NOT_ANNOUNCED" | "ERR_RESULT" | "ERR_MIDDLEWARE";

/** Properties of a `RequestError`, in addition to its message. */
export interface RequestErrorOptions {
  readonly code: RequestErrorCode;
  readonly command: string;
  readonly response?: object | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  readonly cause?: unknown;
}

const requestErrorBrand = /* @__PURE__ */ Symbol.for("wirewright.RequestError");

/** Thrown when a request is refused or its result cannot be used. Check `code` for the reason. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** Name of the request. */
  readonly command: string;
  /** The failure response as received; undefined if it is invalid. */
  readonly response: object | undefined;
  /** The issues of an invalid response; undefined for a valid one. */
  readonly issues: readonly ValidationIssue[] | undefined;

  constructor(message: string, options: RequestErrorOptions) {
    const { code, command, response, issues, cause } = options;
    super(message, causedBy(cause));
    this.code = code;
    this.command = command;
    this.response = response;
    this.issues = issues;
    setBrand(this, requestErrorBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, RequestError, requestErrorBrand, value);
  }
}

/** Creates the error for a request that was dropped by a middleware, or whose response was. */
export function lostError(command: string, text: string, cause?: unknown): RequestError {
  return new RequestError(text, { code: "ERR_MIDDLEWARE", command, cause });
}

/**
 * How many settled requests to remember (1,000 to 2,000) to recognise late and duplicate responses.
 */
const maxFinished = 2_000;

/** How many of our own cancel requests to remember. Only their ids are stored. */
const maxCancels = 20_000;

interface Call {
  readonly name: string;
  readonly promise: Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that is awaiting its response or has just stopped waiting. */
export interface PendingRequest extends Call {
  readonly dispose: () => void;
  readonly start: CallStart;
  /** Why the request was cancelled, for as long as its response is pending. */
  abortedBy?: { readonly reason: unknown };
}

/** The problem with a response that does not match a pending request. */
type StrayResponse = "ERR_RESPONSE_UNSOLICITED" | "ERR_RESPONSE_DOUBLE" | "ERR_RESPONSE_LATE";

/** Requests awaiting their responses, by id. */
export class PendingRequests {
  readonly #failedCalls: FailedCalls;
  readonly #pending = new Map<unknown, PendingRequest>();
  /**
   * The problem to report if a response to a settled request arrives, or `expected` if the peer was
   * asked to cancel that request.
   */
  readonly #finished = new LatestEntries<unknown, StrayResponse | "expected">(maxFinished);
  readonly #cancels = new LatestEntries<unknown, true>(maxCancels);

  constructor(failedCalls: FailedCalls) {
    this.#failedCalls = failedCalls;
  }

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Adds a request, which waits until it is taken, is aborted or times out.
   *
   * @param cancel Called when the wait ends early. Returns whether the peer was asked to cancel the
   * request.
   */
  add(number: number, request: Call, limits: WaitLimits, cancel: () => boolean): void {
    const { name, promise, resolve, reject } = request;
    const start = this.#failedCalls.now;
    let dispose = nothing;
    if (limits.signal !== undefined || limits.timeoutMs !== undefined) {
      const giveUp = (error: unknown): void => {
        const waiting = this.#pending.get(number);
        if (waiting === undefined) return;
        const wasCancelled = waiting.abortedBy !== undefined;
        const isCancelled = wasCancelled || cancel();
        if (isCancelled && !wasCancelled && limits.acceptsPartial === true) {
          waiting.abortedBy = { reason: error };
          return;
        }
        const pending = this.take(number, "ERR_RESPONSE_LATE");
        if (pending === undefined) return;
        if (isCancelled) this.#finished.set(number, "expected");
        this.reject(pending, error);
      };
      const timedOut = (timeoutMs: number): unknown =>
        this.#failedCalls.timeout(`the response to "${name}"`, timeoutMs, start);
      dispose = onGiveUp(limits, timedOut, giveUp);
    }
    this.#pending.set(number, { name, promise, resolve, reject, dispose, start });
  }

  /** Rejects a request that is no longer pending. */
  reject({ name, promise, reject, start, abortedBy }: PendingRequest, cause: unknown): void {
    const error = abortedBy === undefined ? cause : abortedBy.reason;
    this.#failedCalls.add({ name, error }, promise, start);
    reject(error);
  }

  /** Remembers one of our own cancel requests, so that the response to it is not reported. */
  addCancel(number: number): void {
    this.#cancels.set(number, true);
  }

  /** Removes and returns the pending request with an id, or undefined if there is none. */
  take(number: unknown, later: StrayResponse = "ERR_RESPONSE_DOUBLE"): PendingRequest | undefined {
    const pending = this.#pending.get(number);
    if (pending === undefined) return undefined;
    this.#pending.delete(number);
    pending.dispose();
    this.#finished.set(number, later);
    return pending;
  }

  /**
   * Returns the problem with a response that matches no pending request. Returns undefined if the
   * response was expected, because it answers one of our own cancel requests or a request that the
   * peer was asked to cancel.
   */
  strayResponse(number: unknown): StrayResponse | undefined {
    const isCancel = this.#cancels.get(number) === true;
    const why = isCancel ? "expected" : this.#finished.get(number);
    if (why !== "expected") return why ?? "ERR_RESPONSE_UNSOLICITED";
    this.#cancels.delete(number);
    this.#finished.set(number, "ERR_RESPONSE_DOUBLE");
    return undefined;
  }

  /** Rejects all requests. Callers that ignore the promise find the reason in `closed`. */
  rejectAll(end: ConnectionEnd): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { name, promise, reject, dispose, start } of all) {
      dispose();
      void markHandled(promise);
      reject(closedError(name, end, this.#failedCalls.since(start)));
    }
  }
}

export interface Direction {
  readonly sender: string;
  readonly receiver: string;
}

/**
 * Checks the name of a message sent from one role to the other.
 *
 * @param caller Names of two functions: the caller, and the one to use for messages that the
 * protocol does not define.
 * @throws TypeError if the protocol does not define such a message from the sender.
 */
export function checkMessageName(
  [caller, custom]: readonly [caller: string, custom: string],
  name: string,
  messages: KnownMessages,
  { sender, receiver }: Direction,
): void {
  const isSent = (message: string): boolean => messages[message]!.sender !== receiver;
  if (Object.hasOwn(messages, name) && isSent(name)) return;
  const nearest = guess(nearestText(name, Object.keys(messages).filter(isSent)));
  throw new TypeError(
    `${caller}: the ${sender} does not send "${name}"${nearest}. Use ${custom} for messages that the protocol does not define`,
  );
}
