import type { PeerCapabilities } from "../protocol/capabilities.js";
import { closedError, type ConnectionEnd } from "./connection-end.js";
import type { ConnectionSettings, Problem, RequestOptions } from "./connection-settings.js";
import type { MessageBuilder } from "./message-builder.js";
import type { OutgoingMessages } from "./outgoing-messages.js";
import { abortedError, type PendingRequests } from "./pending-requests.js";
import { lostError, RequestError } from "./request-error.js";
import { deferred, markHandled } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import { readTimeout } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";
import type { ConversationTable, MessageFacts } from "../protocol/protocol-table.js";

export interface OutgoingRequestsParts {
  readonly conversation: ConversationTable;
  readonly requests: { readonly [name: string]: MessageFacts };
  /** Role of the peer. */
  readonly peer: string;
  readonly gates: ConnectionSettings["gates"];
  /** Default, as returned by `readTimeout`. */
  readonly timeoutMs: number | undefined;
  readonly build: MessageBuilder;
  readonly outgoing: OutgoingMessages;
  readonly pending: PendingRequests;
  readonly peerCapabilities: PeerCapabilities;
  readonly report: (problem: Problem) => void;
  /** How the connection has ended, or undefined. */
  readonly end: () => ConnectionEnd | undefined;
}

/** Sends requests, and asks the peer to cancel those that are given up. */
export class OutgoingRequests {
  readonly #parts: OutgoingRequestsParts;

  constructor(parts: OutgoingRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Sends a request and resolves to its result.
   *
   * @throws RequestError or EncodeError, as a rejection.
   */
  send(name: string, parameters: unknown, options: RequestOptions): Promise<unknown> {
    const { build, outgoing, pending, end } = this.#parts;
    const { promise, resolve, reject } = deferred<unknown>();
    try {
      const { signal } = options;
      const timeoutMs =
        options.timeoutMs === undefined ? this.#parts.timeoutMs : readTimeout(options.timeoutMs);
      this.#checkOpen(name, signal);
      this.#checkSupported(name);
      const [number, message] = build.request(name, parameters, options.fields);
      const unit = outgoing.encode(message);
      // A middleware may have closed the connection or aborted the signal.
      this.#checkOpen(name, signal);
      if (unit === undefined) throw lostError(name, `A middleware held back "${name}"`);
      pending.add(number, { name, promise, resolve, reject }, { signal, timeoutMs }, () =>
        this.#cancel(name, number),
      );
      outgoing.queue.push(unit);
    } catch (error) {
      if (end() !== undefined) void markHandled(promise);
      reject(error);
    }
    return promise;
  }

  /** @throws RequestError if the connection has ended or the signal is aborted. */
  #checkOpen(name: string, signal: Signal | undefined): void {
    const end = this.#parts.end();
    if (end !== undefined) throw closedError(name, end);
    if (signal?.aborted === true) throw abortedError(name, signal);
  }

  /** @throws RequestError if the settings forbid requests that the peer has not announced. */
  #checkSupported(name: string): void {
    const { gates = "send", peer, report } = this.#parts;
    if (gates === "send" || this.#isSupported(name)) return;
    const text = `Cannot send "${name}": the ${peer} has not announced it`;
    if (gates === "refuse") throw new RequestError("ERR_REQUEST_NOT_ANNOUNCED", name, text);
    report({ code: "ERR_NOT_ANNOUNCED", text });
  }

  /** Whether the peer has announced the capability for a request, or none is needed. */
  #isSupported(name: string): boolean {
    const { requests, peerCapabilities } = this.#parts;
    const facts = Object.hasOwn(requests, name) ? requests[name] : undefined;
    return facts === undefined || peerCapabilities.has(facts.capability);
  }

  /**
   * Asks the peer to cancel a request. Returns false if that is not possible. A cancellation itself
   * is not waited for and cannot be cancelled.
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
      const text = `Cannot cancel "${name}": ${textOfThrown(cause)}`;
      report({ code: "ERR_MIDDLEWARE", text, cause });
      return false;
    }
  }
}
