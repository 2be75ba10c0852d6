import type { Protocol } from "../../../generator/model/protocol.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { LintedMessage } from "../../judge/lint-options.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { MessageReader } from "../../read/message-reader.js";
import { rememberedKey } from "../../read/remembered.js";

type Fields = Readonly<Record<string, unknown>>;

/** A request that has not been answered yet. */
interface PendingRequest {
  readonly session: number;
  readonly from: string;
  readonly index: number;
  readonly name: string | undefined;
  readonly time: number | undefined;
}

/** Message properties that can be determined without applying session rules. */
export type TrackedMessage = Omit<LintedMessage, "session" | "time">;

/**
 * Reads sessions' messages without applying rules, and finds each response's request and latency.
 */
export class MessageTracker {
  readonly #protocol: Protocol;
  readonly #reader: MessageReader;
  /** Pending requests, by session, sender and id. */
  readonly #pending: LatestEntries<string, PendingRequest>;
  /** Pending requests whose ids are omitted from the log, by session, sender and name. */
  readonly #unnumbered = new Map<string, PendingRequest[]>();
  readonly #counts = new Map<number, number>();

  /**
   * @param maxPending Maximum number of pending requests to remember. Older requests are forgotten.
   */
  constructor(protocol: Protocol, maxPending = 10_000) {
    this.#protocol = protocol;
    this.#reader = new MessageReader(protocol);
    this.#pending = new LatestEntries(maxPending);
  }

  /**
   * Reads the next message.
   *
   * @param entry An entry that contains a message.
   */
  read(entry: RecordedEntry): TrackedMessage {
    const { message, from = "", time, session = 0 } = entry;
    const index = (this.#counts.get(session) ?? 0) + 1;
    this.#counts.set(session, index);
    const fields = message as Fields;
    const kind = this.#reader.kindOf(fields);
    if (kind === undefined)
      return { index, from, kind: "none", label: "message", hasFailed: false };
    const statedName = this.#reader.nameOf(kind, fields);
    const request = kind === "response" ? this.#requestOf(entry, statedName) : undefined;
    const name = request?.name ?? statedName;
    if (kind === "request") this.#remember({ session, from, index, name, time }, entry);
    return {
      index,
      from,
      kind,
      name,
      label: this.#reader.describe(kind, fields, name),
      hasFailed: this.#reader.hasFailed(kind, fields),
      answers: request?.index,
      latency: time === undefined || request?.time === undefined ? undefined : time - request.time,
    };
  }

  #remember(request: PendingRequest, { message, unknown }: RecordedEntry): void {
    const { id = "" } = this.#protocol.envelope;
    const { session, from, name } = request;
    const number = (message as Fields)[id];
    if (unknown?.includes(`/${id}`) !== true) {
      const key = keyOf(session, from, number);
      if (key !== undefined) this.#pending.set(key, request);
      return;
    }
    const key = unnumberedKey(session, from, name);
    const queue = this.#unnumbered.get(key) ?? [];
    this.#unnumbered.set(key, queue);
    queue.push(request);
  }

  /**
   * Returns the request that a response answers. If the log omits request ids, this is the oldest
   * unanswered request with the same name.
   */
  #requestOf(
    { message, from = "", session = 0 }: RecordedEntry,
    name: string | undefined,
  ): PendingRequest | undefined {
    const { replyTo = "" } = this.#protocol.envelope;
    const requester = this.#protocol.roles.find((role) => role !== from)!;
    const queue = this.#unnumbered.get(unnumberedKey(session, requester, name));
    if (queue !== undefined && queue.length > 0) return queue.shift();
    const key = keyOf(session, requester, (message as Fields)[replyTo]);
    if (key === undefined) return undefined;
    const request = this.#pending.get(key);
    this.#pending.delete(key);
    return request;
  }
}

function keyOf(session: number, from: string, id: unknown): string | undefined {
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  return `${session} ${from} ${typeof id} ${String(rememberedKey(id))}`;
}

function unnumberedKey(session: number, from: string, name = ""): string {
  return `${session} ${from} ${name}`;
}
