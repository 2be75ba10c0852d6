import { indexOfText, readUtf8 } from "../base/buffer-methods.js";
import * as option from "../base/check-options.js";
import { checkOptions } from "../base/check-options.js";
import { textOfThrown } from "../base/errors.js";
import { LatestEntries } from "../base/latest-entries.js";
import { callSafely, deferred, markHandled, setAsyncDispose } from "../base/promises.js";
import { abortReason, limitOf, startTimer } from "../base/waiting-limits.js";
import type { CreateDecoder } from "../frames/decoder-options.js";
import type { ContentLengthEncoder, CreateEncoder } from "../frames/content-length-encoder.js";
import {
  limitChecks,
  textOfFault,
  type FrameFaultCode,
  type FrameLimits,
} from "../frames/frame-faults.js";
import type { Frame } from "../frames/frame.js";
import { createPeek, type Peek, type Peeked } from "../frames/peek.js";
import { isObject, isOfArm, type AnyFields } from "../protocol/message-fields.js";
import type { ValidationIssue } from "../validation/findings.js";
import { ConnectionClosedError } from "./call-errors.js";
import { closedError, endOf, FailedCalls, unsentError } from "./failed-calls.js";
import { failureFields } from "./failure-response.js";
import { FirstBytes } from "./incoming-messages.js";
import {
  createMessageChecks,
  messageCheckOption,
  textOfInvalid,
  type MessageCheck,
  type MessageChecks,
} from "./message-checks.js";
import { nameOf } from "./incoming-requests.js";
import { asMessage } from "./middleware.js";
import {
  customRequestChecks,
  defaultGraceMs,
  graceOf,
  requestChecks,
  thrownProblem,
  type CloseOptions,
  type ConnectionProtocol,
  type CustomRequestOptions,
  type KnownMessages,
  type ProblemCode,
  type RequestOptions,
} from "./options.js";
import { FrameQueue, MessageBuilder } from "./outgoing-messages.js";
import { lostError, PendingRequests, responseError, settleChecked } from "./outgoing-requests.js";
import {
  TransportClosing,
  transportOf,
  type Transport,
  type TransportSource,
} from "./transport.js";

const middlewareFailed = "A middleware failed";

/** How a bridge ended. */
export interface BridgeEnd<Side extends string = string> {
  /** The peer whose stream ended or failed first, or `bridge` after `close()`. */
  readonly side: Side | "bridge";
  /** How the bridge ended, as a sentence without a full stop. */
  readonly message: string;
  /** The error that ended the bridge; undefined if there was none. */
  readonly error: Error | undefined;
}

/** A problem in a bridge. The affected message or bytes are not forwarded. */
export interface BridgeProblem<Side extends string = string> {
  readonly code: ProblemCode | FrameFaultCode;
  /** A human-readable sentence, with an excerpt of the affected bytes. */
  readonly message: string;
  /** The peer that sent the message or the bytes. */
  readonly side: Side;
  /** The issues of an invalid message. */
  readonly issues?: readonly ValidationIssue[];
  readonly cause?: unknown;
}

/** Lets a hook answer a request in place of the receiver. An answered request is not forwarded. */
export interface BridgeContext {
  /** Sends a successful response to this request. */
  answer(result?: unknown): void;
  /** Sends a failure response to this request. */
  fail(message: string): void;
}

/**
 * Receives every message from one peer. Returns a message to forward in its place, null to drop the
 * message, or nothing to forward it unchanged.
 */
export type BridgeHook = (message: never, context: never) => object | null | void;

/** Sees a message as it was received from a peer or sent to it. */
type BridgeObserver = (message: object, bytes: Uint8Array, peer: string) => void;

export interface AnyBridgeOptions<Side extends string = string> {
  readonly limits?: Partial<FrameLimits>;
  /** Called with each problem. Exceptions are ignored. */
  readonly onProblem?: (problem: BridgeProblem<Side>) => void;
  /** Middleware, in the order in which it sees messages. */
  readonly middleware?: readonly object[];
  /**
   * How to check messages before they are forwarded, after the middleware. An invalid request gets a
   * failure response, an invalid response is replaced with a failure, and an invalid event is
   * reported to `onProblem` instead of being forwarded. Default: `off`.
   */
  readonly checkIncoming?: MessageCheck;
}

