import { textOfThrown } from "../base/errors.js";
import { Fifo } from "../base/fifo.js";
import { asPromise, callSafely } from "../base/promises.js";
import { startTimer } from "../base/waiting-limits.js";
import type { AbortControllerClass, HostSignal } from "../base/web-standards.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";
import type { ConversationTable, EnvelopeTable } from "../protocol/protocol-description.js";
import { failureFields, refusalFields, refusedWith, type RefusedWith } from "./failure-response.js";
import { textOfInvalid, type MessageChecks } from "./message-checks.js";
import {
  thrownProblem,
  type AnyConnectOptions,
  type AnyRequestHandler,
  type Problem,
  type RequestContext,
} from "./options.js";
import type { MessageBuilder, OutgoingMessages } from "./outgoing-messages.js";
import type { OutgoingRequests } from "./outgoing-requests.js";

/** Maximum number of bytes of unwritten output at which a handler may start. */
const maxBacklogBytes = 0x100_0000;

interface ResponderParts {
  /** This side's role. This side answers the requests. */
  readonly role: string;
  /** The connection passed to handlers. */
  readonly connection: unknown;
  readonly envelope: EnvelopeTable;
  readonly conversation: ConversationTable;
  readonly build: MessageBuilder;
  readonly outgoing: OutgoingMessages;
  readonly order: EventOrder;
  readonly requests: Pick<OutgoingRequests, "isUnanswered">;
  readonly options: AnyConnectOptions;
  readonly checks: MessageChecks | undefined;
  readonly report: (problem: Problem) => void;
  readonly fail: (problem: Problem) => void;
}

