import type { Protocol } from "../model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { isOfArm } from "../../runtime/protocol/message-fields.js";
import { EntryQueue, type EntryBatch } from "./entry-queue.js";
import type { RecordedEntry } from "./recorded-entry.js";
import { maxRemembered, rememberedKey } from "./remembered.js";

type Direction = "asked" | "answers";

/**
 * Puts two directions in an order that may have been: what the answering side says stands as early as what it
 * answers allows.
 *
 * A response whose request has not been said yet waits for it. The request is looked for in a bounded part of what
 * the asking side says next.
 */
export class Interleaving {
  readonly #protocol: Protocol;
  readonly #asked: EntryQueue;
  readonly #answers: EntryQueue;
  /** How often a number is that of a request that has been read and not said. */
  readonly #upcoming = new Map<unknown, number>();
  readonly #said = new LatestEntries<unknown, true>(maxRemembered);
  #hasBegun = false;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#asked = new EntryQueue();
    this.#answers = new EntryQueue();
  }

  /** Adds what a direction says next. */
  add(direction: Direction, batch: EntryBatch): void {
    const [asking, answering] = this.#protocol.roles;
    const from = direction === "asked" ? asking : answering;
    const entries = batch.entries.map((entry) => ({ ...entry, from }));
    (direction === "asked" ? this.#asked : this.#answers).add({ ...batch, entries });
    if (direction === "answers") return;
    for (const entry of entries) {
      const number = this.#requestNumber(entry);
      if (number !== undefined) this.#upcoming.set(number, (this.#upcoming.get(number) ?? 0) + 1);
    }
  }

  /** A direction says nothing more. */
  end(direction: Direction): void {
    (direction === "asked" ? this.#asked : this.#answers).end();
  }

  /** Takes what has an order now. `wants` is the direction that has to say more; undefined when all is said. */
  take(): { readonly entries: readonly RecordedEntry[]; readonly wants: Direction | undefined } {
    const entries: RecordedEntry[] = [];
    for (;;) {
      if (this.#hasBegun) {
        const answer = this.#answers.first;
        if (answer === undefined && !this.#answers.isOver) return { entries, wants: "answers" };
        const reply = answer && this.#replyNumber(answer);
        const waits = reply !== undefined && !this.#said.get(reply);
        if (waits && !this.#upcoming.has(reply) && this.#asked.takesMore)
          return { entries, wants: "asked" };
        if (answer !== undefined && !(waits && this.#upcoming.has(reply))) {
          entries.push(this.#answers.take());
          continue;
        }
      }
      if (this.#asked.first !== undefined) entries.push(this.#takeAsked());
      else if (!this.#asked.isOver) return { entries, wants: "asked" };
      else if (this.#answers.first === undefined && this.#answers.isOver)
        return { entries, wants: undefined };
      this.#hasBegun = true;
    }
  }

  #takeAsked(): RecordedEntry {
    const entry = this.#asked.take();
    const number = this.#requestNumber(entry);
    if (number === undefined) return entry;
    this.#said.set(number, true);
    const count = this.#upcoming.get(number)! - 1;
    if (count === 0) this.#upcoming.delete(number);
    else this.#upcoming.set(number, count);
    return entry;
  }

  /** Number of a request that an entry is. */
  #requestNumber({ message }: RecordedEntry): unknown {
    const { id = "", request } = this.#protocol.envelope;
    return message !== undefined && isOfArm(request, message as Fields)
      ? rememberedNumber((message as Fields)[id])
      : undefined;
  }

  /** Number of the request that an entry answers. */
  #replyNumber({ message }: RecordedEntry): unknown {
    const { replyTo = "", response } = this.#protocol.envelope;
    return message !== undefined && response !== undefined && isOfArm(response, message as Fields)
      ? rememberedNumber((message as Fields)[replyTo])
      : undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** What is no number or text is none that could be answered. */
function rememberedNumber(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? rememberedKey(value) : undefined;
}
