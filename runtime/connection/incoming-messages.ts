import { latin1 } from "../base/buffer-methods.js";
import { noBytes } from "../base/byte-buffer.js";
import { textOfThrown } from "../base/errors.js";
import { callSafely } from "../base/promises.js";
import { startTimer } from "../base/waiting-limits.js";
import { readAs } from "../dialects/dialect.js";
import type { CreateDecoder, StreamDecoder } from "../frames/decoder-options.js";
import { textOfFault, visibleText } from "../frames/frame-faults.js";
import type { PeerCapabilities } from "../protocol/capabilities.js";
import { InvalidMessageError } from "../validation/describe-issue.js";
import {
  isObject,
  kindReaderOf,
  type AnyFields,
  type MessageKind,
} from "../protocol/message-fields.js";
import type { ConversationTable, EnvelopeTable } from "../protocol/protocol-description.js";
import type { ArrivalOrder } from "./arrival-order.js";
import type { EventListeners } from "./events.js";
import { nameOf, type RequestResponder } from "./incoming-requests.js";
import type { MessageChecks } from "./message-checks.js";
import type { MiddlewareChain, ReceivedFrame } from "./middleware.js";
import { thrownProblem, type AnyConnectOptions, type Problem } from "./options.js";
import {
  lostError,
  responseError,
  type PendingRequest,
  type PendingRequests,
} from "./outgoing-requests.js";

/** Number of bytes to decode before checking whether the queue has room. */
const sliceBytes = 0x10_0000;

interface IncomingEvents {
  onMessage(message: object, frame: ReceivedFrame): void;
  onProblem(problem: Problem): void;
  /** Called after a fault in strict recovery. */
  onFault(text: string): void;
  /** Called if decoding failed. */
  onFailure(cause: unknown): void;
  /** Returns whether the connection has ended. */
  isOver(): boolean;
  /** Settles when reading may continue. Undefined if it may continue right away. */
  untilRoom(): Promise<void> | undefined;
}

/** Decodes a transport's chunks. Never throws. */
export class IncomingBytes {
  readonly #events: IncomingEvents;
  readonly #decoder: StreamDecoder;
  /**
   * Settles once the chunk that is waiting for room in the queue, and all chunks after it, have
   * been decoded.
   */
  #waiting: Promise<void> | undefined;
  /** The bytes before the first message; undefined once that message has arrived. */
  #first: FirstBytes | undefined;
  /** Describes the latest fault. In strict recovery, this is the one that stopped the decoder. */
  #fault = "";

