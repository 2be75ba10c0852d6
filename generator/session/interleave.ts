import type { Protocol } from "../model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { isOfArm } from "../../runtime/protocol/message-fields.js";
import { EntryQueue, type EntryBatch } from "./entry-queue.js";
import type { RecordedEntry } from "./recorded-entry.js";
import { maxRemembered, rememberedKey } from "./remembered.js";

/** What the first role of the protocol sent, or what the second one did. */
type Direction = "initiator" | "responder";

/**
 * Merges the two directions of a session in an order that may have been the real one: what the responder sent comes
 * as early as possible.
 *
 * A response whose request has not been taken yet waits for it. The request is looked for in a bounded part of what
 * the initiator sent next.
 */
export class Interleaving {
  readonly #protocol: Protocol;
  readonly #initiator = new EntryQueue();
  readonly #responder = new EntryQueue();
  /** By number, how many requests of the initiator have been read and not taken yet. */
  readonly #upcoming = new Map<unknown, number>();
  /** Numbers of its requests that have been taken. */
  readonly #taken = new LatestEntries<unknown, true>(maxRemembered);
  #hasBegun = false;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  /** Adds what comes next in a direction. */
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

  /** Nothing more comes in a direction. */
  end(direction: Direction): void {
    this.#queueOf(direction).end();
  }

  /** Takes the entries whose order is clear. `needs` is the direction to read on; undefined when all are taken. */
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

  /** Number of an entry that is a request. */
  #requestNumber({ message }: RecordedEntry): unknown {
    const { id = "", request } = this.#protocol.envelope;
    return message !== undefined && isOfArm(request, message as Fields)
      ? rememberedNumber((message as Fields)[id])
      : undefined;
  }

  /** Number of the request that an entry answers. */
  #answeredNumber({ message }: RecordedEntry): unknown {
    const { replyTo = "", response } = this.#protocol.envelope;
    return message !== undefined && response !== undefined && isOfArm(response, message as Fields)
      ? rememberedNumber((message as Fields)[replyTo])
      : undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Undefined if the value is neither a number nor a text: nothing can answer it. */
function rememberedNumber(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? rememberedKey(value) : undefined;
}
