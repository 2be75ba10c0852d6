import { isAnnounced, mergeFlags } from "./capabilities.js";
import type {
  AnyRequestHandler,
  ConnectionProtocol,
  ConnectionSettings,
  Problem,
  RequestOptions,
} from "./connection-settings.js";
import { AnsweredRequest } from "./answered-request.js";
import { failureFields, mergeFields, reasonOf, type ConversationTable } from "./conversation.js";
import { readAs } from "./dialect.js";
import { EventListeners } from "./event-listeners.js";
import { FrameDecoder } from "./frame-decoder.js";
import { FrameEncoder } from "./frame-encoder.js";
import { FrameQueue } from "./frame-queue.js";
import { abortedError, closedError, PendingRequests } from "./pending-requests.js";
import { MessageMaker } from "./message-maker.js";
import type { EnvelopeTable, MessageFacts } from "./protocol-table.js";
import { isRefusal, RequestError } from "./request-error.js";
import { RequestsAtWork } from "./requests-at-work.js";
import type { Transport } from "./transport.js";
import { hasFailed, isObject, testOfArm, type AnyFields } from "./validation-checks.js";

/**
 * A conversation over a transport: requests with their responses, events, and requests of the other side.
 *
 * Nothing that arrives ends it but the end of the transport: what cannot be dealt with is a problem. Responses
 * find their requests by number alone. Every request of the other side is answered once.
 */
export class ConnectionCore {
  readonly #envelope: EnvelopeTable;
  readonly #make: MessageMaker;
  readonly #isRequest: (message: AnyFields) => boolean;
  readonly #isEvent: (message: AnyFields) => boolean;
  readonly #isResponse: (message: AnyFields) => boolean;
  readonly #conversation: ConversationTable;
  readonly #requests: { readonly [name: string]: MessageFacts };
  readonly #peer: string;
  readonly #transport: Transport;
  readonly #settings: ConnectionSettings;
  readonly #encoder: FrameEncoder;
  readonly #writer: FrameQueue;
  readonly #pending = new PendingRequests();
  readonly #answering = new RequestsAtWork();
  readonly #listeners = new EventListeners();
  readonly #handlers: Map<string, AnyRequestHandler>;
  #announced: object | undefined;
  #isClosed = false;
  #settleClosed: () => void = () => undefined;
  /** Settles when the connection is over, whatever ended it. */
  readonly closed: Promise<void>;