  constructor(
    decode: CreateDecoder,
    { limits, recovery, invalidUtf8, onNoise }: AnyConnectOptions,
    events: IncomingEvents,
  ) {
    this.#events = events;
    this.#first = new FirstBytes((message) =>
      events.onProblem({ code: "ERR_NO_MESSAGE", message }),
    );
    this.#decoder = decode({
      limits,
      recovery,
      invalidUtf8,
      onNoise: onNoise && ((bytes, offset) => this.#callOnNoise(onNoise, bytes, offset)),
      onMessage: (message, frame) => {
        if (this.#first !== undefined) this.#hasBegun();
        events.onMessage(message, frame);
      },
      onFault: (error) => {
        const { code, cause } = error;
        const message = textOfFault(error);
        this.#fault = message;
        this.#first?.markReported();
        events.onProblem({ code, message, ...(cause === undefined ? {} : { cause }) });
      },
    });
  }

  /** Decodes a chunk. Returns a promise if the queue is full. */
  take(chunk: Uint8Array): void | Promise<void> {
    const waiting =
      this.#waiting === undefined
        ? this.#push(chunk, 0)
        : // The transport might not wait for the promise, so make sure that the chunks stay in order.
          this.#waiting.then(() => this.#push(chunk, 0));
    if (waiting === undefined) return;
    const decoded: Promise<void> = waiting.then(() => {
      if (this.#waiting === decoded) this.#waiting = undefined;
    });
    this.#waiting = decoded;
    return decoded;
  }

  /** Processes a message that arrived as a string. Returns a promise if the queue is full. */
  takeText(text: string): void | Promise<void> {
    if (this.#events.isOver()) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (cause) {
      const what = `Cannot parse a message: ${textOfThrown(cause)}`;
      this.#events.onProblem({ code: "ERR_JSON", message: what, cause });
      return;
    }
    if (isObject(message))
      this.#events.onMessage(message, { bodyLength: text.length, raw: noBytes });
    else
      this.#events.onProblem({
        code: "ERR_NOT_OBJECT",
        message: "Cannot use a message that is not an object",
      });
    return this.#events.untilRoom();
  }

  /**
   * Describes the bytes that arrived instead of a message, as part of a sentence; empty if there
   * are none.
   */
  get instead(): string {
    return this.#first?.text ?? "";
  }

  /** Stops decoding. Called when the connection has ended. */
  stop(): void {
    this.#first?.end();
  }

  /**
   * Ends the stream and reports incomplete data. Returns a promise if earlier chunks are still
   * waiting.
   */
  end(): void | Promise<void> {
    if (this.#waiting !== undefined) return this.#waiting.then(() => this.end());
    if (this.#events.isOver()) return;
    try {
      this.#decoder.end();
    } catch (cause) {
      this.#events.onFailure(cause);
    }
  }

  /** Decodes a chunk, starting at an index. Returns a promise if the queue becomes full. */
  #push(chunk: Uint8Array, from: number): Promise<void> | undefined {
    if (!ArrayBuffer.isView(chunk)) {
      this.#events.onFailure(new TypeError(`Expected bytes, received a ${typeof chunk}`));
      return undefined;
    }
    if (from === 0 && chunk.length > 0) this.#first?.add(chunk);
    for (let at = from; at < chunk.length; at += sliceBytes) {
      if (this.#events.isOver()) return undefined;
      try {
        this.#decoder.push(
          chunk.length <= sliceBytes ? chunk : chunk.subarray(at, at + sliceBytes),
        );
      } catch (cause) {
        this.#events.onFailure(cause);
        return undefined;
      }
      this.#first?.wait();
      if (this.#decoder.failed) {
        this.#events.onFault(this.#fault);
        return undefined;
      }
      const room = this.#events.untilRoom();
      if (room !== undefined) return room.then(() => this.#push(chunk, at + sliceBytes));
    }
    return undefined;
  }

  #hasBegun(): void {
    this.#first?.stop();
    this.#first = undefined;
  }

  #callOnNoise(
    onNoise: NonNullable<AnyConnectOptions["onNoise"]>,
    bytes: Uint8Array,
    offset: number,
  ): void {
    callSafely(
      () => onNoise(bytes, offset),
      (cause) => this.#events.onProblem(thrownProblem("ERR_CALLBACK", "onNoise threw", cause)),
    );
  }
}

interface IncomingParts {
  readonly envelope: EnvelopeTable;
  readonly conversation: ConversationTable;
  readonly options: AnyConnectOptions;
  /** Role of the peer. */
  readonly peer: string;
  readonly middleware: MiddlewareChain;
  readonly pending: PendingRequests;
  readonly listeners: EventListeners;
  readonly responder: RequestResponder;
  readonly order: ArrivalOrder;
  readonly peerCapabilities: PeerCapabilities;
  readonly checks: MessageChecks | undefined;
  readonly report: (problem: Problem) => void;
}

/** Dispatches incoming messages, one after another. */
export class IncomingMessages {
  readonly #parts: IncomingParts;
  readonly #kindOf: (message: AnyFields) => MessageKind | undefined;

  constructor(parts: IncomingParts) {
    this.#parts = parts;
    this.#kindOf = kindReaderOf(parts);
  }

  /** Processes a message when its turn comes. The frame is valid only during the call. */
  receive(message: object, frame: ReceivedFrame, isOver: () => boolean): void {
    const { order, middleware } = this.#parts;
    if (order.isFree) this.#process(message, frame);
    else {
      const { bodyLength } = frame;
      const heldFrame = { bodyLength, raw: middleware.readsBytes ? frame.raw : noBytes };
      order.follow(() => {
        if (!isOver()) this.#process(message, heldFrame);
      });
    }
  }

