import { parsePointer } from "../../runtime/base/json-pointer.js";
import { isObject } from "../../runtime/index.js";
import type { Protocol } from "../model/protocol.js";
import { isMessage } from "../session/entries/senders.js";
import {
  commonUsers,
  findSecrets,
  isEnvironment,
  isHome,
  kindOfVariable,
} from "./found-secrets.js";
import { protocolWords } from "./protocol-words.js";
import { Secrets } from "./secrets.js";

export interface RedactOptions {
  /** JSON Pointers into messages whose values are secret; `*` stands for every property or item. */
  readonly pointers?: readonly string[];
  /** Texts that are secret. */
  readonly texts?: readonly string[];
  /** Names of users and machines, besides those that the session tells. */
  readonly users?: readonly string[];
  readonly hosts?: readonly string[];
  /** Home folders. */
  readonly homes?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Numbers from this one on are replaced wherever they stand. */
const leastNumber = 10_000;

/**
 * Replaces what tells of a person or a machine: the environment, names of users in paths and elsewhere, names of
 * machines, and what is named. The same text becomes the same placeholder everywhere. Types stay as they are, paths
 * stay paths with their ends.
 *
 * It works on lines of a recording, and on messages.
 */
export class Redactor {
  readonly #protocol: Protocol;
  readonly #words: ReadonlySet<string>;
  readonly #secrets = new Secrets();
  readonly #pointers: readonly (readonly string[])[];
  readonly #numbers = new Map<number, number>();

