import type { LintedMessage } from "../lint/lint-session.js";
import type { Protocol } from "../model/protocol.js";
import { MessageReader } from "../session/message-reader.js";
import type { RecordedEntry } from "../session/entries/recorded-entry.js";
import { rememberedKey } from "../session/remembered.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";

type Fields = Readonly<Record<string, unknown>>;

/** Requests in flight that are remembered. Older ones are forgotten. */
const maxWaiting = 10_000;

/** Sessions whose messages are counted. */
const maxSessions = 10_000;

interface Asked {
  readonly index: number;
  readonly name: string | undefined;
  readonly time: number | undefined;
}

/** Reads messages of sessions that nobody judges: which request a response answers, and how long that took. */
export class MessageTracker {
  readonly #protocol: Protocol;
  readonly #reader: MessageReader;
  /** By session, sender and id. */
  readonly #waiting = new LatestEntries<string, Asked>(maxWaiting);
  readonly #counts = new LatestEntries<number, number>(maxSessions);

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#reader = new MessageReader(protocol);
  }

  /** Number of messages of a session so far. */
  countOf(session: number): number {
    return this.#counts.get(session) ?? 0;
  }

  /** @param entry An entry with a message. */
  read({ message, from = "", time, session = 0 }: RecordedEntry): LintedMessage {
    const index = this.countOf(session) + 1;
    this.#counts.set(session, index);
    const fields = message as Fields;
    const kind = this.#reader.kindOf(fields);
    if (kind === undefined)
      return { index, from, kind: "none", label: "message", hasFailed: false };
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    const asked = kind === "response" ? this.#answered(session, from, fields[replyTo]) : undefined;
    const name = asked?.name ?? this.#reader.nameOf(kind, fields);
    if (kind === "request") {
      const key = keyOf(session, from, fields[id]);
      if (key !== undefined) this.#waiting.set(key, { index, name, time });
    }
    return {
      index,
      from,
      kind,
      ...(name === undefined ? {} : { name }),
      label: this.#reader.describe(kind, fields, name),
      hasFailed: this.#reader.hasFailed(kind, fields),
      ...(asked === undefined ? {} : { answers: asked.index }),
      ...(time === undefined || asked?.time === undefined ? {} : { latency: time - asked.time }),
    };
  }

  #answered(session: number, from: string, number: unknown): Asked | undefined {
    const asking = this.#protocol.roles.find((role) => role !== from)!;
    const key = keyOf(session, asking, number);
    if (key === undefined) return undefined;
    const asked = this.#waiting.get(key);
    this.#waiting.delete(key);
    return asked;
  }
}

function keyOf(session: number, from: string, id: unknown): string | undefined {
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  return `${session} ${from} ${typeof id} ${String(rememberedKey(id))}`;
}