  /** Processes a message immediately. Never throws. */
  #process(message: object, frame: ReceivedFrame): void {
    try {
      const received = this.#parts.middleware.afterReceive(message, frame);
      if (received === null) this.#drop(message, frame, "A middleware dropped");
      else this.#dispatch(received, frame);
    } catch (cause) {
      const what = "A middleware failed on an incoming message";
      this.#parts.report(thrownProblem("ERR_MIDDLEWARE", what, cause, message));
      this.#drop(message, frame, "A middleware failed on", cause);
    }
  }

  #dispatch(message: object, frame: ReceivedFrame): void {
    const translated = readAs(this.#parts.options.dialect, message) as AnyFields;
    const kind = this.#kindOf(translated);
    if (kind === "response") this.#receiveResponse(translated, frame);
    else if (kind === "request") this.#receiveRequest(translated, frame);
    else if (kind === "event") this.#receiveEvent(translated, frame);
    else
      this.#parts.report({
        code: "ERR_MESSAGE_KIND",
        message: "Cannot determine the kind of the message",
        subject: message,
      });
  }

  /**
   * Settles a response or request that a middleware dropped, so that nothing waits for it
   * indefinitely.
   */
  #drop(message: object, frame: ReceivedFrame, what: string, cause?: unknown): void {
    const translated = this.#readSafely(message);
    const kind = this.#kindOf(translated);
    if (kind === "response") {
      const pending = this.#parts.pending.take(translated[this.#parts.envelope.replyTo]);
      if (pending === undefined) return;
      const { name } = pending;
      this.#reject(pending, lostError(name, `${what} the response to "${name}"`, cause));
    } else if (kind === "request")
      this.#parts.responder.receive(translated, frame.bodyLength, `${what} the request`);
  }

  /** Converts a message from the dialect. If conversion fails, returns the message unchanged. */
  #readSafely(message: object): AnyFields {
    try {
      return readAs(this.#parts.options.dialect, message) as AnyFields;
    } catch {
      return message as AnyFields;
    }
  }

  #receiveResponse(message: AnyFields, frame: ReceivedFrame): void {
    const { replyTo, response } = this.#parts.envelope;
    const number = message[replyTo];
    const pending = this.#parts.pending.take(number);
    if (pending === undefined) {
      this.#reportStray(message, number);
      return;
    }
    const { name, resolve } = pending;
    try {
      const issues = this.#parts.checks?.refuse("response", name, message);
      const error = responseError(this.#parts, name, message, issues);
      if (error !== undefined) {
        this.#reject(pending, error);
        return;
      }
      const result = message[response.result];
      this.#readCapabilities(name, "result", result, frame);
      resolve(result);
      this.#parts.order.hold();
    } catch (cause) {
      // Reading a response can throw only if a middleware has replaced it.
      const text = `A middleware failed on the response to "${name}"`;
      this.#reject(pending, lostError(name, text, cause));
      throw cause;
    }
  }

  #reject(pending: PendingRequest, error: Error): void {
    this.#parts.pending.reject(pending, error);
    this.#parts.order.hold();
  }

  #reportStray(message: AnyFields, number: unknown): void {
    const code = this.#parts.pending.strayResponse(number);
    if (code === undefined) return;
    const what = {
      ERR_RESPONSE_DOUBLE: "was already answered",
      ERR_RESPONSE_LATE: "timed out or was aborted",
      ERR_RESPONSE_UNSOLICITED: "was never sent",
    }[code];
    const text = `Cannot use a response to request ${textOfThrown(number)}, which ${what}`;
    this.#parts.report({ code, message: text, subject: message });
  }

  #receiveEvent(message: AnyFields, frame: ReceivedFrame): void {
    const { event } = this.#parts.envelope;
    const name = nameOf(message[event.name]);
    const body = message[event.payload];
    const { cancel, capabilities } = this.#parts.conversation;
    if (name === cancel?.message && isObject(body))
      this.#parts.responder.queue.cancel(body[cancel.id]);
    const { checks } = this.#parts;
    const issues = checks?.refuse("event", name, message);
    if (issues !== undefined) {
      checks!.report("event", name, message, issues);
      this.#parts.listeners.refuse(name, new InvalidMessageError(issues));
      return;
    }
    const update = capabilities[this.#parts.peer]?.update;
    if (name === update?.event && isObject(body))
      this.#mergeCapabilities(body[update.field], frame);
    const hasListener = this.#parts.listeners.emit(name, body, message, frame.bodyLength, (cause) =>
      this.#parts.report(
        thrownProblem("ERR_EVENT_HANDLER", `A listener for "${name}" threw`, cause, message),
      ),
    );
    if (!hasListener) this.#callOnUnhandled(message);
  }

  #callOnUnhandled(message: object): void {
    const { onUnhandled } = this.#parts.options;
    if (onUnhandled === undefined) return;
    callSafely(
      () => onUnhandled(message),
      (cause) =>
        this.#parts.report(thrownProblem("ERR_CALLBACK", "onUnhandled threw", cause, message)),
    );
  }

  #receiveRequest(message: AnyFields, frame: ReceivedFrame): void {
    const { request } = this.#parts.envelope;
    this.#readCapabilities(message[request.name], "payload", message[request.payload], frame);
    this.#parts.responder.receive(message, frame.bodyLength);
  }

  /** Reads the capabilities from a message that announces them. */
  #readCapabilities(name: unknown, part: string, flags: unknown, frame: ReceivedFrame): void {
    const source = this.#parts.conversation.capabilities[this.#parts.peer];
    if (source?.request !== name || source?.part !== part) return;
    const { field } = source;
    const announced = field === undefined ? flags : isObject(flags) ? flags[field] : undefined;
    this.#mergeCapabilities(announced, frame);
  }

  #mergeCapabilities(flags: unknown, frame: ReceivedFrame): void {
    if (!isObject(flags) || this.#parts.peerCapabilities.merge(flags, frame.bodyLength)) return;
    const message = `The ${this.#parts.peer} announced too many capabilities: this update is ignored`;
    this.#parts.report({ code: "ERR_OVERLOADED", message });
  }
}

