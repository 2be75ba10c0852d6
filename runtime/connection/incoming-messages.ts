import type { PeerCapabilities } from "../protocol/capabilities.js";
import type { ConnectionSettings, Problem } from "./connection-settings.js";
import { failureText } from "./failure-response.js";
import { readAs } from "../dialects/dialect.js";
import type { EventListeners } from "./event-listeners.js";
import type { Frame } from "../frames/frame.js";
import type { MiddlewareChain } from "./middleware-chain.js";
import type { PendingRequests } from "./pending-requests.js";
import { onRejection } from "../base/promises.js";
import type { ConversationTable, EnvelopeTable } from "../protocol/protocol-table.js";
import { nameOf, type RequestResponder } from "./request-responder.js";
import { lostError, RequestError } from "./request-error.js";
import { textOfThrown } from "../base/thrown.js";
import { hasFailed, isObject, testOfArm, type AnyFields } from "../protocol/message-fields.js";

export interface IncomingParts {
  readonly envelope: EnvelopeTable;
  readonly conversation: ConversationTable;
  readonly settings: ConnectionSettings;
  /** Role of the other side. */
  readonly peer: string;
  readonly middleware: MiddlewareChain;
  readonly pending: PendingRequests;
  readonly listeners: EventListeners;
  readonly responder: RequestResponder;
  readonly peerCapabilities: PeerCapabilities;
  readonly report: (problem: Problem) => void;
}

/** Brings each message that arrives to whom it concerns. */
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

  /** Takes a message that arrived. The frame is valid during the call. Never throws. */
  receive(message: object, frame: Frame): void {
    try {
      const received = this.#parts.middleware.afterReceive(message, frame);
      if (received === undefined) this.#drop(message, frame, "A middleware dropped");
      else this.#dispatch(received, frame);
    } catch (cause) {
      const text = `A middleware failed at a message that arrived: ${textOfThrown(cause)}`;
      this.#parts.report({ code: "ERR_MIDDLEWARE", text, message, cause });
      this.#drop(message, frame, "A middleware failed at", cause);
    }
  }

  #dispatch(message: object, frame: Frame): void {
    const translated = readAs(this.#parts.settings.dialect, message) as AnyFields;
    if (this.#isResponse(translated)) this.#receiveResponse(translated, frame);
    else if (this.#isRequest(translated)) this.#receiveRequest(translated, frame);
    else if (this.#isEvent(translated)) this.#receiveEvent(translated, frame);
    else
      this.#parts.report({
        code: "ERR_MESSAGE_KIND",
        text: "Cannot tell what kind of message this is",
        message,
      });
  }

  /** A middleware keeps a message from arriving. Nobody shall wait for what comes of it. */
  #drop(message: object, frame: Frame, what: string, cause?: unknown): void {
    const translated = this.#readSafely(message);
    if (this.#isResponse(translated)) {
      const pending = this.#parts.pending.take(translated[this.#parts.envelope.replyTo]);
      pending?.reject(lostError(pending.name, `${what} the response to "${pending.name}"`, cause));
    } else if (this.#isRequest(translated))
      this.#parts.responder.receive(translated, frame.bodyLength, `${what} the request`);
  }

  /** A message as the protocol has it; as it arrived, if the dialect is what fails. */
  #readSafely(message: object): AnyFields {
    try {
      return readAs(this.#parts.settings.dialect, message) as AnyFields;
    } catch {
      return message as AnyFields;
    }
  }

  /** A response arrived. */
  #receiveResponse(message: AnyFields, frame: Frame): void {
    const { replyTo, response } = this.#parts.envelope;
    const number = message[replyTo];
    const pending = this.#parts.pending.take(number);
    if (pending === undefined) {
      this.#reportStray(message, number);
      return;
    }
    const { name, resolve, reject } = pending;
    try {
      if (hasFailed(response, message)) {
        const reason = failureText(this.#parts.conversation.failures, message, name);
        reject(new RequestError("ERR_REQUEST_FAILED", name, reason, message));
        return;
      }
      const result = message[response.result];
      this.#readCapabilities(name, "result", result, frame);
      resolve(result);
    } catch (cause) {
      // Only what a middleware made of the response can throw when it is read.
      reject(lostError(name, `A middleware failed at the response to "${name}"`, cause));
      throw cause;
    }
  }

  #reportStray(message: AnyFields, number: unknown): void {
    const code = this.#parts.pending.strayResponse(number);
    if (code === undefined) return;
    const what = {
      ERR_RESPONSE_DOUBLE: "was answered before",
      ERR_RESPONSE_LATE: "was given up",
      ERR_RESPONSE_UNSOLICITED: "was never sent",
    }[code];
    const text = `Cannot use a response to the request ${textOfThrown(number)}, which ${what}`;
    this.#parts.report({ code, text, message });
  }

  /** An event arrived. */
  #receiveEvent(message: AnyFields, frame: Frame): void {
    const { event } = this.#parts.envelope;
    const name = nameOf(message[event.name]);
    const body = message[event.payload];
    const { cancel, capabilities } = this.#parts.conversation;
    if (name === cancel?.message && isObject(body)) this.#parts.responder.cancel(body[cancel.id]);
    const update = capabilities[this.#parts.peer]?.update;
    if (name === update?.event && isObject(body))
      this.#mergeCapabilities(body[update.field], frame);
    const hasListener = this.#parts.listeners.emit(name, body, message, (cause) =>
      this.#parts.report({
        code: "ERR_EVENT_HANDLER",
        text: `A listener to "${name}" threw`,
        message,
        cause,
      }),
    );
    if (!hasListener) this.#callOnUnhandled(message);
  }

  #callOnUnhandled(message: object): void {
    const { onUnhandled } = this.#parts.settings;
    if (onUnhandled === undefined) return;
    const failed = (cause: unknown): void =>
      this.#parts.report({ code: "ERR_CALLBACK", text: "onUnhandled threw", message, cause });
    try {
      onRejection(onUnhandled(message), failed);
    } catch (cause) {
      failed(cause);
    }
  }

  /** A request arrived. */
  #receiveRequest(message: AnyFields, frame: Frame): void {
    const { request } = this.#parts.envelope;
    this.#readCapabilities(message[request.name], "payload", message[request.payload], frame);
    this.#parts.responder.receive(message, frame.bodyLength);
  }

  /** Keeps what the other side says that it can do. */
  #readCapabilities(name: unknown, part: string, flags: unknown, frame: Frame): void {
    const source = this.#parts.conversation.capabilities[this.#parts.peer];
    if (source?.request === name && source?.part === part) this.#mergeCapabilities(flags, frame);
  }

  #mergeCapabilities(flags: unknown, frame: Frame): void {
    if (!isObject(flags) || this.#parts.peerCapabilities.merge(flags, frame.bodyLength)) return;
    const text = `The ${this.#parts.peer} announces more than is kept; this change is passed over`;
    this.#parts.report({ code: "ERR_OVERLOADED", text });
  }
}
