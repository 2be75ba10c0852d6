import type { AnyBridgeOptions, BridgeHook, BridgeProblem } from "./bridge-settings.js";
import { BridgeNumbers } from "./bridge-numbers.js";
import type { ConnectionProtocol } from "./connection-settings.js";
import { FailedCalls } from "./failed-calls.js";
import { FirstBytes } from "./first-bytes.js";
import { failureText } from "./failure-response.js";
import { ConnectionClosedError } from "./call-errors.js";
import { FrameQueue } from "./frame-queue.js";
import { PendingRequests } from "./pending-requests.js";
import { lostError, RequestError } from "./request-error.js";
import { TransportClosing } from "./transport-closing.js";
import type { Transport } from "./transport.js";
import { indexOfText, readUtf8 } from "../base/buffer-methods.js";
import { asMessage } from "./middleware-chain.js";
import { textOfThrown } from "../base/thrown.js";
import type { CreateDecoder } from "../frames/decoder-options.js";
import { FrameEncoder } from "../frames/frame-encoder.js";
import { textOfFault } from "../frames/frame-faults.js";
import type { Frame } from "../frames/frame.js";
import { createPeek, type Peek, type Peeked } from "../frames/peek.js";
import { hasFailed, isObject, type AnyFields } from "../protocol/message-fields.js";

export interface BridgePeer {
  readonly role: string;
  readonly transport: Transport;
  readonly hooks: readonly BridgeHook[];
}

export interface DirectionParts {
  readonly protocol: ConnectionProtocol["protocol"];
  readonly decode: CreateDecoder;
  readonly limits: AnyBridgeOptions["limits"];
  report(problem: BridgeProblem): void;
  onEnd(by: string, error: unknown, detail?: string): void;
  contextOf(from: string, message: AnyFields, onAnswer: () => void): object;
}

/** Forwards messages from one peer to the other. */
export class BridgeDirection {
  readonly to: BridgePeer;
  readonly #from: BridgePeer;
  readonly #parts: DirectionParts;
  readonly #peek: Peek;
  readonly #encoder: FrameEncoder;
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
    this.#encoder = new FrameEncoder({ framing: framing[from.role]! });
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
      ...(hooks.length === 0
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
      if (message === undefined) this.queue.push(frame.raw);
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
    // A response in which only ids change does not count as changed: the ids are replaced in its
    // bytes.
    const isSame = seen === original || (peeked.kind === "response" && seen === read);
    this.#send(frame, peeked, replyTo, isSame ? undefined : seen);
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
    try {
      if (changed !== undefined) this.queue.push(this.encode({ ...changed, ...ids }));
      else if (Object.keys(ids).length === 0) this.queue.push(frame.raw);
      else this.queue.push(this.#renumbered(frame.body, ids as Record<string, number>));
    } catch (cause) {
      const message = `Cannot forward a message: ${textOfThrown(cause)}`;
      this.#parts.report({ code: "ERR_MIDDLEWARE", message, side: this.#from.role, cause });
    }
  }

  #renumbered(body: Uint8Array, ids: Record<string, number>): Uint8Array {
    const hasHeader = this.#parts.protocol.framing[this.#from.role] === "content-length";
    const frame = hasHeader ? this.#peek.renumber(body, ids) : undefined;
    return frame ?? this.encode({ ...(parse(body) as object), ...ids });
  }

  /** Processes a response to a request from the bridge. */
  #takeOwn(peeked: Peeked, body: Uint8Array): boolean {
    const { envelope, conversation } = this.#parts.protocol;
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
    if (hasFailed(envelope.response, response)) {
      const text = failureText(conversation.failures, response, pending.name);
      const error = new RequestError(text, {
        code: "ERR_REQUEST_FAILED",
        command: pending.name,
        response,
      });
      this.back.pending.reject(pending, error);
    } else pending.resolve(response[envelope.response.result]);
    return true;
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
      const text = `A middleware failed: ${textOfThrown(cause)}`;
      this.#parts.report({ code: "ERR_MIDDLEWARE", message: text, side, cause });
      return isAnswered ? undefined : message;
    }
  }
}

/** @throws SyntaxError if the body is not JSON. */
function parse(body: Uint8Array): unknown {
  return JSON.parse(readUtf8(body, 0, body.length).replace(/^\uFEFF/, ""));
}
