import { Fifo } from "../base/fifo.js";

/** Maximum number and total size of the events kept after the first mark. */
const maxKeptEvents = 4_096;
const maxKeptBytes = 0x40_0000;

/** A moment between two events on a connection, as returned by `mark()`. */
export interface EventMark {
  /** Number of events that had arrived by that moment. */
  readonly arrived: number;
}

export type EventTest = (body: unknown, message: object) => boolean;

interface KeptEvent {
  readonly name: string;
  readonly body: unknown;
  readonly message: object;
  readonly number: number;
  readonly bytes: number;
}

/** A connection's latest events. Nothing is kept before the first mark. */
export class EventHistory {
  readonly #events = new Fifo<KeptEvent>();
  #bytes = 0;
  #arrived = 0;
  #isKeeping = false;

  mark(): EventMark {
    this.#isKeeping = true;
    return { arrived: this.#arrived };
  }

  /**
   * Adds an event.
   *
   * @param bytes Length of the message's body.
   */
  add(name: string, body: unknown, message: object, bytes: number): void {
    const number = ++this.#arrived;
    if (!this.#isKeeping) return;
    this.#events.push({ name, body, message, number, bytes });
    this.#bytes += bytes;
    while (
      this.#events.size > 1 &&
      (this.#events.size > maxKeptEvents || this.#bytes > maxKeptBytes)
    )
      this.#bytes -= this.#events.shift()!.bytes;
  }

  /** Returns the first event kept that arrived after a mark and passes a test. */
  find(
    name: string,
    { arrived }: EventMark,
    passes: EventTest,
  ): { readonly body: unknown } | undefined {
    for (const event of this.#events.items()) {
      if (event.number <= arrived || event.name !== name) continue;
      if (passes(event.body, event.message)) return event;
    }
    return undefined;
  }
}