/** @param hooks Names of the hooks in the bridge's middleware. */
const bridgeChecks = (hooks: readonly string[]): option.OptionChecks<AnyBridgeOptions> => ({
  limits: limitChecks,
  onProblem: option.callback,
  middleware: option.listOf(option.hooks(...hooks, "received", "sent")),
  checkIncoming: messageCheckOption,
});

/** Maximum number of forwarded requests whose names are remembered in order to check responses. */
const maxNamed = 20_000;

/** Forwards messages between two peers. */
export class MessageBridge {
  readonly #protocol: ConnectionProtocol["protocol"];
  readonly #options: AnyBridgeOptions;
  readonly #build: MessageBuilder;
  readonly #directions: readonly BridgeDirection[];
  #end: BridgeEnd | undefined;
  /** Resolves once both transports are closed. */
  readonly closed: Promise<BridgeEnd>;

  /**
   * @param sources The transports to the peers, in the order of the protocol's roles.
   * @param hooks For each peer, the name of the hook that receives its messages.
   */
  constructor(
    {
      protocol,
      decode,
      encode,
      requests,
      events,
      validators,
    }: Omit<ConnectionProtocol, "notations">,
    sources: readonly [TransportSource, TransportSource],
    hooks: readonly [string, string],
    options: AnyBridgeOptions = {},
  ) {
    const transports = sources.map((source) => transportOf("bridge", source));
    checkOptions("bridge", options, bridgeChecks(hooks));
    this.#protocol = protocol;
    this.#options = options;
    this.#build = new MessageBuilder(protocol.envelope);
    const { middleware = [] } = options;
    const peers = protocol.roles.map((role, index): BridgePeer => ({
      role,
      transport: this.#observed(transports[index]!, role, middleware, decode),
      hooks: hooksOf(middleware, hooks[index]!),
    }));
    const [first, second] = peers as [BridgePeer, BridgePeer];
    const { checkIncoming: mode = "off" } = options;
    const parts: DirectionParts = {
      protocol,
      requests,
      build: this.#build,
      decode,
      encode,
      limits: options.limits,
      checksFor: (side: string) =>
        createMessageChecks(
          mode,
          validators,
          { requests, events },
          protocol.envelope,
          ({ code, message, issues }) => this.#report({ code, message, side, issues }),
        ),
      report: (problem: BridgeProblem) => this.#report(problem),
      onEnd: (by: string, error: unknown, detail?: string) => this.#stop(by, error, detail),
      contextOf: (from: string, message: AnyFields, onAnswer: () => void) =>
        this.#contextOf(from, message, onAnswer),
    };
    const there = new BridgeDirection(first, second, parts);
    const back = new BridgeDirection(second, first, parts);
    there.back = back;
    back.back = there;
    this.#directions = [there, back];
    this.closed = Promise.all([there.done, back.done]).then(() => this.#end!);
    setAsyncDispose(this, () => this.close());
    there.start();
    back.start();
  }

  /** Sends a request to a peer on behalf of the bridge itself. The response is not forwarded. */
  request(
    to: string,
    name: string,
    parameters?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.#request(to, name, parameters, options, false);
  }

  /** Sends a request that the protocol does not define. */
  requestCustom(
    to: string,
    name: string,
    parameters?: unknown,
    options?: CustomRequestOptions<unknown>,
  ): Promise<unknown> {
    return this.#request(to, name, parameters, options, true);
  }

  #request(
    to: string,
    name: string,
    parameters: unknown,
    options: CustomRequestOptions<unknown> | undefined,
    isCustom: boolean,
  ): Promise<unknown> {
    const { promise, resolve, reject } = deferred<unknown>();
    try {
      if (isCustom) checkOptions("requestCustom", options, customRequestChecks);
      else checkOptions("request", options, requestChecks);
      const { signal } = options ?? {};
      if (this.#end !== undefined) throw closedError(name, this.#end);
      if (signal?.aborted === true) throw abortReason(signal);
      const timeoutMs = limitOf(options?.timeoutMs);
      const towards = this.#towards(to);
      const [, message] = this.#build.request(name, parameters);
      const number = towards.numbers.own();
      const result = options?.result;
      const settle =
        result === undefined ? resolve : settleChecked(name, result, { resolve, reject });
      const call = { name, promise, resolve: settle, reject };
      const limits = { signal, timeoutMs };
      const bytes = towards.encode({ ...message, [this.#protocol.envelope.id]: number });
      towards.pending.add(number, call, limits, () => false);
      towards.queue.push(bytes);
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  /** Sends an event to a peer on behalf of the bridge itself. */
  notify(to: string, name: string, body?: unknown): void {
    const towards = this.#towards(to);
    if (this.#end === undefined)
      towards.queue.push(towards.encodeOwn(this.#build.event(name, body)));
  }

  /** Resolves once the transport to a peer has accepted everything sent so far. */
  flushed(to: string): Promise<void> {
    const { queue } = this.#towards(to);
    return this.#end === undefined
      ? queue.flushed()
      : markHandled(Promise.reject(unsentError(this.#end)));
  }

  /** Writes the forwarded messages and closes both transports. */
  async close(options?: CloseOptions): Promise<BridgeEnd> {
    const graceMs = graceOf(options);
    this.#stop("bridge", undefined, undefined, graceMs);
    return this.closed;
  }

  /** Returns a transport that passes the messages in both directions to the middleware. */
  #observed(
    transport: Transport,
    side: string,
    middleware: readonly object[],
    decode: CreateDecoder,
  ): Transport {
    if (middleware.every((hooks) => !("received" in hooks) && !("sent" in hooks))) return transport;
    const { roles, framing } = this.#protocol;
    const other = roles.find((role) => role !== side)!;
    const observe = (name: "received" | "sent", from: string): ((bytes: Uint8Array) => void) => {
      const observers = hooksOf(
        middleware,
        name,
      ) as readonly unknown[] as readonly BridgeObserver[];
      const decoder = decode({
        framing: framing[from]!,
        limits: this.#options.limits,
        // The bridge itself reports damaged frames.
        onFault: () => undefined,
        onMessage: (message: object, { raw }: Frame) => {
          for (const observer of observers)
            try {
              observer(message, raw, side);
            } catch (cause) {
              this.#report({ ...thrownProblem("ERR_MIDDLEWARE", middlewareFailed, cause), side });
            }
        },
      });
      return (bytes) => decoder.push(bytes);
    };
    const [received, sent] = [observe("received", side), observe("sent", other)];
    return {
      read: (onBytes, onEnd) =>
        transport.read((bytes) => {
          received(bytes);
          return onBytes(bytes);
        }, onEnd),
      write(bytes) {
        sent(bytes);
        return transport.write(bytes);
      },
      close: () => transport.close(),
      destroy: () => transport.destroy?.(),
    };
  }

  /** @throws TypeError for a role that does not exist in the protocol. */
  #towards(role: string): BridgeDirection {
    const direction = this.#directions.find(({ to }) => to.role === role);
    if (direction === undefined) throw new TypeError(`Cannot send to "${role}": it is not a peer`);
    return direction;
  }

  #contextOf(from: string, request: AnyFields, onAnswer: () => void): object {
    const { envelope, conversation } = this.#protocol;
    const name = nameOf(request[envelope.request.name]);
    let isAnswered = false;
    const send = (response: () => object): void => {
      if (!isOfArm(envelope.request, request))
        throw new TypeError("Cannot answer a message that is not a request");
      if (isAnswered) throw new Error(`Cannot answer "${name}": it was already answered`);
      const towards = this.#towards(from);
      const bytes = towards.encodeOwn(response());
      isAnswered = true;
      onAnswer();
      towards.queue.push(bytes);
    };
    const { roles } = this.#protocol;
    const role = roles.find((other) => other !== from) ?? from;
    return {
      answer: (result?: unknown) => send(() => this.#build.success(request, name, result)),
      fail: (text: string) => {
        const fields = failureFields(conversation.failures.failed, { name, text, role });
        send(() => this.#build.failure(request, name, fields as AnyFields));
      },
    };
  }

  #report(problem: BridgeProblem): void {
    // An exception thrown by onProblem must not break the bridge.
    callSafely(() => this.#options.onProblem?.(problem));
  }

  /**
   * Called when a peer has ended. Writes the messages that it sent, and closes both transports. A
   * client whose stream ends without an error may still be reading. Its transport therefore stays
   * open until the adapter has ended as well, or until the grace period is over.
   */
  #stop(side: string, cause: unknown, detail?: string, graceMs = defaultGraceMs): void {
    if (this.#end !== undefined) {
      for (const { closing } of this.#directions) closing.closeWithin(graceMs);
      return;
    }
    const error =
      cause === undefined || cause instanceof Error ? cause : new Error(textOfThrown(cause));
    const from = this.#directions.find(({ back }) => back.to.role === side);
    const { message } = endOf(
      error === undefined ? detail : textOfThrown(error),
      error,
      from?.instead,
    );
    this.#end = { side, message, error };
    const [client] = this.#protocol.roles;
    for (const direction of this.#directions) {
      const { closing, done, to } = direction;
      const mayBeAnswered = side === client && to.role === client && error === undefined;
      const close = (): void => closing.closeWithin(graceMs);
      const stopTimer = mayBeAnswered ? startTimer(graceMs, close) : undefined;
      direction.stop();
      direction.pending.rejectAll(this.#end);
      if (!mayBeAnswered) close();
      void done.then(() => {
        stopTimer?.();
        direction.queue.end(() => unsentError(this.#end!));
      });
    }
  }
}

function hooksOf(middleware: readonly object[], name: string): readonly BridgeHook[] {
  return middleware.flatMap((hooks) => {
    const hook = (hooks as { readonly [name: string]: BridgeHook | undefined })[name];
    return hook === undefined ? [] : [hook.bind(hooks) as BridgeHook];
  });
}

interface BridgePeer {
  readonly role: string;
  readonly transport: Transport;
  readonly hooks: readonly BridgeHook[];
}

interface DirectionParts {
  readonly protocol: ConnectionProtocol["protocol"];
  readonly requests: KnownMessages;
  readonly decode: CreateDecoder;
  readonly encode: CreateEncoder;
  readonly build: MessageBuilder;
  readonly limits: AnyBridgeOptions["limits"];
  /** Creates the checks for the messages from a side. */
  checksFor(side: string): MessageChecks | undefined;
  report(problem: BridgeProblem): void;
  onEnd(by: string, error: unknown, detail?: string): void;
  contextOf(from: string, message: AnyFields, onAnswer: () => void): object;
}

/** Forwards messages from one peer to the other. */
class BridgeDirection {
  readonly to: BridgePeer;
  readonly #from: BridgePeer;
  readonly #parts: DirectionParts;
  readonly #peek: Peek;
  readonly #encoder: ContentLengthEncoder;
  readonly #checks: MessageChecks | undefined;
  /** The names of forwarded requests by the ids that the peer knows, if messages are checked. */
  readonly #requestNames = new LatestEntries<unknown, string>(maxNamed);
  readonly numbers: BridgeNumbers = new BridgeNumbers();
  /** Pending requests from the bridge to the peer. */
  readonly pending: PendingRequests;
  readonly queue: FrameQueue;
  /** Closes the transport that this direction writes to. */
  readonly closing: TransportClosing;
  /** The bytes before the first message; undefined once that message has arrived. */
  #first: FirstBytes | undefined;
  /** The opposite direction, set before anything is read. */
  back!: BridgeDirection;

  constructor(from: BridgePeer, to: BridgePeer, parts: DirectionParts) {
    const { envelope, framing } = parts.protocol;
    this.#from = from;
    this.to = to;
    this.#parts = parts;
    this.#first = new FirstBytes((message) =>
      parts.report({ code: "ERR_NO_MESSAGE", message, side: from.role }),
    );
    this.#peek = createPeek(envelope);
    this.#checks = parts.checksFor(from.role);
    this.#encoder = parts.encode({ framing: framing[from.role]! });
    this.pending = new PendingRequests(
      new FailedCalls(
        () => this.pending.size,
        () => this.back.instead,
      ),
    );
    this.queue = new FrameQueue(to.transport, {
      onFailure: (cause) => {
        parts.onEnd(to.role, cause);
        this.queue.end(() => new ConnectionClosedError(textOfThrown(cause), { cause }));
      },
      onProgress: () => undefined,
    });
    this.closing = new TransportClosing(to.transport, () => this.queue.drain());
  }

  get done(): Promise<void> {
    return this.closing.done;
  }

  /**
   * Describes the bytes that the peer sent instead of a message, as part of a sentence; empty if
   * there are none.
   */
  get instead(): string {
    return this.#first?.text ?? "";
  }

  /** Called when the bridge has ended. */
  stop(): void {
    this.#first?.end();
  }

  start(): void {
    const { role: side, transport, hooks } = this.#from;
    const { protocol, decode, limits, report, onEnd } = this.#parts;
    const decoder = decode({
      framing: protocol.framing[side]!,
      limits,
      onFault: (error) => {
        this.#first?.markReported();
        const { code, cause } = error;
        const message = textOfFault(error);
        report({ code, message, side, ...(cause === undefined ? {} : { cause }) });
      },
      ...(hooks.length === 0 && this.#checks === undefined
        ? { onFrame: (frame: Frame) => this.#forward(frame) }
        : { onMessage: (message: object, frame: Frame) => this.#forward(frame, message) }),
    });
    let isOver = false;
    transport.read(
      (chunk) => {
        if (isOver) return undefined;
        this.#first?.add(chunk);
        decoder.push(chunk);
        this.#first?.wait();
        // Pause this peer until the other one accepts its messages.
        return this.queue.isBusy ? this.queue.drain() : undefined;
      },
      (error, detail) => {
        isOver = true;
        decoder.end();
        onEnd(side, error, detail);
      },
    );
  }

  encode(message: object): Uint8Array {
    return this.#encoder.encode(message);
  }

  /** Encodes a response or event sent by the bridge. */
  encodeOwn(message: object): Uint8Array {
    const { id, replyTo } = this.#parts.protocol.envelope;
    return this.encode(id === replyTo ? message : { ...message, [id]: this.numbers.own() });
  }

  #forward(frame: Frame, message?: object): void {
    this.#first?.stop();
    this.#first = undefined;
    const { body } = frame;
    const peeked = this.#peek(body);
    if (peeked === undefined) {
      if (this.#from.hooks.length === 0) this.queue.push(frame.raw);
      return;
    }
    let replyTo: unknown = peeked.replyTo;
    if (peeked.kind === "response") {
      if (this.#takeOwn(peeked, body)) return;
      replyTo = this.back.numbers.original(peeked.replyTo);
      if (replyTo === undefined && peeked.replyTo !== undefined) {
        this.#parts.report({
          code: "ERR_RESPONSE_UNSOLICITED",
          message: `Cannot forward a response to request ${peeked.replyTo}, which was already answered or never sent`,
          side: this.#from.role,
        });
        return;
      }
      this.back.numbers.settle(peeked.replyTo);
    }
    const original = message ?? this.#referring(peeked, body);
    const read = original && this.#withRequestId(peeked, original, replyTo);
    const seen = message === undefined ? read : this.#applyHooks(read!, peeked.name);
    if (seen === undefined && message !== undefined) return;
    const checked = seen && this.#check(peeked, seen as AnyFields, replyTo);
    if (seen !== undefined && checked === undefined) return;
    // A response in which only ids change does not count as changed: the ids are replaced in its
    // bytes.
    const isSame = checked === original || (peeked.kind === "response" && checked === read);
    this.#send(frame, peeked, replyTo, isSame ? undefined : checked);
  }

  /** Sends a frame with the peer's ids, or the message that replaces the frame. */
  #send(frame: Frame, peeked: Peeked, replyTo: unknown, changed: object | undefined): void {
    const { id: idField, replyTo: replyToField } = this.#parts.protocol.envelope;
    const isShared = idField === replyToField;
    const isResponse = peeked.kind === "response";
    const id =
      isShared && isResponse ? replyTo : this.numbers.forward(peeked.id, peeked.kind === "request");
    const ids: Record<string, unknown> = {};
    if (isResponse && replyTo !== peeked.replyTo) ids[replyToField] = replyTo;
    if (id !== peeked.id) ids[idField] = id;
    if (peeked.kind === "request" && this.#checks !== undefined)
      this.#requestNames.set(id, nameOf(peeked.name));
    try {
      if (changed !== undefined) this.queue.push(this.encode({ ...changed, ...ids }));
      else if (Object.keys(ids).length === 0) this.queue.push(frame.raw);
      else this.queue.push(this.#renumbered(frame.body, ids as Record<string, number>));
    } catch (cause) {
      const problem = thrownProblem("ERR_MIDDLEWARE", "Cannot forward a message", cause);
      this.#parts.report({ ...problem, side: this.#from.role });
    }
  }

  #renumbered(body: Uint8Array, ids: Record<string, number>): Uint8Array {
    const hasHeader = this.#parts.protocol.framing[this.#from.role] === "content-length";
    const frame = hasHeader ? this.#peek.renumber(body, ids) : undefined;
    return frame ?? this.encode({ ...(parse(body) as object), ...ids });
  }

  /** Processes a response to a request from the bridge. */
  #takeOwn(peeked: Peeked, body: Uint8Array): boolean {
    const { protocol } = this.#parts;
    const pending = this.back.pending.take(peeked.replyTo);
    if (pending === undefined) return false;
    let response: AnyFields;
    try {
      response = parse(body) as AnyFields;
    } catch (cause) {
      const text = `Cannot read the response to "${pending.name}"`;
      this.back.pending.reject(pending, lostError(pending.name, text, cause));
      return true;
    }
    const issues = this.#checks?.refuse("response", pending.name, response);
    const error = responseError(protocol, pending.name, response, issues);
    if (error === undefined) pending.resolve(response[protocol.envelope.response.result]);
    else this.back.pending.reject(pending, error);
    return true;
  }

  /**
   * Returns the message to forward in place of an invalid one, or undefined if there is none.
   *
   * @param replyTo For a response, the request's id that the receiver knows.
   */
  #check(peeked: Peeked, message: AnyFields, replyTo: unknown): object | undefined {
    const checks = this.#checks;
    const { kind } = peeked;
    if (checks === undefined || kind === undefined) return message;
    const { protocol, requests, build } = this.#parts;
    const { envelope, conversation } = protocol;
    const name =
      kind === "response"
        ? this.back.#requestNames.get(peeked.replyTo)
        : nameOf(message[envelope[kind].name]);
    const issues = name === undefined ? undefined : checks.refuse(kind, name, message);
    if (name === undefined || issues === undefined) return message;
    if (kind === "event" || (kind === "request" && requests[name]!.unanswered === true)) {
      checks.report(kind, name, message, issues);
      return undefined;
    }
    const text = textOfInvalid(kind, name, issues);
    const { failures } = conversation;
    if (kind === "request") {
      const role = this.to.role;
      const template = failures.invalid ?? failures.failed;
      const fields = failureFields(template, { name, text, role }) as AnyFields;
      this.back.queue.push(this.back.encodeOwn(build.failure(message, name, fields)));
      return undefined;
    }
    const role = this.#from.role;
    const fields = failureFields(failures.failed, { name, text, role }) as AnyFields;
    const request = { ...message, [envelope.id]: replyTo };
    const failure = build.failure(request, name, fields);
    return envelope.id === envelope.replyTo ? failure : { ...failure, [envelope.id]: peeked.id };
  }

  /**
   * Returns the parsed message if it refers to a request by an id that may have to be replaced, and
   * undefined otherwise.
   */
  #referring({ kind, name }: Peeked, body: Uint8Array): object | undefined {
    const { cancel } = this.#parts.protocol.conversation;
    if (cancel === undefined || kind === "response") return undefined;
    const isCancel = name === cancel.message;
    const { areReplaced } = isCancel ? this.numbers : this.back.numbers;
    if (!areReplaced || (!isCancel && kind !== "event")) return undefined;
    return indexOfText(body, `"${cancel.id}"`, 0) < 0 ? undefined : (parse(body) as object);
  }

  /**
   * Returns the message with the ids that the peer knows. Responses and events refer to a request
   * by its original id. A cancellation refers to it by the id with which it was forwarded.
   */
  #withRequestId({ kind, name }: Peeked, message: object, replyTo: unknown): object {
    const { envelope, conversation } = this.#parts.protocol;
    const fields = message as AnyFields;
    if (kind === "response")
      return replyTo === fields[envelope.replyTo]
        ? message
        : { ...message, [envelope.replyTo]: replyTo };
    const { cancel } = conversation;
    const payloadField = kind === "request" ? envelope.request.payload : envelope.event.payload;
    const payload = fields[payloadField];
    if (cancel === undefined || !isObject(payload)) return message;
    const before = payload[cancel.id];
    const after =
      name === cancel.message
        ? this.numbers.forwarded(before)
        : kind === "event"
          ? (this.back.numbers.original(before) ?? before)
          : before;
    return after === before
      ? message
      : { ...message, [payloadField]: { ...payload, [cancel.id]: after } };
  }

  /** Returns the message to forward, or undefined if it is dropped or has been answered. */
  #applyHooks(message: object, name: unknown): object | undefined {
    const { role: side, hooks } = this.#from;
    let isAnswered = false;
    const onAnswer = (): void => void (isAnswered = true);
    try {
      let current = message;
      for (const hook of hooks) {
        const context = this.#parts.contextOf(side, current as AnyFields, onAnswer);
        const returned = hook(current as never, context as never);
        if (returned === null || isAnswered) return undefined;
        if (returned === undefined) continue;
        current = asMessage(`the middleware for "${name}"`, returned);
      }
      return current;
    } catch (cause) {
      // A failing middleware must not stop the session, so forward the message unchanged.
      this.#parts.report({ ...thrownProblem("ERR_MIDDLEWARE", middlewareFailed, cause), side });
      return isAnswered ? undefined : message;
    }
  }
}

/** @throws SyntaxError if the body is not JSON. */
function parse(body: Uint8Array): unknown {
  return JSON.parse(readUtf8(body, 0, body.length).replace(/^\uFEFF/, ""));
}

/**
 * The ids of messages forwarded to one peer. They stay unchanged until the bridge sends messages of
 * its own.
 */
class BridgeNumbers {
  #last = 0;
  /** Id of the first message sent by the bridge itself. */
  #firstOwn = Infinity;
  /** The sender's request ids, keyed by the ids that the peer knows. */
  readonly #originals = new Map<number, number>();
  /** The ids that the peer knows, keyed by the sender's ids. */
  readonly #forwarded = new Map<number, number>();

  /** Whether ids may have to be replaced. */
  get areReplaced(): boolean {
    return this.#firstOwn < Infinity;
  }

  /** Returns an id for a message sent by the bridge. */
  own(): number {
    const number = this.next();
    this.#firstOwn = Math.min(this.#firstOwn, number);
    return number;
  }

  next(): number {
    return ++this.#last;
  }

  /** Returns the id by which the peer knows a forwarded message. */
  forward(id: unknown, isRequest: boolean): unknown {
    if (!Number.isSafeInteger(id)) return id;
    const number = id as number;
    if (!this.areReplaced) {
      this.#last = Math.max(this.#last, number);
      return id;
    }
    const replaced = number > this.#last ? (this.#last = number) : this.next();
    if (isRequest) {
      this.#originals.set(replaced, number);
      this.#forwarded.set(number, replaced);
    }
    return replaced;
  }

  /** Returns the id by which the peer knows a request that it has not answered yet. */
  forwarded(id: unknown): unknown {
    return this.#forwarded.get(id as number) ?? id;
  }

  /**
   * Returns the id that the sender gave a request, or undefined if it never sent such a request.
   */
  original(id: unknown): unknown {
    if (!Number.isSafeInteger(id) || (id as number) < this.#firstOwn) return id;
    return this.#originals.get(id as number);
  }

  /** Forgets a request that the peer has answered. */
  settle(id: unknown): void {
    const original = this.#originals.get(id as number);
    if (original === undefined) return;
    this.#originals.delete(id as number);
    if (this.#forwarded.get(original) === id) this.#forwarded.delete(original);
  }
}
