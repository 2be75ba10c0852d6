import type { PeerCapabilities } from "../protocol/capabilities.js";
import type { AnyConnectOptions, Problem } from "./connection-settings.js";
import { failureText } from "./failure-response.js";
import { readAs } from "../dialects/dialect.js";
import type { EventListeners } from "./event-listeners.js";
import type { ArrivalOrder } from "./arrival-order.js";
import type { MiddlewareChain, ReceivedFrame } from "./middleware-chain.js";
import type { PendingRequest, PendingRequests } from "./pending-requests.js";
import { onRejection } from "../base/promises.js";
import type { ConversationTable, EnvelopeTable } from "../protocol/protocol-description.js";
import { nameOf, type RequestResponder } from "./request-responder.js";
import { lostError, RequestError } from "./request-error.js";
import { textOfThrown } from "../base/thrown.js";
import { hasFailed, isObject, testOfArm, type AnyFields } from "../protocol/message-fields.js";
import { noBytes } from "../base/byte-buffer.js";

export interface IncomingParts {
  readonly envelope: EnvelopeTable;
  readonly conversation: ConversationTable;
  readonly settings: AnyConnectOptions;
  /** Role of the peer. */
  readonly peer: string;
  readonly middleware: MiddlewareChain;
  readonly pending: PendingRequests;
  readonly listeners: EventListeners;
  readonly responder: RequestResponder;
  readonly order: ArrivalOrder;
  readonly peerCapabilities: PeerCapabilities;
  readonly report: (problem: Problem) => void;
}

/** Dispatches incoming messages, one after another. */
export class IncomingMessages {
  readonly #parts: IncomingParts;
  readonly #isRequest: (message: AnyFields) => boolean;
  readonly #isEvent: (message: AnyFields) => boolean;
  readonly #isResponse: (message: AnyFields) => boolean;

  constructor(parts: IncomingParts) {
    const { request, event, response } = parts.envelope;
    this.#parts = parts;
    this.#isRequest = testOfArm(request);
    this.#isEvent = testOfArm(event);
    this.#isResponse = testOfArm(response);
  }

  /** Processes a message when its turn comes. The frame is valid only during the call. */
  receive(message: object, frame: ReceivedFrame, isOver: () => boolean): void {
    const { order, middleware } = this.#parts;
    if (order.isFree) this.#process(message, frame);
    else {
      const { bodyLength } = frame;
      const kept = { bodyLength, raw: middleware.readsBytes ? frame.raw : noBytes };
      order.follow(() => {
        if (!isOver()) this.#process(message, kept);
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
      const text = `A middleware failed on an incoming message: ${textOfThrown(cause)}`;
      this.#parts.report({ code: "ERR_MIDDLEWARE", message: text, subject: message, cause });
      this.#drop(message, frame, "A middleware failed on", cause);
    }
  }

  #dispatch(message: object, frame: ReceivedFrame): void {
    const translated = readAs(this.#parts.settings.dialect, message) as AnyFields;
    if (this.#isResponse(translated)) this.#receiveResponse(translated, frame);
    else if (this.#isRequest(translated)) this.#receiveRequest(translated, frame);
    else if (this.#isEvent(translated)) this.#receiveEvent(translated, frame);
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
    if (this.#isResponse(translated)) {
      const pending = this.#parts.pending.take(translated[this.#parts.envelope.replyTo]);
      if (pending === undefined) return;
      const { name } = pending;
      this.#reject(pending, lostError(name, `${what} the response to "${name}"`, cause));
    } else if (this.#isRequest(translated))
      this.#parts.responder.receive(translated, frame.bodyLength, `${what} the request`);
  }

  /** Converts a message from the dialect. If conversion fails, returns the message unchanged. */
  #readSafely(message: object): AnyFields {
    try {
      return readAs(this.#parts.settings.dialect, message) as AnyFields;
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
      if (hasFailed(response, message)) {
        const reason = failureText(this.#parts.conversation.failures, message, name);
        const error = new RequestError(reason, {
          code: "ERR_REQUEST_FAILED",
          command: name,
          response: message,
        });
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

  #reject(pending: PendingRequest, error: RequestError): void {
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
    if (name === cancel?.message && isObject(body)) this.#parts.responder.cancel(body[cancel.id]);
    const update = capabilities[this.#parts.peer]?.update;
    if (name === update?.event && isObject(body))
      this.#mergeCapabilities(body[update.field], frame);
    const hasListener = this.#parts.listeners.emit(name, body, message, frame.bodyLength, (cause) =>
      this.#parts.report({
        code: "ERR_EVENT_HANDLER",
        message: `A listener for "${name}" threw: ${textOfThrown(cause)}`,
        subject: message,
        cause,
      }),
    );
    if (!hasListener) this.#callOnUnhandled(message);
  }

  #callOnUnhandled(message: object): void {
    const { onUnhandled } = this.#parts.settings;
    if (onUnhandled === undefined) return;
    const failed = (cause: unknown): void =>
      this.#parts.report({
        code: "ERR_CALLBACK",
        message: `onUnhandled threw: ${textOfThrown(cause)}`,
        subject: message,
        cause,
      });
    try {
      onRejection(onUnhandled(message), failed);
    } catch (cause) {
      failed(cause);
    }
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
