import { placeIn, type EntryPlace, type JudgedMessage } from "../state/judged-message.js";
import type { RuleTable } from "./rule-table.js";
import { listOf } from "./selectors.js";

/**
 * Tracks which requests are pending, and which of the messages that rules wait for have arrived.
 */
export class Sightings {
  /** The selectors that rules wait for. */
  readonly awaited: ReadonlySet<string>;
  /** Position of the latest matching message, by selector. */
  readonly #seenAt = new Map<string, number>();
  /**
   * Location of the first matching message, by selector. Needed for rules that are judged at the
   * end of a session.
   */
  readonly #places = new Map<string, EntryPlace>();
  readonly #marks: ReadonlySet<string>;
  /** Position of the latest matching request, by selector. Contains only pending requests. */
  readonly #pending = new Map<string, number>();

  constructor({ rules }: RuleTable) {
    this.awaited = new Set(
      rules.flatMap(
        ({ after, afterAll = [], before = [], since = [], during = [], once, message }) => [
          ...listOf(after),
          ...afterAll,
          ...before,
          ...since,
          ...during,
          ...(once === true ? listOf(message) : []),
        ],
      ),
    );
    this.#marks = new Set(
      rules.flatMap(({ end, after }) => (end !== undefined ? listOf(after) : [])),
    );
  }

  /** Returns the location of the first message that matches one of the selectors. */
  placeOf(selectors: readonly string[]): EntryPlace | undefined {
    const places = selectors
      .map((each) => this.#places.get(each))
      .filter((each) => each !== undefined);
    return places.sort((a, b) => a.index - b.index)[0];
  }

  /**
   * Returns whether a message that matches one of `selectors` has arrived since the latest message
   * that matches one of `since`.
   */
  hasAny(selectors: readonly string[], since: readonly string[] = []): boolean {
    let from = 0;
    for (const each of since) from = Math.max(from, this.#seenAt.get(each) ?? 0);
    return selectors.some((each) => (this.#seenAt.get(each) ?? 0) > from);
  }

  hasAll(selectors: readonly string[]): boolean {
    return selectors.every((each) => this.#seenAt.has(each));
  }

  /** Returns whether any of the requests is pending: `request next`. */
  isPending(requests: readonly string[]): boolean {
    return requests.some((each) => this.#pending.has(each));
  }

  /** @param marks The selectors in `awaited` that the message matches. */
  follow(message: JudgedMessage, marks: readonly string[]): void {
    const { kind, name = "", index, request } = message;
    for (const each of marks) {
      this.#seenAt.set(each, index);
      if (this.#marks.has(each) && !this.#places.has(each))
        this.#places.set(each, placeIn(message));
    }
    const asked = `request ${name}`;
    if (!this.awaited.has(asked)) return;
    const pending = this.#pending.get(asked);
    // If the recording's source omits ids, a response answers the latest request with its name.
    if (kind === "request") this.#pending.set(asked, index);
    else if (kind === "response" && (request?.index ?? pending) === pending)
      this.#pending.delete(asked);
  }
}