/** Answers each incoming request exactly once, even if its handler fails. */
export class RequestResponder {
  readonly #parts: ResponderParts;
  readonly #handlers: Map<string, AnyRequestHandler>;
  readonly queue: RequestQueue;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
    const {
      handlers = {},
      maxAnswering = 1_000,
      maxQueuedBytes = 64 * 1024 * 1024,
    } = parts.options;
    this.#handlers = new Map(
      Object.entries(handlers).filter(
        (entry): entry is [string, AnyRequestHandler] => entry[1] !== undefined,
      ),
    );
    const output = parts.outgoing.queue;
    this.queue = new RequestQueue({
      maxAnswering,
      maxQueuedBytes,
      answer: (request) => this.#answer(request),
      answerCancelled: (request) => this.#refuseCancelled(request),
      refuse: (request, isFirstRefusal) => this.#refuseForRoom(request, isFirstRefusal),
      isBacklogged: () => output.backlog > maxBacklogBytes,
      onStalled: () =>
        parts.fail({
          code: "ERR_OVERLOADED",
          message: "The peer sends requests without reading the responses",
        }),
    });
  }

  /**
   * Sets the handler for a request. Returns a function that removes it.
   *
   * @throws TypeError if the request already has a handler.
   */
  handle(name: string, handler: AnyRequestHandler): () => void {
    if (this.#handlers.has(name))
      throw new TypeError(
        `Cannot handle "${name}": it already has a handler. Remove that handler first`,
      );
    this.#handlers.set(name, handler);
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name);
    };
  }

  /**
   * Answers a request or queues it.
   *
   * @param bytes Length of the message's body.
   * @param refusal Why the request is to be refused without calling a handler.
   */
  receive(message: AnyFields, bytes: number, refusal?: string): void {
    const { request, id } = this.#parts.envelope;
    const { cancel } = this.#parts.conversation;
    const name = nameOf(message[request.name]);
    const isCancel = name === cancel?.message;
    const parameters = message[request.payload];
    if (isCancel && isObject(parameters)) this.queue.cancel(parameters[cancel.id]);
    this.queue.receive(
      new IncomingRequest(message, name, message[id], bytes, refusal, this.#parts.connection),
      isCancel,
    );
  }

  #answer(request: IncomingRequest): Promise<void> | undefined {
    const { failures, cancel } = this.#parts.conversation;
    const { name } = request;
    if (request.refusal !== undefined) {
      this.#refuse(request, failures.failed, request.refusal);
      return undefined;
    }
    const handler = this.#handlers.get(name);
    if (handler === undefined) {
      if (name === cancel?.message) this.#reply(request, undefined);
      else this.#refuse(request, failures.unknown, "");
      return undefined;
    }
    const { checks, requests } = this.#parts;
    const issues = checks?.refuse("request", name, request.request);
    if (issues !== undefined) {
      if (requests.isUnanswered(name)) checks!.report("request", name, request.request, issues);
      const text = textOfInvalid("request", name, issues);
      this.#refuse(request, failures.invalid ?? failures.failed, text);
      return undefined;
    }
    this.#parts.order.begin(request);
    try {
      const { payload } = this.#parts.envelope.request;
      const result = handler(request.request[payload] as never, request);
      const promise = asPromise(result);
      if (promise !== undefined)
        return promise.then(
          (result) => this.#finish(request, result),
          (error: unknown) => this.#explainThrown(request, error),
        );
      this.#reply(request, result);
    } catch (error) {
      this.#explainThrown(request, error);
    }
    return undefined;
  }

  /** Called when an asynchronous handler has resolved. */
  #finish(request: IncomingRequest, result: unknown): void {
    if (request.isCancelled && result === undefined) this.#refuseCancelled(request);
    else this.#reply(request, result);
  }

  #reply(request: IncomingRequest, result: unknown): void {
    if (request.isAnswered || this.#isOver(request)) return;
    const { build } = this.#parts;
    try {
      this.#send(request, build.success(request.request, request.name, result), request.callbacks);
    } catch (error) {
      // If the result cannot be sent, the request must still be answered.
      this.#explain(
        request,
        `The handler for "${request.name}" returned an unusable result`,
        error,
      );
    }
  }

  /** Called when the handler threw or rejected. */
  #explainThrown(request: IncomingRequest, error: unknown): void {
    this.#explain(request, `The handler for "${request.name}" threw`, error);
  }

  /** Answers a request that failed, and reports the failure unless the handler intended it. */
  #explain(request: IncomingRequest, what: string, error: unknown): void {
    const { failures } = this.#parts.conversation;
    const { isCancelled } = request;
    const template = isCancelled ? failures.cancelled : failures.failed;
    const refused = refusedWith(error);
    this.#refuse(request, template, textOfThrown(error), refused);
    if (isCancelled || refused !== undefined) return;
    this.#reportFailure(request, what, error);
  }

  /**
   * Returns whether a request is complete as soon as its handler is, because it has no response.
   */
  #isOver(request: IncomingRequest): boolean {
    if (!this.#parts.requests.isUnanswered(request.name)) return false;
    request.isAnswered = true;
    this.#parts.order.finish(request);
    this.#runAfter(request, request.callbacks ?? []);
    return true;
  }

  #refuseCancelled(request: IncomingRequest): void {
    this.#refuse(request, this.#parts.conversation.failures.cancelled, "cancelled");
  }

  #refuseForRoom(request: IncomingRequest, isFirstRefusal: boolean): void {
    if (isFirstRefusal) {
      const message = "Requests are refused: the queue has reached maxQueuedBytes";
      this.#parts.report({ code: "ERR_OVERLOADED", message, subject: request.request });
    }
    const { failures } = this.#parts.conversation;
    this.#refuse(request, failures.failed, "Too many requests are queued");
  }

  /**
   * Sends a failure response. If it cannot be encoded, sends a response without the handler's
   * fields.
   */
  #refuse(request: IncomingRequest, template: AnyFields, text: string, more?: RefusedWith): void {
    if (request.isAnswered || this.#isOver(request)) return;
    const { build, outgoing, fail, role } = this.#parts;
    const { failures } = this.#parts.conversation;
    const { name } = request;
    const subject = { name, text, role };
    const fields = failureFields(template, subject);
    try {
      const all = more === undefined ? fields : refusalFields(failures, template, subject, more);
      this.#send(request, build.failure(request.request, name, all));
      return;
    } catch (error) {
      this.#reportFailure(request, `Cannot report the failure of "${name}"`, error);
    }
    try {
      const bytes = outgoing.encodeUnseen(build.failure(request.request, name, fields));
      request.isAnswered = true;
      outgoing.queue.push(bytes);
      this.#parts.order.finish(request);
    } catch (cause) {
      const what = `Cannot answer "${name}"`;
      fail(thrownProblem("ERR_REQUEST_HANDLER", what, cause, request.request));
    }
  }

  /**
   * Sends a response.
   *
   * @throws EncodeError if the response cannot be encoded, and any exceptions thrown by callbacks.
   */
  #send(request: IncomingRequest, response: object, callbacks?: readonly (() => unknown)[]): void {
    const { outgoing, order, report } = this.#parts;
    const bytes = outgoing.encode(response, request.name);
    request.isAnswered = true;
    if (bytes === undefined)
      report({
        code: "ERR_MIDDLEWARE",
        message: `A middleware dropped the response to "${request.name}"`,
        subject: response,
      });
    else if (callbacks === undefined) outgoing.queue.push(bytes);
    else
      outgoing.queue.write(bytes).then(
        () => this.#runAfter(request, callbacks),
        // Ignore the rejection: the connection has ended.
        () => undefined,
      );
    order.finish(request);
  }

  /** Calls the functions that a handler passed to `after`. */
  #runAfter(request: IncomingRequest, callbacks: readonly (() => unknown)[]): void {
    const what = `A function that runs after the response to "${request.name}" failed`;
    for (const run of callbacks)
      callSafely(run, (error) => this.#reportFailure(request, what, error));
  }

  #reportFailure(request: IncomingRequest, what: string, cause: unknown): void {
    this.#parts.report(thrownProblem("ERR_REQUEST_HANDLER", what, cause, request.request));
  }
}

