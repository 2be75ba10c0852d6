import {
  callback,
  checkOptions,
  oneOf,
  recordOf,
  type OptionCheck,
} from "../base/check-options.js";
import { textOfThrown } from "../base/errors.js";
import { callSafely, markHandled, setAsyncDispose } from "../base/promises.js";
import { limitOf } from "../base/waiting-limits.js";
import type { SetTimeout } from "../base/web-standards.js";
import type { CreateDecoder } from "../frames/decoder-options.js";
import { PeerCapabilities } from "../protocol/capabilities.js";
import { ArrivalOrder } from "./arrival-order.js";
import { EventListeners } from "./events.js";
import { endOf, FailedCalls, unsentError, type ConnectionEnd } from "./failed-calls.js";
import { IncomingBytes, IncomingMessages } from "./incoming-messages.js";
import { EventOrder, RequestResponder } from "./incoming-requests.js";
import { createMessageChecks, type MessageCheck, type MessageChecks } from "./message-checks.js";
import { MiddlewareChain } from "./middleware.js";
import {
  connectionChecks,
  defaultGraceMs,
  graceOf,
  middlewareCheck,
  thrownProblem,
  type AnyConnectOptions,
  type AnyRequestHandler,
  type CloseOptions,
  type ConnectionProtocol,
  type CustomRequestOptions,
  type EventMark,
  type EventWaitOptions,
  type KnownMessages,
  type ListenOptions,
  type Middleware,
  type Problem,
  type RequestOptions,
} from "./options.js";
import { MessageBuilder, OutgoingMessages } from "./outgoing-messages.js";
import {
  checkMessageName,
  OutgoingRequests,
  PendingRequests,
  type Direction,
} from "./outgoing-requests.js";
import { checkTransport, TransportClosing, type Transport } from "./transport.js";

declare const setTimeout: SetTimeout;

/**
 * Requests, responses and events over a transport, in both directions.
 *
 * A message that cannot be processed is reported as a problem; the connection continues. When the
 * transport ends or fails, or when damaged bytes arrive in strict recovery, all pending requests
 * are rejected and the transport is closed. Responses are matched to requests by id alone. Every
 * incoming request is answered exactly once.
 */
export class ConnectionCore {
  readonly #build: MessageBuilder;
  readonly #requests: OutgoingRequests;
  readonly #options: AnyConnectOptions;
  /** Default `timeoutMs` for requests and `once`; undefined means no timeout. */
  readonly timeoutMs: number | undefined;
  readonly #outgoing: OutgoingMessages;
  readonly #order = new ArrivalOrder();
  readonly #pending: PendingRequests;
  readonly #responder: RequestResponder;
  readonly #listeners: EventListeners;
  readonly #eventOrder: EventOrder;
  readonly #peerCapabilities = new PeerCapabilities();
  readonly #closing: TransportClosing;
  readonly #incoming: IncomingBytes;
  readonly #middleware: MiddlewareChain;
  readonly #events: KnownMessages;
  readonly #outward: Direction;
  readonly #inward: Direction;
  /** Checks the `handlers` option, which contains the handlers for the peer's requests. */
  readonly #handlerCheck: OptionCheck;
  /** How the connection ended. Set as soon as the connection starts to close. */
  #end: ConnectionEnd | undefined;
  /**
   * Resolves when the connection has ended: to the error that ended it, or to undefined if there
   * was none.
   */
  readonly closed: Promise<Error | undefined>;

