import type { Protocol } from "../../model/protocol.js";
import type { JudgedMessage } from "./judged-message.js";

/** The sequence numbers of each role, in protocols with sequence numbers. */
export class SequenceNumbers {
  /** Field with the number; undefined without sequence numbers. */
  readonly field: string | undefined;
  readonly #last = new Map<string, number>();

  constructor({ envelope: { id, replyTo } }: Protocol) {
    // If responses repeat the id of their request, ids are not sequence numbers.
    this.field = id === replyTo ? undefined : id;
  }

  /** Number of a message; undefined if it has none. Real adapters send 0 for all their messages. */
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