/** Returns the name of an incoming message, which may be of any type: `["next"]` is not `next`. */
export function nameOf(name: unknown): string {
  if (typeof name === "string") return name;
  const text = textOfThrown(name);
  return typeof name === "object" && name !== null ? `(${text})` : text;
}

/** Number of bytes counted for a queued request in addition to its body. */
const requestBytes = 256;

/** Maximum number of concurrent cancel request handlers, which are limited separately. */
const maxCancelling = 1_000;

/**
 * Reading resumes if no handler completes within this many pauses, because handlers may be waiting
 * for unread data. The limit is a number of pauses rather than a time, because a blocked event loop
 * delays pauses.
 */
const stallLimit = { pauses: 10, milliseconds: 10 };

/**
 * The pause limit that applies while no handler can start because the peer is not reading our
 * responses. When the limit is reached, `onStalled` is called.
 */
const backlogStallLimit = { pauses: 30, milliseconds: 1_000 };

interface RequestQueueOptions {
  /** Maximum number of concurrent handlers. */
  readonly maxAnswering: number;
  /** Maximum total size of queued requests, in bytes. */
  readonly maxQueuedBytes: number;
  /**
   * Answers a request. Returns a promise if the handler is asynchronous. Neither throws nor
   * rejects.
   */
  readonly answer: (request: IncomingRequest) => Promise<void> | undefined;
  /** Called with a request that was cancelled while it was queued. */
  readonly answerCancelled: (request: IncomingRequest) => void;
  /**
   * Called with a request that does not fit into the queue. `isFirstRefusal` is set for the first
   * such request since the queue last had room.
   */
  readonly refuse: (request: IncomingRequest, isFirstRefusal: boolean) => void;
  /** Returns whether so much output is unwritten that no handler may start. */
  readonly isBacklogged: () => boolean;
  /** Called when the queue has waited too long for the peer to read our responses. */
  readonly onStalled: () => void;
}