  constructor(
    { protocol, requests }: ConnectionProtocol,
    role: string,
    transport: Transport,
    settings: ConnectionSettings = {},
  ) {
    const { envelope } = protocol;
    this.#envelope = envelope;
    this.#make = new MessageMaker(envelope);
    this.#isRequest = testOfArm(envelope.request);
    this.#isEvent = testOfArm(envelope.event);
    this.#isResponse = testOfArm(envelope.response);
    this.#conversation = protocol.conversation;
    this.#requests = requests;
    this.#peer = protocol.roles.find((each) => each !== role) ?? role;
    this.#transport = transport;
    this.#writer = new FrameQueue(transport, (cause) => {
      if (!this.#isClosed)
        this.#problem({ code: "ERR_TRANSPORT", text: "Cannot write any more", cause });
    });
    this.#settings = settings;
    this.#handlers = new Map(
      Object.entries(settings.handlers ?? {}).filter(
        (entry): entry is [string, AnyRequestHandler] => entry[1] !== undefined,
      ),
    );
    const { dialect, check } = settings;
    this.#encoder = new FrameEncoder({
      framing: protocol.framing[role]!,
      ...(dialect === undefined ? {} : { dialect }),
      ...(check === undefined ? {} : { check }),
    });
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve));
    this.#read(protocol.framing[this.#peer]!);
  }

  /** What the other side has announced that it can do, so far. */
  get announced(): object | undefined {
    return this.#announced;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Number of requests that wait for a response. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a request; resolves to its result. @throws RequestError or EncodeError, as a rejection. */
  request(name: string, parameters?: unknown, options: RequestOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(name, options.signal);
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      const [number, message] = this.#make.request(name, parameters);
      const { signal, timeoutMs = this.#settings.timeoutMs } = options;
      this.#pending.add(number, { name, resolve, reject }, { signal, timeoutMs }, () =>
        this.#cancel(number),
      );
      try {
        void this.#send(message);
      } catch (error) {
        this.#pending.take(number);
        reject(error as Error);
      }
    });
  }

  /** Sends an event. Resolves when the transport takes more. @throws EncodeError */
  notify(name: string, body?: unknown): Promise<void> {
    return this.#send(this.#make.event(name, body));
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
    this.#handlers.set(name, handler);
  }

  /** Ends the conversation: what is written goes out, what waits is given up. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      await this.#writer.drain();
      await this.#transport.close();
      this.#end();
    }
    return this.closed;
  }

  #refusal(name: string, signal: AbortSignal | undefined): RequestError | undefined {
    if (this.#isClosed) return closedError(name);
    if (signal?.aborted === true) return abortedError(name, signal);
    const { gates = "send" } = this.#settings;
    if (gates === "send" || this.#can(name)) return undefined;
    const text = `Cannot send "${name}": the ${this.#peer} has not announced it`;
    if (gates === "refuse") return new RequestError("ERR_REQUEST_NOT_ANNOUNCED", name, text);
    this.#problem({ code: "ERR_NOT_ANNOUNCED", text });
    return undefined;
  }

  /** Whether the other side has announced a request, or need not. */
  #can(name: string): boolean {
    const facts = Object.hasOwn(this.#requests, name) ? this.#requests[name] : undefined;
    return facts === undefined || isAnnounced(this.#announced, facts.capability);
  }

  /** Tells the other side that a result is not wanted any more, if it can be told. */
  #cancel(number: number): void {
    const { cancel } = this.#conversation;
    if (cancel === undefined || this.#isClosed) return;
    if (!Object.hasOwn(this.#requests, cancel.message))
      this.notify(cancel.message, { [cancel.id]: number }).catch(() => undefined);
    else if (this.#can(cancel.message))
      this.request(cancel.message, { [cancel.id]: number }).catch(() => undefined);
  }

  #read(framing: "content-length" | "lines"): void {
    const { limits, recovery, invalidUtf8, onNoise, maxAnswering = 1_000 } = this.#settings;
    const decoder = new FrameDecoder({
      framing,
      ...(limits === undefined ? {} : { limits }),
      ...(recovery === undefined ? {} : { recovery }),
      ...(invalidUtf8 === undefined ? {} : { invalidUtf8 }),
      ...(onNoise === undefined ? {} : { onNoise }),
      onMessage: (message, frame) => this.#arrive(message, () => frame.raw),
      onError: ({ code, message: text, cause }) =>
        this.#problem({ code, text, ...(cause === undefined ? {} : { cause }) }),
    });
    this.#transport.read(
      (chunk) => {
        if (this.#isClosed || decoder.failed) return;
        decoder.push(chunk);
        if (decoder.failed) this.#end();
        else if (this.#answering.count >= maxAnswering)
          return this.#answering.untilFewer(maxAnswering);
      },
      (error) => {
        decoder.end();
        if (error !== undefined && !this.#isClosed)
          this.#problem({ code: "ERR_TRANSPORT", text: "Cannot read any more", cause: error });
        this.#end();
      },
    );
  }

  #arrive(message: object, bytes: () => Uint8Array): void {
    let seen: object | undefined = message;
    for (const { afterReceive } of this.#settings.middleware ?? []) {
      if (afterReceive === undefined) continue;
      seen = afterReceive(seen, bytes());
      if (seen === undefined) return;
    }
    const fields = readAs(this.#settings.dialect, seen) as AnyFields;
    if (this.#isResponse(fields)) this.#respond(fields);
    else if (this.#isRequest(fields)) this.#answer(fields);
    else if (this.#isEvent(fields)) this.#hear(fields);
    else
      this.#problem({
        code: "ERR_MESSAGE_KIND",
        text: "Cannot tell what kind of message this is",
        message: seen,
      });
  }

  /** A response arrived. */
  #respond(message: AnyFields): void {
    const { replyTo, response } = this.#envelope;
    const number = message[replyTo];
    const pending = this.#pending.take(number);
    if (pending === undefined) {
      const code = this.#pending.strayResponse(number);
      if (code === "expected") return;
      const what = {
        ERR_RESPONSE_DOUBLE: "was answered before",
        ERR_RESPONSE_LATE: "was given up",
        ERR_RESPONSE_UNSOLICITED: "was never sent",
      }[code];
      this.#problem({
        code,
        text: `Cannot use a response to the request ${String(number)}, which ${what}`,
        message,
      });
      return;
    }
    if (hasFailed(response, message)) {
      const reason = reasonOf(this.#conversation.failures, message, pending.name);
      pending.reject(new RequestError("ERR_REQUEST_FAILED", pending.name, reason, message));
      return;
    }
    const result = message[response.result];
    this.#rememberAnnounced(pending.name, "result", result);
    pending.resolve(result);
  }

  /** An event arrived. */
  #hear(message: AnyFields): void {
    const { event } = this.#envelope;
    const name = String(message[event.name]);
    const body = message[event.payload];
    const { cancel, announcements } = this.#conversation;
    if (name === cancel?.message && isObject(body)) this.#answering.cancel(body[cancel.id]);
    const update = announcements[this.#peer]?.update;
    if (name === update?.event && isObject(body) && isObject(body[update.field]))
      this.#announced = mergeFlags(this.#announced, body[update.field] as object);
    const isHeard = this.#listeners.tell(name, body, message, (cause) =>
      this.#problem({
        code: "ERR_EVENT_HANDLER",
        text: `A listener to "${name}" threw`,
        message,
        cause,
      }),
    );
    if (!isHeard) this.#settings.onUnhandled?.(message);
  }

  /** A request arrived: it is answered, once. */
  #answer(message: AnyFields): void {
    const { request, id } = this.#envelope;
    const name = String(message[request.name]);
    const { failures, cancel } = this.#conversation;
    const parameters = message[request.payload];
    this.#rememberAnnounced(name, "payload", parameters);
    const handler = this.#handlers.get(name);
    if (name === cancel?.message && isObject(parameters))
      this.#answering.cancel(parameters[cancel.id]);
    if (handler === undefined) {
      if (name === cancel?.message) this.#reply(message, name, undefined);
      else this.#refuse(message, name, failureFields(failures.unknown, { name, text: "" }));
      return;
    }
    const context = new AnsweredRequest(message);
    let given: unknown;
    try {
      given = handler(parameters as never, context);
    } catch (error) {
      this.#explain(message, name, error, false);
      return;
    }
    if (!(given instanceof Promise)) {
      this.#reply(message, name, given);
      return;
    }
    const answer = given.then(
      (result) => {
        if (!context.isCancelled || result !== undefined) this.#reply(message, name, result);
        else {
          const about = { name, text: "cancelled" };
          this.#refuse(message, name, failureFields(failures.cancelled, about));
        }
      },
      (error: unknown) => this.#explain(message, name, error, context.isCancelled),
    );
    this.#answering.add(message[id], context, answer);
  }

  /** The handler of a request threw. */
  #explain(message: AnyFields, name: string, error: unknown, isCancelled: boolean): void {
    const { failures } = this.#conversation;
    const text = error instanceof Error ? error.message : String(error);
    const template = isCancelled ? failures.cancelled : failures.failed;
    const fields = failureFields(template, { name, text });
    this.#refuse(message, name, isRefusal(error) ? mergeFields(fields, error.fields) : fields);
    if (!isCancelled && !isRefusal(error))
      this.#problem({
        code: "ERR_REQUEST_HANDLER",
        text: `The handler of "${name}" threw`,
        message,
        cause: error,
      });
  }

  #reply(message: AnyFields, name: string, result: unknown): void {
    try {
      void this.#send(this.#make.success(message, name, result));
    } catch (error) {
      // What cannot be written must not leave the request without an answer.
      this.#explain(message, name, error, false);
    }
  }

  #refuse(message: AnyFields, name: string, fields: AnyFields): void {
    void this.#send(this.#make.failure(message, name, fields));
  }

  /** Keeps what the other side says that it can do. */
  #rememberAnnounced(name: string, part: string, flags: unknown): void {
    const announcement = this.#conversation.announcements[this.#peer];
    if (announcement?.request === name && announcement.part === part && isObject(flags))
      this.#announced = mergeFlags(this.#announced, flags);
  }

  /** Sends a message behind those that are being written. @throws EncodeError at once */
  #send(message: object): Promise<void> {
    let seen: object | undefined = message;
    for (const { beforeSend } of this.#settings.middleware ?? []) {
      if (beforeSend === undefined) continue;
      seen = beforeSend(seen);
      if (seen === undefined) return Promise.resolve();
    }
    const bytes = this.#encoder.encode(seen);
    for (const { afterSend } of this.#settings.middleware ?? []) afterSend?.(seen, bytes);
    if (this.#isClosed) return Promise.resolve();
    return this.#writer.write(bytes);
  }

  #problem(problem: Problem): void {
    try {
      this.#settings.onProblem?.(problem);
    } catch {
      // Who is told of problems must not make one.
    }
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pending.rejectAll(closedError);
    this.#listeners.close();
    this.#answering.close();
    this.#settleClosed();
  }
}
