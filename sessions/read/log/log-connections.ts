import type { Protocol } from "../../../generator/model/protocol.js";
import type { LogHead } from "./log-head.js";
import type { WordedValue } from "./log-scanner.js";
import type { MessageForm } from "./message-form.js";

/** Maximum number of connections whose names are remembered. */
const maxNames = 100;

/**
 * Distinguishes the connections in a log. Where the words in front of two opening requests differ in
 * one word, this word is the name of a connection, such as a language server's.
 */
export class LogConnections {
  readonly #protocol: Protocol;
  /** The words in front of the first opening request. */
  #words: readonly string[] | undefined;
  /** The session of each name. The first name's session is the one of messages without a name. */
  readonly #sessions = new Map<string, string>();
  #areNumbers = false;
  /** Decisions that are not certain, in words. */
  remarks: readonly string[] = [];

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  /** Learns the names of connections from the first messages in a log. */
  learn(messages: readonly WordedValue[]): void {
    for (const each of messages)
      this.add(each, (name, first) => {
        if (areAlike(name, first) || !this.#isEcho(messages, name, first)) return true;
        const [echo, original] = [name, first].map((each) => JSON.stringify(each));
        this.remarks = [`messages after ${echo} repeat those after ${original}: each counts once`];
        return false;
      });
    const numbers = this.#numberOfEach(messages);
    if (numbers === undefined) return;
    this.#areNumbers = true;
    this.#sessions.clear();
    for (const number of numbers) this.#sessions.set(number, number);
    this.#sessions.set(numbers[0]!, "");
  }

  /**
   * Adds a message.
   *
   * @param isName Whether a word may be the name of a connection other than the first.
   */
  add(
    { head: { shape }, form }: WordedValue,
    isName: (word: string, first: string) => boolean,
  ): void {
    if (this.#areNumbers || !isOpeningOf(this.#protocol, form)) return;
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
  sessionOf(head: LogHead): string {
    if (this.#sessions.size === 0) return "";
    const words = this.#areNumbers ? numbersOf(head) : wordsOf(head.shape);
    return this.#sessions.get(words.find((word) => this.#sessions.has(word)) ?? "") ?? "";
  }

  /**
   * Returns the number that is the name of each message's connection: the words in front of the
   * opening requests differ only in this number, all messages have the number of one of these
   * requests, and the connections overlap. A counter or an id takes other values, too.
   */
  #numberOfEach(messages: readonly WordedValue[]): readonly string[] | undefined {
    const [first, ...others] = messages.filter(({ form }) => isOpeningOf(this.#protocol, form));
    if (first === undefined || others.length === 0 || others.length >= maxNames) return undefined;
    if (others.some(({ head }) => head.shape !== first.head.shape)) return undefined;
    const lists = [first, ...others].map(({ head }) => numbersOf(head));
    const names = new Set(
      lists.flatMap((list) =>
        list.filter((number, index) => lists.some((other) => other[index] !== number)),
      ),
    );
    const numbers: string[] = [];
    for (const { head, form } of messages) {
      const [name, ...more] = new Set(numbersOf(head).filter((number) => names.has(number)));
      if (form.fit === "none") continue;
      if (name === undefined || more.length > 0) return undefined;
      numbers.push(name);
    }
    const isOnce = (name: string): boolean => numbers.indexOf(name) === numbers.lastIndexOf(name);
    // Successive connections need no names.
    const changes = numbers.filter((number, index) => number !== numbers[index - 1]).length;
    return [...names].some(isOnce) || changes === names.size ? undefined : numbers;
  }

  /**
   * Returns whether the messages with one name in front of them are those with the other, logged
   * again: they are equal, and the first of them is repeated before the client sends the next.
   */
  #isEcho(messages: readonly WordedValue[], name: string, other: string): boolean {
    const placesOf = (each: string): ReadonlyMap<string, number> =>
      new Map(
        messages.flatMap(({ head, value }, place) =>
          hasName(head.shape, each) ? [[JSON.stringify(value), place] as const] : [],
        ),
      );
    const [places, others] = [placesOf(name), placesOf(other)];
    const [start = 0] = places.values();
    const hasAsked = [...others.values()].some((place) => {
      const { form } = messages[place]!;
      const isAsked = form.kind !== "response" && form.sender === this.#protocol.roles[0];
      return place < start && isAsked && !isOpeningOf(this.#protocol, form);
    });
    const shared = [...places.keys()].filter((text) => others.has(text));
    // Layers of a program log what passes through them in one order for each direction.
    const directions = shared.map((text) => {
      const { form, head } = messages[places.get(text)!]!;
      return form.sender ?? head.mark;
    });
    const orders = shared.map(
      (text, index) => `${places.get(text)! < others.get(text)!} ${directions[index]}`,
    );
    const [fewest, most] = [places.size, others.size].sort((one, two) => one - two);
    const isOrdered = new Set(orders).size === new Set(directions).size;
    return !hasAsked && most! > 1 && shared.length === fewest && isOrdered;
  }
}

/** Returns whether a message is the request that opens a session. */
export function isOpeningOf({ conversation }: Protocol, { kind, name }: MessageForm): boolean {
  return kind === "request" && name !== undefined && name === conversation?.opening;
}

/** Returns whether two names are numbers, or differ in one character, as those of connections do. */
function areAlike(name: string, other: string): boolean {
  if ([name, other].every((each) => /^(?=.*0)[0a-f-]+$/i.test(each))) return true;
  const differing = [...name].filter((character, index) => character !== other[index]);
  return name.length === other.length && differing.length === 1;
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
