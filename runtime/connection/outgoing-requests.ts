import type { PeerCapabilities } from "../protocol/capabilities.js";
import { closedError, type ConnectionEnd } from "./connection-end.js";
import {
  customRequestChecks,
  requestChecks,
  type AnyConnectOptions,
  type CustomRequestOptions,
  type Problem,
} from "./connection-settings.js";
import type { MessageBuilder } from "./message-builder.js";
import { checkMessageName, type Direction, type KnownMessages } from "./message-names.js";
import type { OutgoingMessages } from "./outgoing-messages.js";
import type { PendingRequests } from "./pending-requests.js";
import { lostError, RequestError } from "./request-error.js";
import { settleChecked } from "./valid-result.js";
import { deferred, markHandled } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import { checkOptions } from "../base/check-options.js";
import { abortReason, limitOf } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";
import type { ConversationTable } from "../protocol/protocol-description.js";

export interface OutgoingRequestsParts {
  readonly conversation: ConversationTable;
  readonly requests: KnownMessages;
  readonly direction: Direction;
  readonly unannounced: AnyConnectOptions["unannounced"];
  /** Default request timeout, as returned by `limitOf`. */
  readonly timeoutMs: number | undefined;
  readonly build: MessageBuilder;
  readonly outgoing: OutgoingMessages;
  readonly pending: PendingRequests;
  readonly peerCapabilities: PeerCapabilities;
  readonly report: (problem: Problem) => void;
  /** How the connection ended; undefined while it is open. */
  readonly end: () => ConnectionEnd | undefined;
}

/** Sends requests. Asks the peer to cancel requests that time out or are aborted. */
export class OutgoingRequests {
  readonly #parts: OutgoingRequestsParts;

  constructor(parts: OutgoingRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Sends a request and resolves to its result.
   *
   * @param isCustom Whether the request is not defined by the protocol. Such a request requires no
   * capability, and its result may be checked.
   * @throws Rejects with RequestError, TimeoutError, ConnectionClosedError, EncodeError, or the
   * signal's abort reason; or with TypeError for a request that has no response.
   */
  send(
    name: string,
    parameters: unknown,
    options: CustomRequestOptions<unknown> | undefined,
    isCustom: boolean,
  ): Promise<unknown> {
    const { build, outgoing, pending, end } = this.#parts;
    const { promise, resolve, reject } = deferred<unknown>();
    try {
      if (isCustom) checkOptions("requestCustom", options, customRequestChecks);
      else checkOptions("request", options, requestChecks);
      const signal = options?.signal;
      const timeoutMs =
        options?.timeoutMs === undefined ? this.#parts.timeoutMs : limitOf(options.timeoutMs);
      this.#checkOpen(name, signal);
      if (!isCustom) {
        if (this.isUnanswered(name))
          throw new TypeError(`Cannot request "${name}": it has no response. Use notify instead`);
        const { requests, direction } = this.#parts;
        checkMessageName(["request", "requestCustom"], name, requests, direction);
        this.#checkSupported(name);
      }
      const [number, message] = build.request(name, parameters, options?.fields);
      const unit = outgoing.encode(message);
      // Check again, because a middleware may have closed the connection or aborted the signal.
      this.#checkOpen(name, signal);
      if (unit === undefined) throw lostError(name, `A middleware dropped "${name}"`);
      const result = options?.result;
      const settle =
        result === undefined ? resolve : settleChecked(name, result, { resolve, reject });
      const limits = { signal, timeoutMs, acceptsPartial: options?.acceptsPartial };
      pending.add(number, { name, promise, resolve: settle, reject }, limits, () =>
        this.#cancel(name, number),
      );
      outgoing.queue.push(unit);
    } catch (error) {
      if (end() !== undefined) void markHandled(promise);
      reject(error);
    }
    return promise;
  }

  /** Returns whether the protocol defines a request with this name that has no response. */
  isUnanswered(name: string): boolean {
    const { requests } = this.#parts;
    return Object.hasOwn(requests, name) && requests[name]!.unanswered === true;
  }

  /**
   * @throws ConnectionClosedError if the connection has ended, or the signal's abort reason if it
   * is aborted.
   */
  #checkOpen(name: string, signal: Signal | undefined): void {
    const end = this.#parts.end();
    if (end !== undefined) throw closedError(name, end);
    if (signal?.aborted === true) throw abortReason(signal);
  }

  /**
   * @throws RequestError if the peer has not announced the request and the settings forbid sending
   * it.
   */
  #checkSupported(name: string): void {
    const { unannounced = "send", direction, report } = this.#parts;
    if (unannounced === "send" || this.#isSupported(name)) return;
    const message = `Cannot send "${name}": the ${direction.receiver} has not announced it`;
    if (unannounced === "refuse")
      throw new RequestError(message, { code: "ERR_REQUEST_NOT_ANNOUNCED", command: name });
    report({ code: "ERR_NOT_ANNOUNCED", message });
  }

  /** Returns whether a request either requires no capability or has been announced by the peer. */
  #isSupported(name: string): boolean {
    const { requests, peerCapabilities } = this.#parts;
    const facts = Object.hasOwn(requests, name) ? requests[name] : undefined;
    return facts === undefined || peerCapabilities.has(facts.capability);
  }

  /**
   * Asks the peer to cancel a request. Returns false if that is not possible. The cancel request
   * itself has no pending promise and cannot be cancelled.
   */
  #cancel(name: string, number: number): boolean {
    const { conversation, requests, build, outgoing, pending, report, end } = this.#parts;
    const { cancel } = conversation;
    if (cancel === undefined || name === cancel.message || end() !== undefined) return false;
    const isRequest = Object.hasOwn(requests, cancel.message);
    if (isRequest && !this.#isSupported(cancel.message)) return false;
    const parameters = { [cancel.id]: number };
    try {
      const [own, message] = isRequest
        ? build.request(cancel.message, parameters)
        : [undefined, build.event(cancel.message, parameters)];
      const unit = outgoing.encode(message);
      if (unit === undefined) return false;
      if (own !== undefined) pending.addCancel(own);
      outgoing.queue.push(unit);
      return true;
    } catch (cause) {
      const message = `Cannot cancel "${name}": ${textOfThrown(cause)}`;
      report({ code: "ERR_MIDDLEWARE", message, cause });
      return false;
    }
  }
}
