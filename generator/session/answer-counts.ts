import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { isOfArm } from "../../runtime/protocol/message-fields.js";
import type { Protocol } from "../model/protocol.js";
import { maxRemembered, rememberedKey } from "./remembered.js";

type Fields = Readonly<Record<string, unknown>>;

/** Counts the requests of a file, and how many responses answer one of them. */
export class AnswerCounts {
  readonly #protocol: Protocol;
  readonly #open: LatestEntries<unknown, true> = new LatestEntries(maxRemembered);
  #requests = 0;
  #answered = 0;
  #others = 0;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  add(message: object): void {
    const { id = "", replyTo = "", request, response } = this.#protocol.envelope;
    const fields = message as Fields;
    if (isOfArm(request, fields)) {
      this.#requests++;
      this.#open.set(rememberedKey(fields[id]), true);
    } else if (response !== undefined && isOfArm(response, fields)) {
      const key = rememberedKey(fields[replyTo]);
      if (this.#open.get(key) === undefined) this.#others++;
      else this.#answered++;
      this.#open.delete(key);
    }
  }

  /** Whether the responses answer the requests: each answers one, and most requests have one. */
  get areOwn(): boolean {
    return this.#answered > 0 && this.#others === 0 && this.#answered * 2 >= this.#requests;
  }
}
