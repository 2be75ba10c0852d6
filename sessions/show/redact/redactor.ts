import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { isMessage } from "../../read/senders.js";
import {
  commonUsers,
  isHome,
  isSecretOption,
  namedValue,
  SecretFinder,
  unquoted,
} from "./found-secrets.js";
import { protocolWords } from "./protocol-words.js";
import { isEnvironment, kindOfName } from "./secret-names.js";
import { Secrets } from "./secrets.js";

export interface RedactOptions {
  /** JSON Pointers to secret values in messages. `*` matches any property or item. */
  readonly pointers?: readonly string[];
  /** Strings to treat as secrets. */
  readonly texts?: readonly string[];
  /**
   * User names and, in `hosts`, machine names to treat as secrets in addition to those found in the
   * session.
   */
  readonly users?: readonly string[];
  readonly hosts?: readonly string[];
  /** Paths to home folders. */
  readonly homes?: readonly string[];
  /** The environment inherited by the programs in the session. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Replaces strings that identify a person or a machine: environment variables, passwords and keys,
 * user names in paths and elsewhere, machine names, and the strings given in the options. The same
 * string is always replaced with the same placeholder. Values keep their types. Paths remain paths,
 * with their ends unchanged.
 *
 * The redactor works on lines of a recording as well as on single messages.
 */
export class Redactor {
  readonly #protocol: Protocol;
  readonly #words: ReadonlySet<string>;
  readonly #secrets = new Secrets();
  readonly #finder: SecretFinder;
  readonly #pointers: readonly (readonly string[])[];

  constructor(protocol: Protocol, options: RedactOptions = {}) {
    const { pointers = [], texts = [], users = [], hosts = [], homes = [] } = options;
    this.#protocol = protocol;
    this.#words = protocolWords(protocol);
    this.#pointers = pointers.map(parsePointer);
    this.#finder = new SecretFinder(this.#secrets, this.#words);
    for (const path of homes)
      if (isHome(path)) this.#finder.findHomes(path);
      else this.#secrets.add(path, "value");
    for (const text of texts) this.#secrets.add(text, "value");
    for (const user of users)
      if (!this.#words.has(user.toLowerCase()) && !commonUsers.has(user.toLowerCase()))
        this.#secrets.add(user, "user");
    for (const host of hosts) if (host !== "localhost") this.#secrets.add(host, "host");
    this.#finder.findInherited(options.environment ?? {});
  }

  /**
   * Collects the secrets in a line or a message. Must be called for all lines or messages before
   * any secret is replaced.
   */
  find(value: unknown): void {
    this.#finder.find(this.#partOf(value));
    const message = this.#messageOf(value);
    if (message === undefined) return;
    for (const steps of this.#pointers)
      for (const each of valuesAt(message, steps)) this.#learn(each);
  }

  /** Copies a line or a message, replacing its secrets with placeholders. */
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

  /** Copies a string, replacing its secrets with placeholders. */
  redactedText(text: string): string {
    return this.#secrets.replacedIn(text);
  }

  #learn(value: unknown): void {
    if (typeof value === "string") this.#secrets.add(value, "value");
    else if (typeof value === "number") this.#secrets.addNumber(value);
    else if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) this.#learn(each);
  }

  /** Returns the part of a recorded line that comes from the session. */
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

  /** Redacts a message but leaves its envelope unchanged. */
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
    if (isEnvironment(name)) return this.#environment(value);
    const isSecret = kindOfName(name) === "value" && !this.#words.has(name.toLowerCase());
    return this.#copy(value, isSecret ? hiddenMarks : marks);
  }

  /**
   * Copies a value, replacing its secrets with placeholders.
   *
   * @param marks The remaining steps of the JSON Pointers that point to or into this value. If no
   * steps remain, this value is secret.
   */
  #copy(value: unknown, marks: Marks = []): unknown {
    const isSecret = marks.some((steps) => steps.length === 0);
    if (typeof value === "string")
      return isSecret ? this.#hidden(value) : this.#secrets.replacedIn(value);
    if (typeof value === "number")
      return isSecret ? this.#secrets.hiddenNumber(value) : this.#secrets.replacedNumber(value);
    if (typeof value !== "object" || value === null) return value;
    const inner = (step: string): Marks => (isSecret ? hiddenMarks : below(marks, step));
    if (Array.isArray(value))
      return value.map((each: unknown, index) =>
        this.#copy(each, isSecretOption(value[index - 1]) ? hiddenMarks : inner(String(index))),
      );
    const named = isObject(value) ? namedValue(value) : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        this.#key(name),
        named !== undefined && name === "value"
          ? this.#hidden(unquoted(named))
          : this.#property(name, each, inner(name)),
      ]),
    );
  }

  #hidden(text: string): string {
    return text === "" ? text : this.#secrets.placeholderOf(text, "value");
  }

  /**
   * Replaces all values in an environment with placeholders, in any of the forms that protocols
   * use.
   */
  #environment(value: unknown, variable = ""): unknown {
    if (typeof value === "string") return this.#variable(variable, value);
    if (typeof value === "number") return this.#secrets.hiddenNumber(value);
    if (Array.isArray(value))
      return value.map((each: unknown) => {
        if (typeof each !== "string" || variable !== "") return this.#environment(each, variable);
        const at = each.indexOf("=");
        if (at < 0) return this.#copy(each);
        return `${each.slice(0, at)}=${this.#variable(each.slice(0, at), each.slice(at + 1))}`;
      });
    if (!isObject(value)) return value;
    const { name } = value;
    if (typeof name === "string" && "value" in value)
      return { ...value, value: this.#environment(value["value"], name) };
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        this.#key(name),
        name === "name" ? this.#copy(each) : this.#environment(each, name),
      ]),
    );
  }

  #variable(name: string, text: string): string {
    return text === "" || isHome(text)
      ? this.#secrets.replacedIn(text)
      : this.#secrets.placeholderOf(text, kindOfName(name) ?? "value");
  }

  #key(name: string): string {
    return this.#words.has(name.toLowerCase()) ? name : this.#secrets.replacedIn(name);
  }
}

/** Returns whether a line of this kind contains text from the session rather than a message. */
function isText(kind: unknown): boolean {
  return kind === "fault" || kind === "noise" || kind === "stderr";
}

/**
 * The JSON Pointers that point to secrets at or within a value. Each contains only the steps that
 * remain from that value.
 */
type Marks = readonly (readonly string[])[];

/** No steps remain: the value itself is secret. */
const hiddenMarks: Marks = [[]];

/** Returns the remaining steps for one of a value's properties or items. */
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
