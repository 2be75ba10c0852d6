import type { Protocol } from "../../generator/model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { EntryQueue, type EntryBatch } from "./entry-queue.js";
import type { RecordedEntry } from "./entries/recorded-entry.js";
import { kindReaderOf } from "./message-kind.js";
import { maxRemembered, rememberedKey } from "./remembered.js";

/**
 * One of the two directions: `initiator` for messages from the protocol's first role, `responder`
 * for messages from its second role.
 */
type Direction = "initiator" | "responder";

/**
 * Merges a session's two directions into a plausible order. The responder's messages come as early
 * as possible, except that a response never precedes its request.
 * The request is sought only among a limited number of the initiator's next messages. If it is not
 * among them, the response does not wait for it.
 */
export class Interleaving {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #initiator = new EntryQueue();
  readonly #responder = new EntryQueue();
  /** Number of requests in the initiator's queue, by id. */
  readonly #upcoming = new Map<unknown, number>();
  /** Ids of the initiator's requests that have already been merged. */
  readonly #taken = new LatestEntries<unknown, true>(maxRemembered);
  #hasBegun = false;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#kindOf = kindReaderOf(protocol);
  }

  /** Adds the next entries of a direction. */
  add(direction: Direction, batch: EntryBatch): void {
    const [initiator, responder] = this.#protocol.roles;
    const from = direction === "initiator" ? initiator : responder;
    const entries = batch.entries.map((entry) => ({ ...entry, from }));
    this.#queueOf(direction).add({ ...batch, entries });
    if (direction === "responder") return;
    for (const entry of entries) {
      const number = this.#requestNumber(entry);
      if (number !== undefined) this.#upcoming.set(number, (this.#upcoming.get(number) ?? 0) + 1);
    }
  }

  /** Marks the end of a direction: no more entries will be added to it. */
  end(direction: Direction): void {
    this.#queueOf(direction).end();
  }

  /**
   * Removes and returns the entries whose order is known. `needs` is the direction to read next, or
   * undefined once both have ended.
   */
  take(): { readonly entries: readonly RecordedEntry[]; readonly needs: Direction | undefined } {
    const entries: RecordedEntry[] = [];
    for (;;) {
      if (this.#hasBegun) {
        const next = this.#responder.first;
        if (next === undefined && !this.#responder.isOver) return { entries, needs: "responder" };
        const number = next && this.#answeredNumber(next);
        const waits = number !== undefined && !this.#taken.get(number);
        if (waits && !this.#upcoming.has(number) && this.#initiator.hasRoom)
          return { entries, needs: "initiator" };
        if (next !== undefined && !(waits && this.#upcoming.has(number))) {
          entries.push(this.#responder.take());
          continue;
        }
      }
      if (this.#initiator.first !== undefined) entries.push(this.#takeOfInitiator());
      else if (!this.#initiator.isOver) return { entries, needs: "initiator" };
      else if (this.#responder.first === undefined && this.#responder.isOver)
        return { entries, needs: undefined };
      this.#hasBegun = true;
    }
  }

  #queueOf(direction: Direction): EntryQueue {
    return direction === "initiator" ? this.#initiator : this.#responder;
  }

  #takeOfInitiator(): RecordedEntry {
    const entry = this.#initiator.take();
    const number = this.#requestNumber(entry);
    if (number === undefined) return entry;
    this.#taken.set(number, true);
    const count = this.#upcoming.get(number)! - 1;
    if (count === 0) this.#upcoming.delete(number);
    else this.#upcoming.set(number, count);
    return entry;
  }

  /** Returns the id of a request, or undefined for any other entry. */
  #requestNumber({ message }: RecordedEntry): unknown {
    const { id = "" } = this.#protocol.envelope;
    return message !== undefined && this.#kindOf(message as Fields) === "request"
      ? rememberedNumber((message as Fields)[id])
      : undefined;
  }

  /** Returns the id of the request that a response answers, or undefined for any other entry. */
  #answeredNumber({ message }: RecordedEntry): unknown {
    const { replyTo = "" } = this.#protocol.envelope;
    return message !== undefined && this.#kindOf(message as Fields) === "response"
      ? rememberedNumber((message as Fields)[replyTo])
      : undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the map key for an id, or undefined for a value that cannot be an id. */
function rememberedNumber(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? rememberedKey(value) : undefined;
}
