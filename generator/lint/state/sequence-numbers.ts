import type { Protocol } from "../../model/protocol.js";
import type { JudgedMessage } from "./judged-message.js";

/** Tracks the sequence numbers of each role, in protocols that have them. */
export class SequenceNumbers {
  /** Field that contains the sequence number. Undefined if the protocol has no sequence numbers. */
  readonly field: string | undefined;
  readonly #last = new Map<string, number>();

  constructor({ envelope: { id, replyTo } }: Protocol) {
    // Ids are not sequence numbers if responses repeat the id of their request.
    this.field = id === replyTo ? undefined : id;
  }

  /**
   * The sequence number of a message. Undefined if it has none, or if it is 0: some adapters send 0
   * in all messages.
   */
  numberOf({ fields }: JudgedMessage): number | undefined {
    const number = this.field === undefined ? undefined : fields[this.field];
    return typeof number === "number" && number > 0 ? number : undefined;
  }

  /** The sequence number of the latest message of a role. */
  lastOf(role: string): number | undefined {
    return this.#last.get(role);
  }

  follow(message: JudgedMessage): void {
    const number = this.numberOf(message);
    if (number !== undefined) this.#last.set(message.from, number);
  }
}
