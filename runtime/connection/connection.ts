import { PeerCapabilities } from "../protocol/capabilities.js";
import { closedError, endOf, unsentError, type ConnectionEnd } from "./connection-end.js";
import {
  defaultCloseMs,
  type AnyRequestHandler,
  type CloseOptions,
  type ConnectionProtocol,
  type ConnectionSettings,
  type Problem,
  type RequestOptions,
} from "./connection-settings.js";
import { EventListeners } from "./event-listeners.js";
import { IncomingBytes } from "./incoming-bytes.js";
import { IncomingMessages } from "./incoming-messages.js";
import { MessageBuilder } from "./message-builder.js";
import { MiddlewareChain } from "./middleware-chain.js";
import { OutgoingMessages } from "./outgoing-messages.js";
import { abortedError, PendingRequests } from "./pending-requests.js";
import { deferred, markHandled, onRejection } from "../base/promises.js";
import type { ConversationTable, MessageFacts } from "../protocol/protocol-table.js";
import { RequestResponder } from "./request-responder.js";
import { lostError, RequestError } from "./request-error.js";
import { textOfThrown } from "../base/thrown.js";
import { TransportClosing } from "./transport-closing.js";
import type { Transport } from "./transport.js";
import { readMilliseconds, readTimeout } from "../base/waiting-limits.js";

/**
 * A conversation over a transport: requests with their responses, events, and requests of the other side.
 *
 * What arrives and cannot be dealt with is a problem and ends nothing. When the transport ends or fails, or in
 * strict recovery the bytes are damaged, all that waits is rejected and the transport closed. Responses find
 * their requests by number alone. Every request of the other side is answered once.
 */
export class ConnectionCore {
  readonly #build: MessageBuilder;
  readonly #conversation: ConversationTable;
  readonly #requests: { readonly [name: string]: MessageFacts };
  readonly #peer: string;
  readonly #settings: ConnectionSettings;
  readonly #timeoutMs: number | undefined;
  readonly #outgoing: OutgoingMessages;
  readonly #pending = new PendingRequests();
  readonly #responder: RequestResponder;
  readonly #listeners = new EventListeners();
  readonly #peerCapabilities = new PeerCapabilities();
  readonly #closing: TransportClosing;
  /** How it ended, as soon as it begins to. */
  #end: ConnectionEnd | undefined;
  /** Resolves when the connection is over, whatever ended it: to what went wrong, if something did. */
  readonly closed: Promise<Error | undefined>;

