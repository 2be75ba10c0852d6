import type { Protocol } from "../model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { EntryQueue, type EntryBatch } from "./entry-queue.js";
import type { RecordedEntry } from "./entries/recorded-entry.js";
import { kindReaderOf } from "./message-kind.js";
import { maxRemembered, rememberedKey } from "./remembered.js";

/**
 * One of the two directions: `initiator` for the messages of the protocol's first role, `responder`
 * for the messages of its second role.
 */
type Direction = "initiator" | "responder";

/**
 * Merges the two directions of a session in a plausible order. Messages of the responder come as
 * early as possible, but a response comes after its request.
 *
 * Only a bounded number of the initiator's next messages are searched for the request. If it is not
 * among them, the response does not wait for it.
 */
export class Interleaving {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #initiator = new EntryQueue();
  readonly #responder = new EntryQueue();
  /** Number of requests in the queue of the initiator, by id. */
  readonly #upcoming = new Map<unknown, number>();
  /** Ids of the initiator's requests that have been merged. */
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

  /** Marks the end of a direction: it has no more entries. */
  end(direction: Direction): void {
    this.#queueOf(direction).end();
  }

  /**
   * Removes and returns the entries whose order is known. `needs` is the direction to read next, or
   * undefined at the end of both.
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

  /** Id of a request. Undefined for any other entry. */
  #requestNumber({ message }: RecordedEntry): unknown {
    const { id = "" } = this.#protocol.envelope;
    return message !== undefined && this.#kindOf(message as Fields) === "request"
      ? rememberedNumber((message as Fields)[id])
      : undefined;
  }

  /** Id of the request that a response answers. Undefined for any other entry. */
  #answeredNumber({ message }: RecordedEntry): unknown {
    const { replyTo = "" } = this.#protocol.envelope;
    return message !== undefined && this.#kindOf(message as Fields) === "response"
      ? rememberedNumber((message as Fields)[replyTo])
      : undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The key of an id. Undefined for a value that cannot be an id. */
function rememberedNumber(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? rememberedKey(value) : undefined;
}
