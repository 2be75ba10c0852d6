import type { JudgedMessage } from "../state/judged-message.js";
import type { RuleTable } from "./rule-table.js";
import { listOf } from "./selectors.js";

/** Which of the messages that rules wait for have come, and which requests are unanswered. */
export class Sightings {
  readonly #awaited: ReadonlySet<string>;
  /** Number of the latest message of a selector. */
  readonly #seenAt = new Map<string, number>();
  /** The latest unanswered request of a name. */
  readonly #pending = new Map<string, number>();

  constructor({ rules }: RuleTable) {
    this.#awaited = new Set(
      rules.flatMap(
        ({ after, afterAll = [], before = [], since = [], during = [], once, message }) => [
          ...listOf(after),
          ...[...afterAll, ...before, ...since, ...during],
          ...(once === true ? listOf(message) : []),
        ],
      ),
    );
  }

  /** Whether one of some messages has come, and after the latest of others. */
  hasAny(selectors: readonly string[], since: readonly string[] = []): boolean {
    const from = Math.max(0, ...since.map((each) => this.#seenAt.get(each) ?? 0));
    return selectors.some((each) => (this.#seenAt.get(each) ?? 0) > from);
  }

  hasAll(selectors: readonly string[]): boolean {
    return selectors.every((each) => this.#seenAt.has(each));
  }

  /** Whether one of some requests is unanswered: `request next`. */
  isPending(requests: readonly string[]): boolean {
    return requests.some((each) => this.#pending.has(each));
  }

  follow({ kind, name = "", index, request }: JudgedMessage, selectors: readonly string[]): void {
    for (const each of selectors) if (this.#awaited.has(each)) this.#seenAt.set(each, index);
    const asked = `request ${name}`;
    if (!this.#awaited.has(asked)) return;
    const pending = this.#pending.get(asked);
    // Where the source does not tell numbers, a response answers the latest request of its name.
    if (kind === "request") this.#pending.set(asked, index);
    else if (kind === "response" && (request?.index ?? pending) === pending)
      this.#pending.delete(asked);
  }
}
