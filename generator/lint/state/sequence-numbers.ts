import type { Protocol } from "../../model/protocol.js";
import type { JudgedMessage } from "./judged-message.js";

/** The numbers by which each role counts its messages, in protocols that count them. */
export class SequenceNumbers {
  /** Field with the sequence number; undefined if messages have none. */
  readonly field: string | undefined;
  readonly #last = new Map<string, number>();

  constructor({ envelope: { id, replyTo } }: Protocol) {
    // Where responses repeat the id of their request, ids do not count messages.
    this.field = id === replyTo ? undefined : id;
  }

  /** Number of a message; undefined where it has none. Real adapters send 0 for all their messages. */
  numberOf({ fields }: JudgedMessage): number | undefined {
    const number = this.field === undefined ? undefined : fields[this.field];
    return typeof number === "number" && number > 0 ? number : undefined;
  }

  /** The number of the latest message of a role. */
  lastOf(role: string): number | undefined {
    return this.#last.get(role);
  }

  follow(message: JudgedMessage): void {
    const number = this.numberOf(message);
    if (number !== undefined) this.#last.set(message.from, number);
  }
}
