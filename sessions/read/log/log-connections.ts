import type { Protocol } from "../../../generator/model/protocol.js";
import type { LogHead } from "./log-head.js";
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
  /** The session of each number, if numbers are the names, and which of the numbers it is. */
  readonly #numbered = new Map<string, string>();
  #position = 0;

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

  /**
   * Learns whether a number is the name of a connection: the words in front of the opening requests
   * differ only in this number, all messages have the number of one of these requests, and the
   * connections overlap. A counter or an id takes other values, too.
   */
  learnNumbers(values: readonly WordedValue[]): void {
    const messages = values.filter(({ form }) => form.fit !== "none");
    const openings = messages.filter(
      ({ form: { kind, name } }) =>
        kind === "request" && name !== undefined && name === this.#opening,
    );
    const [first, ...others] = openings;
    if (first === undefined || others.length === 0 || openings.length > maxNames) return;
    if (others.some(({ head }) => head.shape !== first.head.shape)) return;
    const lists = openings.map(({ head }) => numbersOf(head));
    const differing = lists[0]!.flatMap((number, index) =>
      lists.some((list) => list[index] !== number) ? [index] : [],
    );
    const [position] = differing;
    if (position === undefined || differing.length > 1) return;
    const names = new Set(lists.map((list) => list[position]!));
    const numbers = messages.map(({ head }) => numbersOf(head)[position] ?? "");
    if (!numbers.every((number) => names.has(number))) return;
    if ([...names].some((name) => numbers.filter((number) => number === name).length < 2)) return;
    // Successive connections need no names.
    const changes = numbers.filter((number, index) => number !== numbers[index - 1]).length;
    if (changes === names.size) return;
    this.#position = position;
    for (const name of names) this.#numbered.set(name, this.#numbered.size === 0 ? "" : name);
  }

  /** Returns the name of the session that the words in front of a message tell. */
  sessionOf(head: LogHead): string {
    if (this.#numbered.size > 0)
      return this.#numbered.get(numbersOf(head)[this.#position] ?? "") ?? "";
    if (this.#sessions.size === 0) return "";
    const { shape } = head;
    const name = wordsOf(shape).find((word) => this.#sessions.has(word));
    return this.#sessions.get(name ?? "") ?? "";
  }
}

/** Returns whether the words in front of a value contain a name. */
export function hasName(shape: string, name: string): boolean {
  return wordsOf(shape).includes(name);
}

/** Returns the numbers in the words in front of a value that its shape leaves out. */
function numbersOf({ words }: LogHead): readonly string[] {
  return words.match(/\b[\da-f]{8,}\b|\d+/gi) ?? [];
}

function wordsOf(shape: string): readonly string[] {
  return shape.match(/\w(?:[\w.-]*\w)?/g) ?? [];
}