/** How long to wait for a peer's first message, in milliseconds. */
const patienceMs = 1_000;

/** Maximum number of bytes to report. */
const shownBytes = 80;

/**
 * The bytes that a peer sends before its first message. If no message follows, only these bytes
 * show why. For example, a program that does not support the protocol may print its usage.
 */
export class FirstBytes {
  readonly #report: (text: string) => void;
  #length = 0;
  readonly #kept = new Uint8Array(shownBytes);
  #isReported = false;
  #stopTimer: (() => void) | undefined;

  /** @param report Called once, either when no message has arrived for a while or at the end. */
  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  add(chunk: Uint8Array): void {
    const room = shownBytes - this.#length;
    if (room > 0) this.#kept.set(chunk.subarray(0, room), this.#length);
    this.#length += chunk.length;
  }

  /** Called when the added bytes do not contain a message yet. */
  wait(): void {
    this.#stopTimer ??= startTimer(patienceMs, () => {
      // Do not report the beginning of a large message, which may take longer.
      if (!/^(Content-Length|\s*\{)/i.test(this.#excerpt)) this.#reportOnce();
    });
  }

  /** Called when the bytes have been reported in some other way. */
  markReported(): void {
    this.#isReported = true;
  }

  /** Called when the first message has arrived. */
  stop(): void {
    this.#stopTimer?.();
  }

  /** Called when the connection has ended without a message. */
  end(): void {
    this.stop();
    this.#reportOnce();
  }

  /** Describes the bytes as part of a sentence; empty if none have arrived. */
  get text(): string {
    if (this.#length === 0) return "";
    const excerpt = visibleText(this.#excerpt, 2 * shownBytes);
    const isCut = this.#length > shownBytes || excerpt.length > shownBytes;
    const sample = excerpt.slice(0, shownBytes);
    return `received no message, only ${this.#length} bytes: ${sample}${isCut ? "…" : ""}`;
  }

  get #excerpt(): string {
    return latin1(this.#kept, 0, Math.min(this.#length, shownBytes));
  }

  #reportOnce(): void {
    if (this.#isReported || this.#length === 0) return;
    this.#isReported = true;
    this.#report(`The connection has ${this.text}`);
  }
}
