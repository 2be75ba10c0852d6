import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { kindReaderOf } from "./message-kind.js";
import { maxRemembered, rememberedKey } from "./remembered.js";

type Fields = Readonly<Record<string, unknown>>;

/** Counts the requests in a file and the responses that answer them. */
export class AnswerCounts {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #open: LatestEntries<unknown, true> = new LatestEntries(maxRemembered);
  #requests = 0;
  #answered = 0;
  #others = 0;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#kindOf = kindReaderOf(protocol);
  }

  add(message: object): void {
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    const fields = message as Fields;
    const kind = this.#kindOf(fields);
    if (kind === "request") {
      this.#requests++;
      this.#open.set(rememberedKey(fields[id]), true);
    } else if (kind === "response") {
      const key = rememberedKey(fields[replyTo]);
      if (this.#open.get(key) === undefined) this.#others++;
      else this.#answered++;
      this.#open.delete(key);
    }
  }

  /**
   * Returns whether the file contains the responses to its own requests. It does if every response
   * answers an earlier request and at least half of the requests have a response.
   */
  get areOwn(): boolean {
    return this.#answered > 0 && this.#others === 0 && this.#answered * 2 >= this.#requests;
  }
}
