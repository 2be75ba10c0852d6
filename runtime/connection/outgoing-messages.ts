import { noBytes } from "../base/byte-buffer.js";
import { Fifo } from "../base/fifo.js";
import { asPromise, deferred, markHandled } from "../base/promises.js";
import type { Notation } from "../frames/decoder-options.js";
import type {
  ContentLengthEncoder,
  CreateEncoder,
  FrameEncoderOptions,
} from "../frames/content-length-encoder.js";
import type { AnyFields } from "../protocol/message-fields.js";
import type { EnvelopeTable, JsonFraming, WhenTable } from "../protocol/protocol-description.js";
import type { MessageChecks } from "./message-checks.js";
import type { MiddlewareChain } from "./middleware.js";
import type { AnyConnectOptions, RequestOptions } from "./options.js";
import type { MessageLink, Transport } from "./transport.js";

/**
 * Sends messages: applies the middleware, encodes each message, and queues it for the transport.
 */
export class OutgoingMessages {
  readonly #middleware: MiddlewareChain;
  readonly #encode: CreateEncoder;
  readonly #encoder: ContentLengthEncoder;
  readonly #options: FrameEncoderOptions;
  readonly #checks: MessageChecks | undefined;
  /** Whether the transport carries strings rather than bytes. */
  readonly #isText: boolean;
  readonly queue: FrameQueue;

  constructor(
    encode: CreateEncoder,
    framing: JsonFraming | Notation,
    { dialect }: AnyConnectOptions,
    checks: MessageChecks | undefined,
    middleware: MiddlewareChain,
    transport: Transport,
    events: FrameQueueEvents,
  ) {
    this.#middleware = middleware;
    this.#isText = transport.messages !== undefined;
    // Transports that carry strings always carry JSON.
    this.#options = {
      ...(this.#isText ? {} : { framing }),
      ...(dialect === undefined ? {} : { dialect }),
    };
    this.#checks = checks;
    this.#encode = encode;
    this.#encoder = encode(this.#options);
    this.queue = new FrameQueue(transport.messages ?? transport, events);
  }

  /**
   * Encodes a message exactly as it will be written. Returns undefined if a middleware drops it.
   *
   * @param request For a response, the name of its request.
   * @throws EncodeError, InvalidMessageError, and any exceptions thrown by callbacks.
   */
  encode(message: object, request?: string): Unit | undefined {
    const seen = this.#middleware.beforeSend(message);
    if (seen === null) return undefined;
    this.#checks?.assert(seen as AnyFields, request);
    const unit = this.#encodeWith(this.#encoder, seen);
    this.#middleware.afterSend(seen, typeof unit === "string" ? noBytes : unit);
    return unit;
  }

  /**
   * Encodes a message without calling any callbacks, because it must be sent even if they would
   * reject it.
   */
  encodeUnseen(message: object): Unit {
    return this.#encodeWith(this.#encode(this.#options), message);
  }

  #encodeWith(encoder: ContentLengthEncoder, message: object): Unit {
    return this.#isText ? encoder.encodeText(message) : encoder.encode(message);
  }
}

type Message = Record<string, unknown>;

/**
 * Builds and numbers the messages sent by one side. Assigns fields one at a time, which is fastest.
 */
export class MessageBuilder {
  readonly #envelope: EnvelopeTable;
  /** Whether events and responses have sequence numbers, too. */
  readonly #numbersAllMessages: boolean;
  readonly #requestConstants: readonly (readonly [string, string])[];
  readonly #eventConstants: readonly (readonly [string, string])[];
  readonly #responseConstants: readonly (readonly [string, string])[];
  #number = 0;

  constructor(envelope: EnvelopeTable) {
    this.#envelope = envelope;
    this.#numbersAllMessages = envelope.id !== envelope.replyTo;
    this.#requestConstants = constantsOf(envelope, envelope.request.when);
    this.#eventConstants = constantsOf(envelope, envelope.event.when);
    this.#responseConstants = constantsOf(envelope, envelope.response.when);
  }

  /** Builds a request. Returns it along with its number. */
  request(
    name: string,
    parameters: unknown,
    others: RequestOptions["fields"] = undefined,
  ): readonly [number: number, message: object] {
    const { id, request, fields } = this.#envelope;
    const number = ++this.#number;
    const message: Message = {};
    message[id] = number;
    for (const [field, value] of this.#requestConstants) message[field] = value;
    message[request.name] = name;
    if (parameters !== undefined) message[request.payload] = parameters;
    if (fields !== undefined) copyFields(fields, others ?? {}, message);
    return [number, message];
  }

  event(name: string, body: unknown): object {
    const { event } = this.#envelope;
    const message = this.#begin(this.#eventConstants);
    message[event.name] = name;
    if (body !== undefined) message[event.payload] = body;
    return message;
  }

  /** Builds the response to a successful request. */
  success(request: AnyFields, name: string, result: unknown): object {
    const { response } = this.#envelope;
    const message = this.#respond(request, name);
    if (response.success !== undefined) message[response.success] = true;
    // If only the result field distinguishes a success from a failure, the field is required.
    const reported = result === undefined && response.success === undefined ? null : result;
    if (reported !== undefined) message[response.result] = reported;
    return message;
  }

  /** Builds the response to a failed request. `fields` cannot override the envelope. */
  failure(request: AnyFields, name: string, fields: AnyFields): object {
    const { success } = this.#envelope.response;
    const message = this.#respond(request, name);
    if (success !== undefined) message[success] = false;
    for (const [field, value] of Object.entries(fields))
      if (!(field in message)) message[field] = value;
    return message;
  }

  #respond(request: AnyFields, name: string): Message {
    const { id, replyTo, response, fields } = this.#envelope;
    const message = this.#begin(this.#responseConstants);
    message[replyTo] = request[id];
    if (fields !== undefined) copyFields(fields, request, message);
    if (response.name !== undefined) message[response.name] = name;
    return message;
  }