  /** @throws RangeError for settings that are no limits. */
  constructor(
    { protocol, requests }: ConnectionProtocol,
    role: string,
    transport: Transport,
    settings: ConnectionSettings = {},
  ) {
    const { envelope, conversation } = protocol;
    const report = (problem: Problem): void => this.#report(problem);
    const build = new MessageBuilder(envelope);
    this.#build = build;
    this.#conversation = conversation;
    this.#requests = requests;
    this.#peer = protocol.roles.find((each) => each !== role) ?? role;
    this.#settings = settings;
    this.#timeoutMs = readTimeout(settings.timeoutMs);
    const middleware = new MiddlewareChain(settings.middleware ?? [], report);
    const outgoing = new OutgoingMessages(
      protocol.framing[role]!,
      settings,
      middleware,
      transport,
      {
        onFailure: (cause) => this.#failTransport(cause),
        onProgress: () => this.#responder.resume(),
      },
    );
    this.#outgoing = outgoing;
    this.#responder = new RequestResponder({
      ...{ envelope, conversation, build, outgoing, settings, report },
      fail: (problem) => this.#fail(problem),
    });
    this.#closing = new TransportClosing(transport, () => this.#finishSending());
    this.closed = this.#closing.done.then(() => {
      this.#responder.abort();
      outgoing.queue.end((name) => unsentError(name, this.#end!));
      return this.#end!.error;
    });
    const messages = new IncomingMessages({
      ...{ envelope, conversation, middleware, settings, report, peer: this.#peer },
      ...{ pending: this.#pending, listeners: this.#listeners },
      ...{ responder: this.#responder, peerCapabilities: this.#peerCapabilities },
    });
    this.#read(transport, protocol.framing[this.#peer]!, messages);
  }

  /** What the other side has announced that it can do, so far. */
  get announced(): object | undefined {
    return this.#peerCapabilities.snapshot;
  }

  /** Whether it is over, or about to be: nothing can be sent any more. */
  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  /** Number of requests that wait for a response. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a request; resolves to its result. @throws RequestError or EncodeError, as a rejection. */
  request(name: string, parameters?: unknown, options: RequestOptions = {}): Promise<unknown> {
    const { promise, resolve, reject } = deferred<unknown>();
    try {
      const { signal } = options;
      const timeoutMs =
        options.timeoutMs === undefined ? this.#timeoutMs : readTimeout(options.timeoutMs);
      this.#checkOpen(name, signal);
      this.#checkSupported(name);
      const [number, message] = this.#build.request(name, parameters);
      const bytes = this.#outgoing.encode(message);
      // A middleware may have changed that.
      this.#checkOpen(name, signal);
      if (bytes === undefined) throw lostError(name, `A middleware held "${name}" back`);
      this.#pending.add(number, { name, promise, resolve, reject }, { signal, timeoutMs }, () =>
        this.#cancel(name, number),
      );
      this.#outgoing.queue.push(bytes);
    } catch (error) {
      if (this.#end !== undefined) void markHandled(promise);
      reject(error);
    }
    return promise;
  }

  /**
   * Sends an event. Resolves when the transport takes more; rejects if it cannot be sent because the
   * connection is over, which is no unhandled rejection where nobody looks at it.
   *
   * @throws EncodeError at once.
   */
  notify(name: string, body?: unknown): Promise<void> {
    if (this.#end === undefined) {
      const bytes = this.#outgoing.encode(this.#build.event(name, body));
      if (bytes === undefined) return Promise.resolve();
      // A middleware may have closed it.
      if (!this.isClosed) return this.#outgoing.queue.write(bytes, name);
    }
    return markHandled(Promise.reject(unsentError(name, this.#end!)));
  }

  /** Listens to an event; gives a function that ends it. */
  on(name: string, listener: (body: never, message: never) => void): () => void {
    return this.#listeners.on(name, listener as (body: unknown, message: object) => void);
  }

  /** The body of the next event of a name. @throws RequestError, as a rejection, as a request does. */
  once(name: string, options: RequestOptions = {}): Promise<unknown> {
    return this.#listeners.once(name, options);
  }

  requestCustom(name: string, parameters?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.request(name, parameters, options);
  }

  notifyCustom(name: string, body?: unknown): Promise<void> {
    return this.notify(name, body);
  }

  onCustom(name: string, listener: (body: unknown, message: object) => void): () => void {
    return this.on(name, listener);
  }

  handleCustom(name: string, handler: AnyRequestHandler): void {
    this.handle(name, handler);
  }

  /** Handles the requests of a name from now on. */
  handle(name: string, handler: AnyRequestHandler): void {
    this.#responder.handle(name, handler);
  }

  /**
   * Ends the conversation: what waits is given up, what was sent goes out, the transport is closed, and
   * destroyed if that takes too long. Settles in any case.
   *
   * @throws RangeError, as a rejection, for a time that is none.
   */
  async close({ timeoutMs = defaultCloseMs }: CloseOptions = {}): Promise<void> {
    const milliseconds = readMilliseconds("timeoutMs", timeoutMs);
    this.#stop(endOf());
    this.#closing.closeWithin(milliseconds);
    await this.closed;
  }

  /** @throws RequestError if the connection is over, or the request given up. */
  #checkOpen(name: string, signal: AbortSignal | undefined): void {
    if (this.#end !== undefined) throw closedError(name, this.#end);
    if (signal?.aborted === true) throw abortedError(name, signal);
  }

  /** @throws RequestError if a request must not be sent that the other side has not announced. */
  #checkSupported(name: string): void {
    const { gates = "send" } = this.#settings;
    if (gates === "send" || this.#isSupported(name)) return;
    const text = `Cannot send "${name}": the ${this.#peer} has not announced it`;
    if (gates === "refuse") throw new RequestError("ERR_REQUEST_NOT_ANNOUNCED", name, text);
    this.#report({ code: "ERR_NOT_ANNOUNCED", text });
  }

  /** Whether the other side has announced a request, or need not. */
  #isSupported(name: string): boolean {
    const facts = Object.hasOwn(this.#requests, name) ? this.#requests[name] : undefined;
    return facts === undefined || this.#peerCapabilities.has(facts.capability);
  }

  /**
   * Tells the other side that a result is not wanted any more; returns false if it cannot be told. A cancel is
   * not waited for and has no cancel of its own.
   */
  #cancel(name: string, number: number): boolean {
    const { cancel } = this.#conversation;
    if (cancel === undefined || name === cancel.message || this.#end !== undefined) return false;
    const isRequest = Object.hasOwn(this.#requests, cancel.message);
    if (isRequest && !this.#isSupported(cancel.message)) return false;
    const parameters = { [cancel.id]: number };
    try {
      const [own, message] = isRequest
        ? this.#build.request(cancel.message, parameters)
        : [undefined, this.#build.event(cancel.message, parameters)];
      const bytes = this.#outgoing.encode(message);
      if (bytes === undefined) return false;
      if (own !== undefined) this.#pending.addCancel(own);
      this.#outgoing.queue.push(bytes);
      return true;
    } catch (cause) {
      const text = `Cannot cancel "${name}": ${textOfThrown(cause)}`;
      this.#report({ code: "ERR_MIDDLEWARE", text, cause });
      return false;
    }
  }

  #read(
    transport: Transport,
    framing: "content-length" | "lines",
    messages: IncomingMessages,
  ): void {
    const incoming = new IncomingBytes(framing, this.#settings, {
      onMessage: (message, frame) => {
        if (this.#end === undefined) messages.receive(message, frame);
      },
      onProblem: (problem) => this.#report(problem),
      onFault: (text) => this.#endAfterFault(text),
      onFailure: (cause) => this.#failTransport(cause),
      isOver: () => this.#end !== undefined,
      untilRoom: () => this.#responder.untilRoom(),
    });
    transport.read(
      (chunk) => incoming.take(chunk),
      (error, detail) => {
        const over = (): void => {
          if (error === undefined) this.#finish(endOf(detail));
          else this.#failTransport(error);
        };
        const waiting = incoming.end();
        if (waiting === undefined) over();
        else void waiting.then(over);
      },
    );
  }

  #report(problem: Problem): void {
    try {
      onRejection(this.#settings.onProblem?.(problem), () => undefined);
    } catch {
      // Nobody is left to be told.
    }
  }

  #failTransport(cause: unknown): void {
    const text = `The transport failed: ${textOfThrown(cause)}`;
    this.#fail({ code: "ERR_TRANSPORT", text, cause });
  }

  /** Ends the connection because of a problem, now. */
  #fail(problem: Problem): void {
    const { text, cause } = problem;
    if (this.#end === undefined) this.#report(problem);
    const error = cause instanceof Error ? cause : new Error(text, { cause });
    this.#stop(endOf(cause === undefined ? text : textOfThrown(cause), error));
    this.#responder.abort();
    this.#outgoing.queue.end((name) => unsentError(name, this.#end!));
    this.#closing.destroy();
  }

  /** In strict recovery a fault was reported. What was sent goes out before the end. */
  #endAfterFault(text: string): void {
    this.#finish(endOf(text, new Error(text)));
  }

  /** Settles when what can be sent has been written. */
  async #finishSending(): Promise<void> {
    // Handlers that are done are answered for; the others may answer when they are aborted.
    await turn();
    this.#responder.abort();
    await turn();
    await this.#outgoing.queue.drain();
  }

  #finish(end: ConnectionEnd): void {
    this.#stop(end);
    this.#closing.closeWithin(defaultCloseMs);
  }

  /** Nothing will arrive any more, and nothing new is sent. */
  #stop(end: ConnectionEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#pending.rejectAll((name) => closedError(name, end));
    this.#listeners.close(end);
    this.#responder.stop();
  }
}

/** Lets everything go on that is ready to. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