/**
 * Incoming requests that have not been answered yet. They are either running or queued.
 *
 * Reading continues while requests are queued, so that a running handler can receive the response,
 * event or cancellation that it is waiting for. When the queue is half full, reading pauses as long
 * as handlers keep completing. If none completes, they may be waiting for unread data. Reading then
 * resumes, and requests that do not fit into the queue are refused.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #queue = new Fifo<IncomingRequest>();
  /**
   * Running and queued requests by id. If several requests share an id, this contains the latest
   * one.
   */
  readonly #byId = new Map<unknown, IncomingRequest>();
  readonly #running = new Set<IncomingRequest>();
  #queuedBytes = 0;
  /** Number of running handlers, not counting those of cancel requests. */
  #runningCount = 0;
  #cancelCount = 0;
  /** Incremented whenever the queue gains room. */
  #progress = 0;
  /** Whether reading continues although the queue is full. */
  #isStuck = false;
  #isStarting = false;
  #isStopped = false;
  #isRefusing = false;
  #wake: () => void = () => undefined;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /** Answers a request immediately or queues it. Cancel requests are never queued. */
  receive(request: IncomingRequest, isCancel: boolean): void {
    if (this.#mayCancelNow(isCancel)) this.#answer(request, true);
    else if (this.#queue.size === 0 && this.#hasSlot()) this.#answer(request);
    else if (this.#queuedBytes >= this.#options.maxQueuedBytes) {
      const isFirstRefusal = !this.#isRefusing;
      this.#isRefusing = true;
      this.#options.refuse(request, isFirstRefusal);
    } else {
      this.#queue.push(request);
      this.#byId.set(request.id, request);
      this.#queuedBytes += request.bytes + requestBytes;
    }
  }

  /** Cancels a running or queued request. */
  cancel(id: unknown): void {
    const request = this.#byId.get(id);
    if (request === undefined || request.isCancelled) return;
    request.cancel();
    if (!request.isStarted) this.#options.answerCancelled(request);
  }

  /** Starts as many queued requests as the limits allow. */
  startQueued(): void {
    this.#progress++;
    this.#isStuck = false;
    if (!this.#isStarting) {
      this.#isStarting = true;
      while (this.#queue.size > 0 && this.#hasSlot()) {
        const request = this.#queue.shift()!;
        this.#queuedBytes -= request.bytes + requestBytes;
        this.#forget(request);
        if (!request.isAnswered) this.#answer(request);
      }
      this.#isStarting = false;
      this.#isRefusing &&= this.#isHalfFull;
    }
    this.#wake();
  }

  /** Settles when reading may continue. Undefined if it may continue right away. */
  untilRoom(): Promise<void> | undefined {
    return this.#mustWait() ? this.#waitForRoom() : undefined;
  }

  /** Prevents handlers from starting. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.takeAll();
    this.#queuedBytes = 0;
    this.#wake();
  }

  /** Aborts the signals of running handlers. */
  abort(): void {
    for (const request of this.#running) request.cancel();
  }

  get #isHalfFull(): boolean {
    return this.#queuedBytes >= this.#options.maxQueuedBytes / 2;
  }

  #hasSlot(): boolean {
    return this.#runningCount < this.#options.maxAnswering && !this.#options.isBacklogged();
  }

  #mayCancelNow(isCancel: boolean): boolean {
    return isCancel && this.#cancelCount < maxCancelling && !this.#options.isBacklogged();
  }

  #answer(request: IncomingRequest, isCancel = false): void {
    const count = (change: number): void => {
      if (isCancel) this.#cancelCount += change;
      else this.#runningCount += change;
    };
    // Count the handler first, because the next request may arrive before it returns.
    count(1);
    request.isStarted = true;
    const answer = this.#options.answer(request);
    if (answer === undefined) {
      count(-1);
      if (!isCancel && this.#queue.size > 0 && !this.#isStarting) this.startQueued();
      return;
    }
    this.#byId.set(request.id, request);
    this.#running.add(request);
    void answer.then(() => {
      count(-1);
      this.#running.delete(request);
      this.#forget(request);
      if (!isCancel) this.startQueued();
    });
  }

  #forget(request: IncomingRequest): void {
    if (this.#byId.get(request.id) === request) this.#byId.delete(request.id);
  }

  #mustWait(): boolean {
    // Wait if the queue is half full: the other half is reserved for requests in the next chunk.
    if (!this.#isHalfFull || this.#isStopped) return false;
    return !this.#isStuck || this.#options.isBacklogged();
  }

  async #waitForRoom(): Promise<void> {
    let seen = this.#progress;
    for (let pauses = 0; this.#mustWait(); pauses++) {
      const isBacklogged = this.#options.isBacklogged();
      const limit = isBacklogged ? backlogStallLimit : stallLimit;
      if (this.#progress !== seen) {
        seen = this.#progress;
        pauses = 0;
      }
      if (pauses === limit.pauses) {
        if (isBacklogged) this.#options.onStalled();
        else this.#isStuck = true;
        return;
      }
      await this.#pause(limit.milliseconds);
    }
  }

  /** Waits for a delay to pass or for progress, whichever comes first. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const stopTimer = startTimer(milliseconds, resolve);
      this.#wake = () => {
        stopTimer();
        resolve();
      };
    });
  }
}

declare const AbortController: AbortControllerClass;

/**
 * An incoming request. Its signal is created on demand, because creating one is expensive and most
 * handlers do not need it.
 */
