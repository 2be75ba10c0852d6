import type { Protocol } from "../../generator/model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { MessageReader, otherRole } from "./message-reader.js";
import { maxRemembered } from "./remembered.js";
import type { RecordedEntry } from "./recorded-entry.js";

/**
 * Minimum share of a protocol's requests or events that a role must be able to send to count as
 * their usual sender.
 */
const usualShare = 0.9;

/**
 * Infers the senders of messages in a file that contains both directions but does not name the
 * senders.
 *
 * A response comes from the side that received a request with its id. A custom message comes from
 * the side whose sequence numbers it continues or, failing that, from the side that sends nearly
 * all messages of its kind.
 */
export class InferredSenders {
  readonly #protocol: Protocol;
  readonly #reader: MessageReader;
  /** Names of each role's unanswered requests, by id. */
  readonly #pending: ReadonlyMap<string, LatestEntries<unknown, string>>;
  /** Sequence number of each role's latest message. */
  readonly #lastNumbers = new Map<string, number>();
  /** Whether ids are sequence numbers. They are not if responses repeat the id of their request. */
  readonly #isCounted: boolean;
  readonly #usual: Readonly<Record<"request" | "event", string | undefined>>;

  constructor(protocol: Protocol) {
    const { id, replyTo } = protocol.envelope;
    this.#protocol = protocol;
    this.#reader = new MessageReader(protocol);
    this.#pending = new Map(protocol.roles.map((role) => [role, new LatestEntries(maxRemembered)]));
    this.#isCounted = id !== undefined && id !== replyTo;
    this.#usual = {
      request: usualSender(protocol, "request"),
      event: usualSender(protocol, "event"),
    };
  }

  /** Infers the sender of the next entry. Returns undefined if that is impossible. */
  senderOf({ from, message }: RecordedEntry): string | undefined {
    const envelope = this.#reader.envelopeOf(message);
    if (envelope === undefined) return from;
    const { kind, id, replyTo, name = "" } = envelope;
    const number = this.#isCounted && typeof id === "number" ? id : undefined;
    const sender =
      from ??
      (kind === "response"
        ? this.#responderOf(replyTo, name)
        : (this.#continuing(number) ?? this.#usual[kind]));
    if (sender === undefined) return undefined;
    if (kind === "request" && id !== undefined) this.#pending.get(sender)?.set(id, name);
    if (kind === "response")
      this.#pending.get(otherRole(this.#protocol, sender) ?? "")?.delete(replyTo);
    if (number !== undefined) this.#lastNumbers.set(sender, number);
    return sender;
  }

  /** Returns the role that received a request with this id, or undefined if neither or both did. */
  #responderOf(id: unknown, name: string): string | undefined {
    const nameOf = (role: string): string | undefined => this.#pending.get(role)!.get(id);
    let requesters = this.#protocol.roles.filter((role) => nameOf(role) !== undefined);
    if (requesters.length > 1) requesters = requesters.filter((role) => nameOf(role) === name);
    return requesters.length === 1 ? otherRole(this.#protocol, requesters[0]) : undefined;
  }

  /**
   * Returns the role whose latest sequence number immediately precedes this one. Returns undefined
   * if that is true of neither role or of both.
   */
  #continuing(number: number | undefined): string | undefined {
    if (number === undefined) return undefined;
    const roles = this.#protocol.roles.filter((role) => this.#lastNumbers.get(role) === number - 1);
    return roles.length === 1 ? roles[0] : undefined;
  }
}

function usualSender({ roles, messages }: Protocol, kind: "request" | "event"): string | undefined {
  const ofKind = messages.filter((message) => message.kind === kind);
  return roles.find(
    (role) => ofKind.filter(({ sender }) => sender === role).length > ofKind.length * usualShare,
  );
}

/**
 * Returns whether a file contains the responses to its own requests. It does if every response
 * answers an earlier request and at least half of the requests have a response.
 */
export function answersItself(entries: readonly RecordedEntry[], protocol: Protocol): boolean {
  const reader = new MessageReader(protocol);
  const pending = new LatestEntries<unknown, true>(maxRemembered);
  let requests = 0;
  let answers = 0;
  for (const { message } of entries) {
    const { kind, id, replyTo } = reader.envelopeOf(message) ?? {};
    if (kind === "request") {
      requests++;
      pending.set(id, true);
    } else if (kind === "response") {
      if (pending.get(replyTo) === undefined) return false;
      answers++;
      pending.delete(replyTo);
    }
  }
  return answers > 0 && answers * 2 >= requests;
}