  constructor(
    protocol: Protocol,
    { pointers = [], texts = [], users = [], hosts = [], homes = [] }: RedactOptions = {},
  ) {
    this.#protocol = protocol;
    this.#words = protocolWords(protocol);
    this.#pointers = pointers.map(parsePointer);
    for (const path of homes)
      if (isHome(path)) findSecrets(path, this.#secrets, this.#words);
      else this.#secrets.add(path, "value");
    for (const text of texts) this.#secrets.add(text, "value");
    for (const user of users)
      if (!this.#words.has(user.toLowerCase()) && !commonUsers.has(user.toLowerCase()))
        this.#secrets.add(user, "user");
    for (const host of hosts) if (host !== "localhost") this.#secrets.add(host, "host");
  }

  /** Learns the secrets of a line or a message, before anything is replaced. */
  find(value: unknown): void {
    const part = this.#partOf(value);
    findSecrets(part, this.#secrets, this.#words);
    const message = this.#messageOf(value);
    if (message === undefined) return;
    for (const steps of this.#pointers)
      for (const each of valuesAt(message, steps)) this.#learn(each);
  }

  /** A copy of a line or a message with placeholders. */
  redacted(value: unknown): unknown {
    if (!isObject(value)) return this.#copy(value);
    const { kind } = value;
    if (kind === "message" && isObject(value["message"])) {
      const { bytes } = value;
      return {
        ...value,
        ...(bytes === undefined ? {} : { bytes: this.#copy(bytes) }),
        message: this.#message(value["message"]),
      };
    }
    if (isText(kind)) return { ...value, text: this.#copy(value["text"]) };
    if (kind === "end" || value["recording"] === "wirewright") return value;
    if (isMessage(value, this.#protocol)) return this.#message(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        this.#key(name),
        isObject(each) && isMessage(each, this.#protocol) ? this.#message(each) : this.#copy(each),
      ]),
    );
  }

  /** A text with placeholders. */
  redactedText(text: string): string {
    return this.#secrets.replacedIn(text);
  }

  #learn(value: unknown): void {
    if (typeof value === "string") this.#secrets.add(value, "value");
    else if (typeof value === "number") {
      if (!this.#numbers.has(value)) this.#numbers.set(value, this.#numbers.size + 1);
      if (Math.abs(value) >= leastNumber) this.#secrets.add(String(value), "value");
    } else if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) this.#learn(each);
  }

  /** The part of a line that comes from the session. */
  #partOf(value: unknown): unknown {
    if (!isObject(value)) return value;
    const { kind } = value;
    if (kind === "message") return value["message"];
    if (isText(kind)) return value["text"];
    return kind === "end" || value["recording"] === "wirewright" ? undefined : value;
  }

  #messageOf(value: unknown): Fields | undefined {
    if (!isObject(value)) return undefined;
    if (value["kind"] === "message" && isObject(value["message"])) return value["message"];
    if (isMessage(value, this.#protocol)) return value;
    return Object.values(value).find(
      (each): each is Fields => isObject(each) && isMessage(each, this.#protocol),
    );
  }

  /** A message, with the words of its envelope as they are. */
  #message(message: Fields): object {
    const { request, event, response } = this.#protocol.envelope;
    const kept = new Set<string>();
    for (const arm of [request, event, response]) {
      if (arm === undefined) continue;
      for (const name of Object.keys(arm.when)) kept.add(name);
      if (arm.name !== undefined) kept.add(arm.name);
    }
    const marks = this.#pointers.map((steps) => steps);
    return Object.fromEntries(
      Object.entries(message).map(([name, each]) => [
        this.#key(name),
        typeof each === "string" && kept.has(name)
          ? each
          : this.#property(name, each, below(marks, name)),
      ]),
    );
  }

  #property(name: string, value: unknown, marks: Marks): unknown {
    return isEnvironment(name) ? this.#environment(value, marks) : this.#copy(value, marks);
  }

  /** @param marks What is left of the pointers that lead here: an empty one means this value. */
  #copy(value: unknown, marks: Marks = []): unknown {
    const isSecret = marks.some((steps) => steps.length === 0);
    if (typeof value === "string")
      return isSecret && value !== ""
        ? this.#secrets.placeholderOf(value, "value")
        : this.#secrets.replacedIn(value);
    if (typeof value === "number")
      return isSecret || Math.abs(value) >= leastNumber
        ? (this.#numbers.get(value) ?? value)
        : value;
    if (typeof value !== "object" || value === null) return value;
    const inner = (step: string): Marks => (isSecret ? [[]] : below(marks, step));
    if (Array.isArray(value))
      return value.map((each: unknown, index) => this.#copy(each, inner(String(index))));
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        this.#key(name),
        this.#property(name, each, inner(name)),
      ]),
    );
  }

  /** An environment in any of its forms, with placeholders for all values. */
  #environment(value: unknown, marks: Marks): unknown {
    const hidden = (variable: string, text: string): string =>
      text === "" || isHome(text)
        ? this.#secrets.replacedIn(text)
        : this.#secrets.placeholderOf(text, kindOfVariable(variable));
    if (Array.isArray(value))
      return value.map((each: unknown, index) => {
        if (typeof each === "string" && each.includes("=")) {
          const at = each.indexOf("=");
          return `${each.slice(0, at)}=${hidden(each.slice(0, at), each.slice(at + 1))}`;
        }
        const name = isObject(each) ? each["name"] : undefined;
        return isObject(each) && typeof name === "string" && typeof each["value"] === "string"
          ? { ...each, value: hidden(name, each["value"]) }
          : this.#copy(each, below(marks, String(index)));
      });
    if (!isObject(value)) return this.#copy(value, marks);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        typeof each === "string" ? hidden(name, each) : this.#copy(each, below(marks, name)),
      ]),
    );
  }

  #key(name: string): string {
    return this.#words.has(name.toLowerCase()) ? name : this.#secrets.replacedIn(name);
  }
}

/** Whether a line of this kind has a text from the session. */
function isText(kind: unknown): boolean {
  return kind === "fault" || kind === "noise" || kind === "stderr";
}

/** Steps of pointers that lead into a value. */
type Marks = readonly (readonly string[])[];

/** What is left of pointers in a property or an item. */
function below(marks: Marks, name: string): Marks {
  return marks.filter(([step]) => step === name || step === "*").map((steps) => steps.slice(1));
}

function* valuesAt(value: unknown, steps: readonly string[]): Generator<unknown> {
  const [step, ...more] = steps;
  if (step === undefined) yield value;
  else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value))
      if (step === name || step === "*") yield* valuesAt(each, more);
  }
}