export class IncomingRequest implements RequestContext {
  readonly request: AnyFields;
  readonly name: string;
  readonly id: unknown;
  /** Length of the message's body. */
  readonly bytes: number;
  /**
   * Why the request is to be refused without calling a handler; undefined if it is to be handled.
   */
  readonly refusal: string | undefined;
  readonly connection: unknown;
  isStarted = false;
  isCancelled = false;
  isAnswered = false;
  #controller: InstanceType<AbortControllerClass> | undefined;

  /** Functions to call once the response has been written. */
  callbacks: (() => unknown)[] | undefined;

  constructor(
    request: AnyFields,
    name: string,
    id: unknown,
    bytes: number,
    refusal?: string,
    connection?: unknown,
  ) {
    this.connection = connection;
    this.request = request;
    this.name = name;
    this.id = id;
    this.bytes = bytes;
    this.refusal = refusal;
  }

  /** Use a getter so that handlers can destructure the context. */
  get after(): RequestContext["after"] {
    return (run) => void (this.callbacks ??= []).push(run);
  }

  get signal(): HostSignal {
    this.#controller ??= new AbortController();
    if (this.isCancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#controller?.abort();
  }
}

/** Sends an event that was held back. */
type Send = () => void;

/**
 * Holds events back until the requests that cause them have been answered. For example, a handler
 * for `next` may report the stop before it returns, but the peer expects the response first. Any
 * events that follow are also held back, so that events stay in order.
 */
export class EventOrder {
  readonly #follows: NonNullable<ConversationTable["follows"]>;
  readonly #causes: ReadonlySet<string>;
  readonly #unanswered = new Set<IncomingRequest>();
  #held: { readonly name: string; readonly send: Send }[] = [];

  constructor({ follows = {} }: ConversationTable) {
    this.#follows = follows;
    this.#causes = new Set(Object.values(follows).flat());
  }

  /** Called when a handler starts. */
  begin(request: IncomingRequest): void {
    if (this.#causes.has(request.name)) this.#unanswered.add(request);
  }

  /** Called when a response has been queued. */
  finish(request: IncomingRequest): void {
    if (!this.#unanswered.delete(request) || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    for (const [index, { name, send }] of held.entries()) {
      if (this.#mustFollow(name)) {
        this.#held = [...held.slice(index), ...this.#held];
        return;
      }
      send();
    }
  }

  /** Holds an event back if necessary. Returns whether it was held back. */
  hold(name: string, send: Send): boolean {
    if (this.#unanswered.size === 0) return false;
    if (this.#held.length === 0 && !this.#mustFollow(name)) return false;
    this.#held.push({ name, send });
    return true;
  }

  #mustFollow(name: string): boolean {
    const causes = Object.hasOwn(this.#follows, name) ? this.#follows[name]! : [];
    if (causes.length === 0) return false;
    return [...this.#unanswered].some((request) => causes.includes(request.name));
  }
}
