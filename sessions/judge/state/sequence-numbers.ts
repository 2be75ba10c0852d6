import type { Protocol } from "../../../generator/model/protocol.js";
import type { JudgedMessage } from "./judged-message.js";

/** Tracks each role's sequence numbers in protocols that have them. */
export class SequenceNumbers {
  /** Field that contains the sequence number. Undefined if the protocol has no sequence numbers. */
  readonly field: string | undefined;
  readonly #last = new Map<string, number>();

  constructor({ envelope: { id, replyTo } }: Protocol) {
    // Ids are not sequence numbers if responses repeat the request id.
    this.field = id === replyTo ? undefined : id;
  }

  /**
   * Returns a message's sequence number. Returns undefined if it has none or if it is 0, which some
   * adapters send in all messages.
   */
  numberOf({ fields }: JudgedMessage): number | undefined {
    const number = this.field === undefined ? undefined : fields[this.field];
    return typeof number === "number" && number > 0 ? number : undefined;
  }

  /** Returns the sequence number of a role's latest message. */
  lastOf(role: string): number | undefined {
    return this.#last.get(role);
  }

  follow(message: JudgedMessage): void {
    const number = this.numberOf(message);
    if (number !== undefined) this.#last.set(message.from, number);
  }
}
