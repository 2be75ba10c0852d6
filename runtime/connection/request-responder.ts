import { IncomingRequest } from "./incoming-request.js";
import type { AnyRequestHandler, AnyConnectOptions, Problem } from "./connection-settings.js";
import { failureFields, refusalFields } from "./failure-response.js";
import type { MessageBuilder } from "./message-builder.js";
import type { EventOrder } from "./event-order.js";
import type { OutgoingMessages } from "./outgoing-messages.js";
import type { OutgoingRequests } from "./outgoing-requests.js";
import type { ConversationTable, EnvelopeTable } from "../protocol/protocol-description.js";
import { refusedWith, type RefusedWith } from "./refusal.js";
import { IncomingRequests } from "./incoming-requests.js";
import { asPromise, onRejection } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";

/** Maximum number of bytes of unwritten output at which a handler may start. */
const maxBacklogBytes = 0x100_0000;

export interface ResponderParts {
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
  readonly settings: AnyConnectOptions;
  readonly report: (problem: Problem) => void;
  readonly fail: (problem: Problem) => void;
}

/** Answers each incoming request exactly once, even if its handler fails. */
export class RequestResponder {
  readonly #parts: ResponderParts;
  readonly #handlers: Map<string, AnyRequestHandler>;
  readonly #requests: IncomingRequests;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
    const {
      handlers = {},
      maxAnswering = 1_000,
      maxQueuedBytes = 64 * 1024 * 1024,
    } = parts.settings;
    this.#handlers = new Map(
      Object.entries(handlers).filter(
        (entry): entry is [string, AnyRequestHandler] => entry[1] !== undefined,
      ),
    );
    const { queue } = parts.outgoing;
    this.#requests = new IncomingRequests({
      maxAnswering,
      maxQueuedBytes,
      answer: (request) => this.#answer(request),
      answerCancelled: (request) => this.#refuseCancelled(request),
      refuse: (request, isFirstRefusal) => this.#refuseForRoom(request, isFirstRefusal),
      isBacklogged: () => queue.backlog > maxBacklogBytes,
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
    if (isCancel && isObject(parameters)) this.cancel(parameters[cancel.id]);
    this.#requests.receive(
      new IncomingRequest(message, name, message[id], bytes, refusal, this.#parts.connection),
      isCancel,
    );
  }

  /** Cancels the request with this id. */
  cancel(id: unknown): void {
    this.#requests.cancel(id);
  }

  /** Called when the transport accepts data again. */
  resume(): void {
    this.#requests.startQueued();
  }

  /** Settles when reading may continue. Undefined if it may continue right away. */
  untilRoom(): Promise<void> | undefined {
    return this.#requests.untilRoom();
  }

  /** Prevents handlers from starting. */
  stop(): void {
    this.#requests.stop();
  }

  /** Aborts the signals of running handlers. */
  abort(): void {
    this.#requests.abort();
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
    this.#parts.order.begin(request);
    try {
      const { payload } = this.#parts.envelope.request;
      const result = handler(request.request[payload] as never, request);
      const promise = asPromise(result);
      if (promise !== undefined)
        return promise.then(
          (result) => this.#finish(request, result),
          (error: unknown) => this.#explain(request, error),
        );
      this.#reply(request, result);
    } catch (error) {
      this.#explain(request, error);
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
      this.#explain(request, error);
    }
  }

  /** Called when the handler threw or rejected, or when its result cannot be sent. */
  #explain(request: IncomingRequest, error: unknown): void {
    const { failures } = this.#parts.conversation;
    const { isCancelled } = request;
    const template = isCancelled ? failures.cancelled : failures.failed;
    const refused = refusedWith(error);
    this.#refuse(request, template, textOfThrown(error), refused);
    if (isCancelled || refused !== undefined) return;
    this.#reportFailure(request, `The handler for "${request.name}" threw`, error);
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
      fail({
        code: "ERR_REQUEST_HANDLER",
        message: `Cannot answer "${name}": ${textOfThrown(cause)}`,
        subject: request.request,
        cause,
      });
    }
  }

  /**
   * Sends a response.
   *
   * @throws EncodeError if the response cannot be encoded, and any exceptions thrown by callbacks.
   */
  #send(request: IncomingRequest, response: object, callbacks?: readonly (() => unknown)[]): void {
    const { outgoing, order, report } = this.#parts;
    const bytes = outgoing.encode(response);
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
    const failed = (error: unknown): void =>
      this.#reportFailure(
        request,
        `A function that runs after the response to "${request.name}" failed`,
        error,
      );
    for (const run of callbacks) {
      try {
        onRejection(run(), failed);
      } catch (error) {
        failed(error);
      }
    }
  }

  #reportFailure(request: IncomingRequest, what: string, cause: unknown): void {
    this.#parts.report({
      code: "ERR_REQUEST_HANDLER",
      message: `${what}: ${textOfThrown(cause)}`,
      subject: request.request,
      cause,
    });
  }
}

/** Returns the name of an incoming message, which may be of any type: `["next"]` is not `next`. */
export function nameOf(name: unknown): string {
  if (typeof name === "string") return name;
  const text = textOfThrown(name);
  return typeof name === "object" && name !== null ? `(${text})` : text;
}