  /** @throws TypeError for an unknown role, unknown options and invalid values. */
  constructor(
    { protocol, requests, events, decode, encode, validators, notations = {} }: ConnectionProtocol,
    side: string,
    transport: Transport,
    options: AnyConnectOptions = {},
  ) {
    checkOptions("connect", { side }, { side: oneOf(...protocol.roles) });
    checkTransport("connect", transport);
    checkOptions("connect", options, connectionChecks);
    const received = Object.entries(requests).filter(([, each]) => each.sender !== side);
    this.#handlerCheck = recordOf(callback, new Map(received));
    const { handlers, parameters = validators.parameters } = options;
    checkOptions("connect", { handlers }, { handlers: this.#handlerCheck });
    const { envelope, conversation } = protocol;
    const report = (problem: Problem): void => this.#report(problem);
    const checked = { ...validators, parameters };
    const checksFor = (mode: MessageCheck): MessageChecks | undefined =>
      createMessageChecks(mode, checked, { requests, events }, envelope, report);
    const incomingChecks = checksFor(options.checkIncoming ?? "wire");
    const build = (this.#build = new MessageBuilder(envelope));
    const peer = protocol.roles.find((role) => role !== side) ?? side;
    this.#options = options;
    this.#events = events;
    const direction = (this.#outward = { sender: side, receiver: peer });
    this.#inward = { sender: peer, receiver: side };
    this.timeoutMs = limitOf(options.timeoutMs);
    const failedCalls: FailedCalls = new FailedCalls(
      () => this.#pending.size + this.#listeners.limitedWaits,
      () => this.#incoming.instead,
    );
    this.#pending = new PendingRequests(failedCalls);
    this.#listeners = new EventListeners(this.#order, failedCalls, this.timeoutMs);
    const middleware = (this.#middleware = new MiddlewareChain(options.middleware ?? [], report));
    const outgoing = new OutgoingMessages(
      encode,
      notations[side] ?? protocol.framing[side]!,
      options,
      checksFor(options.checkOutgoing ?? "off"),
      middleware,
      transport,
      {
        // Process earlier bytes first, because they may contain the reason for the failure.
        onFailure: (cause) => this.#order.follow(() => this.#failTransport(cause)),
        onProgress: () => this.#responder.queue.startQueued(),
      },
    );
    this.#outgoing = outgoing;
    this.#requests = new OutgoingRequests({
      conversation,
      requests,
      direction,
      build,
      outgoing,
      report,
      unannounced: options.unannounced,
      timeoutMs: this.timeoutMs,
      pending: this.#pending,
      peerCapabilities: this.#peerCapabilities,
      end: () => this.#end,
    });
    this.#eventOrder = new EventOrder(conversation);
    this.#responder = new RequestResponder({
      envelope,
      conversation,
      build,
      outgoing,
      options,
      report,
      checks: incomingChecks,
      role: side,
      connection: this,
      order: this.#eventOrder,
      requests: this.#requests,
      fail: (problem) => this.#fail(problem),
    });
    this.#closing = new TransportClosing(transport, () => this.#finishSending());
    this.closed = this.#closing.done.then(() => {
      this.#responder.queue.abort();
      outgoing.queue.end(() => unsentError(this.#end!));
      return this.#end!.error;
    });
    const messages = new IncomingMessages({
      envelope,
      conversation,
      middleware,
      options,
      report,
      checks: incomingChecks,
      peer,
      pending: this.#pending,
      listeners: this.#listeners,
      order: this.#order,
      responder: this.#responder,
      peerCapabilities: this.#peerCapabilities,
    });
    const framing = notations[peer] ?? protocol.framing[peer]!;
    this.#incoming = this.#decoderOf((options) => decode({ framing, ...options }), messages);
    this.#read(transport);
    setAsyncDispose(this, () => this.close());
  }

  /** The capabilities that the peer has announced so far. */
  get capabilities(): object | undefined {
    return this.#peerCapabilities.snapshot;
  }

  /** Whether the connection has ended or is closing, so that nothing more can be sent. */
  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  /** Number of requests awaiting a response. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Sends a request and resolves to its result.
   *
   * @throws Rejects with RequestError, TimeoutError, ConnectionClosedError, EncodeError, or the
   * signal's abort reason.
   */
  request(name: string, parameters?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#requests.send(name, parameters, options, false);
  }

  /**
   * Sends an event, or a request that has no response. Does nothing once the connection has ended.
   * If the protocol requires the event to follow the response to a request, the event is held back
   * while that request's handler is running.
   *
   * @throws EncodeError unless the event is held back; TypeError for a name that the protocol does
   * not define.
   */
  notify(name: string, body?: unknown): void {
    const isRequest = this.#requests.isUnanswered(name);
    if (!isRequest) checkMessageName(["notify", "notifyCustom"], name, this.#events, this.#outward);
    if (this.#end === undefined && this.#eventOrder.hold(name, () => this.#notifyHeld(name, body)))
      return;
    this.#send(isRequest ? this.#build.request(name, body)[1] : this.#build.event(name, body));
  }

  /** Sends an event without waiting for a handler. */
  notifyCustom(name: string, body?: unknown): void {
    this.#send(this.#build.event(name, body));
  }

  #send(message: object): void {
    if (this.#end !== undefined) return;
    const bytes = this.#outgoing.encode(message);
    // Check again, because a middleware may have closed the connection.
    if (bytes !== undefined && !this.isClosed) this.#outgoing.queue.push(bytes);
  }

  /**
   * False if the peer has more than 1 MiB to read, because `notify` never waits: call `flushed`
   * before you send more.
   */
  get hasRoom(): boolean {
    return this.#outgoing.queue.hasRoom;
  }

  /**
   * Resolves once the transport has accepted everything sent so far. A rejection that you ignore
   * does not count as unhandled.
   *
   * @throws Rejects with ConnectionClosedError if the connection ends first.
   */
  flushed(): Promise<void> {
    const end = this.#end;
    return end === undefined
      ? this.#outgoing.queue.flushed()
      : markHandled(Promise.reject(unsentError(end)));
  }

  /**
   * Adds a middleware ahead of all the connection's others. It sees messages from now on. Returns a
   * function that removes it.
   *
   * @throws TypeError for an object that is not a middleware.
   */
  addMiddleware(middleware: Middleware): () => void {
    checkOptions("addMiddleware", { middleware }, { middleware: middlewareCheck });
    return this.#middleware.add(middleware);
  }

  /** @throws TypeError for an event that the peer does not send. */
  #checkEvent(caller: string, name: string): void {
    if (name !== "*") checkMessageName([caller, "onCustom"], name, this.#events, this.#inward);
  }

  /** Adds a listener for an event. Returns a function that removes it. */
  on(
    name: string,
    listener: (body: never, message: never) => void,
    options?: ListenOptions,
  ): () => void {
    this.#checkEvent("on", name);
    return this.#listeners.on(name, listener as (body: unknown, message: object) => void, options);
  }

  /**
   * Iterates over the bodies of all events with this name that arrive from now on. The iterator
   * ends when the connection does.
   *
   * @throws Rejects with ConnectionClosedError or the signal's abort reason.
   */
  events(name: string, options?: ListenOptions): AsyncIterableIterator<unknown> {
    this.#checkEvent("events", name);
    return this.#listeners.events(name, options);
  }

  /** Returns a mark for the current moment, to pass to `once` as its `since` option. */
  mark(): EventMark {
    return this.#listeners.mark();
  }

  /**
   * Resolves to the body of the next event with this name.
   *
   * @throws Rejects with TimeoutError, ConnectionClosedError, or the signal's abort reason.
   */
  once(name: string, options: EventWaitOptions = {}): Promise<unknown> {
    try {
      this.#checkEvent("once", name);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#listeners.once(name, options);
  }

  /** Sends a request that the protocol does not define. It requires no capability. */
  requestCustom(
    name: string,
    parameters?: unknown,
    options?: CustomRequestOptions<unknown>,
  ): Promise<unknown> {
    return this.#requests.send(name, parameters, options, true);
  }

  onCustom(
    name: string,
    listener: (body: unknown, message: object) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#listeners.on(name, listener, options);
  }

  handleCustom(name: string, handler: AnyRequestHandler): () => void {
    return this.#responder.handle(name, handler);
  }

  /**
   * Sets the handler for requests with this name. Returns a function that removes it.
   *
   * @throws TypeError if there already is a handler, or if the peer does not send such requests.
   */
  handle(name: string, handler: AnyRequestHandler): () => void {
    const handlers = { [name]: handler };
    checkOptions("handle", { handlers }, { handlers: this.#handlerCheck });
    return this.#responder.handle(name, handler);
  }

  /**
   * Closes the connection: rejects pending requests, writes the messages already sent, and closes
   * the transport. If this takes longer than `graceMs`, destroys the transport. Always settles.
   *
   * @throws Rejects with TypeError for unknown options and invalid values.
   */
  async close(options?: CloseOptions): Promise<void> {
    const milliseconds = graceOf(options);
    this.#stop();
    this.#closing.closeWithin(milliseconds);
    await this.closed;
  }

  #decoderOf(decode: CreateDecoder, messages: IncomingMessages): IncomingBytes {
    const order = this.#order;
    const isOver = (): boolean => this.#end !== undefined;
    return new IncomingBytes(decode, this.#options, {
      onMessage: (message, frame) => {
        if (!isOver()) messages.receive(message, frame, isOver);
      },
      onProblem: (problem) => order.follow(() => this.#report(problem)),
      onFault: (text) => order.follow(() => this.#endAfterFault(text)),
      onFailure: (cause) => order.follow(() => this.#failTransport(cause)),
      isOver,
      untilRoom: () => this.#untilRoom(),
    });
  }

  #read(transport: Transport): void {
    const incoming = this.#incoming;
    const onEnd = (error?: unknown, detail?: string): void => {
      const over = (): void => {
        if (error === undefined) this.#finish(detail);
        else this.#failTransport(error);
      };
      const waiting = incoming.end();
      if (waiting === undefined) this.#order.follow(over);
      else void waiting.then(() => this.#order.follow(over));
    };
    const { messages } = transport;
    if (messages === undefined) transport.read((chunk) => incoming.take(chunk), onEnd);
    else messages.read((text) => incoming.takeText(text), onEnd);
  }

  #untilRoom(): Promise<void> | undefined {
    const untilEmpty = this.#order.untilEmpty();
    if (untilEmpty === undefined) return this.#responder.queue.untilRoom();
    return untilEmpty.then(() => this.#responder.queue.untilRoom());
  }

  #notifyHeld(name: string, body: unknown): void {
    try {
      const bytes = this.#outgoing.encode(this.#build.event(name, body));
      // Send the event even if the connection is closing.
      if (bytes !== undefined) this.#outgoing.queue.push(bytes);
    } catch (cause) {
      this.#report(thrownProblem("ERR_REQUEST_HANDLER", `Cannot send the event "${name}"`, cause));
    }
  }

  #report(problem: Problem): void {
    // An exception thrown by onProblem must not break the connection.
    callSafely(() => this.#options.onProblem?.(problem));
  }

  #failTransport(cause: unknown): void {
    this.#fail(thrownProblem("ERR_TRANSPORT", "The transport failed", cause));
  }

  /** Ends the connection immediately because of a problem. */
  #fail(problem: Problem): void {
    const { message, cause } = problem;
    if (this.#end === undefined) this.#report(problem);
    const error = cause instanceof Error ? cause : new Error(message, { cause });
    this.#stop(cause === undefined ? message : textOfThrown(cause), error);
    this.#responder.queue.abort();
    this.#outgoing.queue.end(() => unsentError(this.#end!));
    this.#closing.destroy();
  }

  /** Called after a fault in strict recovery. Messages already sent are still written. */
  #endAfterFault(text: string): void {
    this.#stop(text, new Error(text), "");
    this.#closing.closeWithin(defaultGraceMs);
  }

  /** Settles once all messages that can still be sent have been written. */
  async #finishSending(): Promise<void> {
    // Handlers that have completed will have sent their responses by the next turn. Others may
    // respond when they are aborted.
    await turn();
    this.#responder.queue.abort();
    await turn();
    await this.#outgoing.queue.drain();
  }

  #finish(detail: string | undefined): void {
    this.#stop(detail);
    this.#closing.closeWithin(defaultGraceMs);
  }

  /** Stops receiving messages, and stops accepting messages to send. */
  #stop(detail?: string, error?: Error, instead = this.#incoming.instead): void {
    if (this.#end !== undefined) return;
    const end = endOf(detail, error, instead);
    this.#end = end;
    this.#incoming.stop();
    this.#pending.rejectAll(end);
    this.#listeners.close(end);
    this.#responder.queue.stop();
  }
}

/** Lets pending promise callbacks and timers run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
