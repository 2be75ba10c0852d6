import type { Protocol } from "../../../generator/model/protocol.js";
import type { WordedValue } from "./log-scanner.js";

/** Maximum number of connections whose names are remembered. */
const maxNames = 100;

/**
 * Distinguishes the connections in a log. Where the words in front of two opening requests differ in
 * one word, this word is the name of a connection, such as a language server's.
 */
export class LogConnections {
  readonly #opening: string | undefined;
  /** The words in front of the first opening request. */
  #words: readonly string[] | undefined;
  /** The session of each name. The first name's session is the one of messages without a name. */
  readonly #sessions = new Map<string, string>();

  constructor({ conversation }: Protocol) {
    this.#opening = conversation?.opening;
  }

  /**
   * Adds a value.
   *
   * @param isName Whether a word may be the name of a connection other than the first.
   */
  add(
    { head: { shape }, form: { kind, name } }: WordedValue,
    isName: (word: string, first: string) => boolean,
  ): void {
    if (kind !== "request" || name !== this.#opening || name === undefined) return;
    const words = wordsOf(shape);
    this.#words ??= words;
    const others = words.filter((word, index) => word !== this.#words![index]);
    const [word] = others;
    if (word === undefined || others.length > 1 || words.length !== this.#words.length) return;
    const first = this.#words[words.indexOf(word)]!;
    if (this.#sessions.has(word) || this.#sessions.size > maxNames || !isName(word, first)) return;
    this.#sessions.set(first, "").set(word, word);
  }

  /** Returns the name of the session that the words in front of a message tell. */
  sessionOf(shape: string): string {
    if (this.#sessions.size === 0) return "";
    const name = wordsOf(shape).find((word) => this.#sessions.has(word));
    return this.#sessions.get(name ?? "") ?? "";
  }
}

/** Returns whether the words in front of a value contain a name. */
export function hasName(shape: string, name: string): boolean {
  return wordsOf(shape).includes(name);
}

function wordsOf(shape: string): readonly string[] {
  return shape.match(/\w(?:[\w.-]*\w)?/g) ?? [];
}
