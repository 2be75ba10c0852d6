import type { Protocol } from "../../generator/model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { RecordedEntry } from "./recorded-entry.js";
import { envelopeReaderOf } from "./message-reader.js";
import { maxRemembered } from "./remembered.js";

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
  readonly #envelopeOf: ReturnType<typeof envelopeReaderOf>;
  readonly #initiator = new EntryQueue();
  readonly #responder = new EntryQueue();
  /** Number of requests in the initiator's queue, by id. */
  readonly #upcoming = new Map<unknown, number>();
  /** Ids of the initiator's requests that have already been merged. */
  readonly #merged = new LatestEntries<unknown, true>(maxRemembered);
  #hasBegun = false;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#envelopeOf = envelopeReaderOf(protocol);
  }

  /** Adds the next entries of a direction. */
  add(direction: Direction, batch: EntryBatch): void {
    const [initiator, responder] = this.#protocol.roles;
    const from = direction === "initiator" ? initiator : responder;
    const entries = batch.entries.map((entry) => ({ ...entry, from }));
    this.#queueOf(direction).add({ ...batch, entries });
    if (direction === "responder") return;
    for (const entry of entries) {
      const id = this.#requestId(entry);
      if (id !== undefined) this.#upcoming.set(id, (this.#upcoming.get(id) ?? 0) + 1);
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
        const id = next && this.#answeredId(next);
        const waits = id !== undefined && !this.#merged.get(id);
        if (waits && !this.#upcoming.has(id) && this.#initiator.hasRoom)
          return { entries, needs: "initiator" };
        if (next !== undefined && !(waits && this.#upcoming.has(id))) {
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
    const id = this.#requestId(entry);
    if (id === undefined) return entry;
    this.#merged.set(id, true);
    const count = this.#upcoming.get(id)! - 1;
    if (count === 0) this.#upcoming.delete(id);
    else this.#upcoming.set(id, count);
    return entry;
  }

  /** Returns the id of a request, or undefined for any other entry. */
  #requestId({ message }: RecordedEntry): unknown {
    const envelope = message && this.#envelopeOf(message);
    return envelope?.kind === "request" ? envelope.id : undefined;
  }

  /** Returns the id of the request that a response answers, or undefined for any other entry. */
  #answeredId({ message }: RecordedEntry): unknown {
    return message && this.#envelopeOf(message)?.replyTo;
  }
}

/** A batch of entries that were read together, along with their total size in the recording. */
export interface EntryBatch {
  readonly entries: readonly RecordedEntry[];
  readonly bytes: number;
}

/** Approximate limits on how many entries, and how many bytes, are read ahead. */
export interface ReadAhead {
  readonly bytes: number;
  readonly entries: number;
}

export const defaultReadAhead: ReadAhead = { bytes: 4 * 1024 * 1024, entries: 20_000 };

/** A queue of entries that have been read but not yet processed. */
export class EntryQueue {
  readonly #limit: ReadAhead;
  readonly #batches: EntryBatch[] = [];
  /** Index of the first remaining entry in the first batch. */
  #next = 0;
  #bytes = 0;
  #count = 0;
  #isEnded = false;

  constructor(limit = defaultReadAhead) {
    this.#limit = limit;
  }

  add(batch: EntryBatch): void {
    if (batch.entries.length === 0) return;
    this.#batches.push(batch);
    this.#bytes += batch.bytes;
    this.#count += batch.entries.length;
  }

  /** Marks the end of the input: no more entries will be added. */
  end(): void {
    this.#isEnded = true;
  }

  /** Whether the queue is empty and no more entries will be added. */
  get isOver(): boolean {
    return this.#isEnded && this.#count === 0;
  }

  /** Whether the queue is below its limits, so that more entries can be added. */
  get hasRoom(): boolean {
    return !this.#isEnded && this.#bytes < this.#limit.bytes && this.#count < this.#limit.entries;
  }

  get first(): RecordedEntry | undefined {
    return this.#batches[0]?.entries[this.#next];
  }

  take(): RecordedEntry {
    const [batch] = this.#batches;
    const entry = batch!.entries[this.#next++]!;
    this.#count--;
    if (this.#next === batch!.entries.length) {
      this.#batches.shift();
      this.#next = 0;
      this.#bytes -= batch!.bytes;
    }
    return entry;
  }
}