  #begin(constants: readonly (readonly [string, string])[]): Message {
    const message: Message = {};
    if (this.#numbersAllMessages) message[this.#envelope.id] = ++this.#number;
    for (const [field, value] of constants) message[field] = value;
    return message;
  }
}

function copyFields(names: readonly string[], from: AnyFields, to: Message): void {
  for (const name of names)
    if (Object.hasOwn(from, name) && from[name] !== undefined) to[name] = from[name];
}

/** Returns the fields that have the same value in all messages of a kind. */
function constantsOf(
  envelope: EnvelopeTable,
  when: WhenTable,
): readonly (readonly [string, string])[] {
  return Object.entries({ ...envelope.constants, ...when }).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}

/** A frame, or a message as a string for transports that carry strings. */
type Unit = Uint8Array | string;

interface QueuedFrame {
  readonly bytes: Unit;
  /** Settles a caller's wait; undefined if no caller is waiting for this frame. */
  outcome?: Outcome | undefined;
}

interface Outcome {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface FrameQueueEvents {
  /** Called when writing has failed. The owner must then end the queue. */
  onFailure(cause: unknown): void;
  /** Called when the transport has accepted a frame after a delay. */
  onProgress(): void;
}

/** Number of waiting bytes from which a sender should wait. */
const maxWaitingBytes = 0x10_0000;

/** Writes frames one at a time, each with a single call, as fast as the transport accepts them. */
export class FrameQueue {
  readonly #sink: Transport | MessageLink;
  readonly #events: FrameQueueEvents;
  readonly #queue = new Fifo<QueuedFrame>();
  #isBusy = false;
  #last: QueuedFrame | undefined;
  /** Settles the calls that are waiting for the current frame to be written. */
  #current: Outcome | undefined;
  #backlog = 0;
  #error: (() => Error) | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: Transport | MessageLink, events: FrameQueueEvents) {
    this.#sink = sink;
    this.#events = events;
  }

  /** Number of bytes queued after the frame being written. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Whether the peer reads fast enough for more to be sent. */
  get hasRoom(): boolean {
    return this.#backlog < maxWaitingBytes;
  }

  /** Whether the transport is slow to accept a frame. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  push(bytes: Unit): void {
    if (this.#hasEnded()) return;
    if (this.#isBusy) this.#enqueue({ bytes });
    else this.#write(bytes);
  }

  /** Writes a frame. Resolves once the transport has accepted it; see `flushed`. */
  write(bytes: Unit): Promise<void> {
    this.push(bytes);
    return this.flushed();
  }

  /**
   * Resolves once the transport has accepted all frames so far. Rejects if the queue ends first. A
   * rejection that the caller ignores does not count as unhandled.
   */
  flushed(): Promise<void> {
    if (this.#hasEnded()) return markHandled(Promise.reject(this.#error!()));
    if (!this.#isBusy) return done;
    const last = this.#queue.size === 0 ? undefined : this.#last;
    if (last === undefined) return (this.#current ??= outcome()).promise;
    return (last.outcome ??= outcome()).promise;
  }

  /** Resolves once everything has been written or the queue has ended. */
  drain(): Promise<void> {
    if (!this.#isBusy) return done;
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Stops writing, and rejects all pending waits. */
  end(error: () => Error): void {
    if (this.#hasEnded()) return;
    this.#error = error;
    this.#current?.reject(error());
    for (const frame of this.#queue.takeAll()) frame.outcome?.reject(error());
    this.#backlog = 0;
    this.#becomeIdle();
  }

  #hasEnded(): boolean {
    return this.#error !== undefined;
  }

  #enqueue(frame: QueuedFrame): void {
    this.#queue.push(frame);
    this.#last = frame;
    this.#backlog += frame.bytes.length;
  }

  /** Writes a frame, followed by any frames queued in the meantime. */
  #write(bytes: Unit): void {
    this.#isBusy = true;
    if (this.#isAccepted(bytes)) this.#writeQueued();
  }

  #writeQueued(): void {
    for (let frame = this.#queue.shift(); frame !== undefined; frame = this.#queue.shift()) {
      const { bytes } = frame;
      this.#backlog -= bytes.length;
      this.#current = frame.outcome;
      if (!this.#isAccepted(bytes)) return;
      this.#current?.resolve();
    }
    this.#becomeIdle();
  }

  /** Passes a frame to the transport. Returns false if the transport is slow or fails. */
  #isAccepted(bytes: Unit): boolean {
    let writing: Promise<unknown> | undefined;
    try {
      writing = asPromise(this.#sink.write(bytes as never));
    } catch (cause) {
      this.#events.onFailure(cause);
      return false;
    }
    if (writing === undefined) return !this.#hasEnded();
    writing.then(
      () => {
        if (this.#hasEnded()) return;
        this.#current?.resolve();
        this.#writeQueued();
        this.#events.onProgress();
      },
      (cause: unknown) => {
        if (!this.#hasEnded()) this.#events.onFailure(cause);
      },
    );
    return false;
  }

  #becomeIdle(): void {
    this.#isBusy = false;
    this.#current = undefined;
    this.#last = undefined;
    for (const wake of this.#idle.splice(0)) wake();
  }
}

const done = /* @__PURE__ */ Promise.resolve();

function outcome(): Outcome {
  const { promise, resolve, reject } = deferred<void>();
  return { promise: markHandled(promise), resolve, reject };
}
