import { isObject } from "../../../runtime/protocol/message-fields.js";
import { readingsOf } from "./readings.js";
import { isEnvironment, isPlainVariable, kindOfName } from "./secret-names.js";
import type { SecretKind, Secrets } from "./secrets.js";
import { findRecognisedSecrets } from "./recognised-secrets.js";

const loopback = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|::1?|\[::1?\])$/i;

/**
 * Matches the path of a home folder. Captures the folder in which home folders are kept, and the
 * user name. Slashes may be escaped or encoded.
 */
const home =
  /((?:\/|\\+)(?:home|users|documents and settings)(?:\/|\\+))((?:[^\\/%"'`:;,<>|*?&#\s()[\]{}]|(?<=\p{L})'(?=\p{L})){1,64}(?: [^\\/%"'`:;,<>|*?&#\s()[\]{}]{1,64}(?=[\\/])){0,3})/giu;

/** Names of folders that are found alongside home folders but do not belong to a user. */
const nobody = new Set(["public", "shared", "default", "all users", "..", "."]);

/** User names that do not identify a person. */
export const commonUsers: ReadonlySet<string> = new Set([
  "root",
  "user",
  "admin",
  "node",
  "runner",
  "vscode",
  "ubuntu",
]);

/** Finds secrets in values and adds them to those that will be replaced. */
export class SecretFinder {
  readonly #secrets: Secrets;
  readonly #words: ReadonlySet<string>;

  /** @param words The protocol's words, which are never secrets. */
  constructor(secrets: Secrets, words: ReadonlySet<string>) {
    this.#secrets = secrets;
    this.#words = words;
  }

  /**
   * Finds environment variables, users, machines, and values whose names indicate a secret, such as
   * `password`.
   */
  find(value: unknown): void {
    if (typeof value === "string") return this.#findIn(value);
    if (Array.isArray(value)) {
      for (const [index, each] of (value as readonly unknown[]).entries()) {
        if (isSecretOption(value[index - 1])) this.learn(each, "value");
        this.find(each);
      }
      return;
    }
    if (!isObject(value)) return;
    const named = namedValue(value);
    if (named !== undefined) this.learn(unquoted(named), "value");
    for (const [name, each] of Object.entries(value)) {
      this.#findIn(name);
      if (isEnvironment(name)) this.#findEnvironment(each);
      else if (!this.#words.has(name.toLowerCase()) || name.toLowerCase() === "host") {
        const kind = kindOfName(name);
        if (kind === "value" || typeof each === "string") if (kind) this.learn(each, kind);
      }
      this.find(each);
    }
  }

  /** Adds a value to the secrets. For an object or array, adds all values that it contains. */
  learn(value: unknown, kind: SecretKind): void {
    if (typeof value === "string") this.#add(value, kind);
    else if (typeof value === "number") this.#secrets.addNumber(value);
    else if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) this.learn(each, kind);
  }

  /**
   * Adds the secrets in an environment that programs inherit. Unlike other environments, it is not
   * part of the session.
   */
  findInherited(environment: Readonly<Record<string, string | undefined>>): void {
    for (const [variable, text = ""] of Object.entries(environment)) {
      const kind = kindOfName(variable);
      if (kind === undefined && (text.length < 8 || isPlainVariable(variable))) this.#findIn(text);
      else this.#findVariable(variable, text);
    }
  }

  /** Adds the home folders mentioned in a text to the secrets. */
  findHomes(text: string): void {
    for (const { 0: all, 1: above = "", 2: user = "", index } of text.matchAll(home)) {
      // Skip a name that continues with an encoded character. It will be found in the decoded form
      // of the text instead.
      if (/^%(?!2f|5c)[0-9a-f]{2}/i.test(text.slice(index + all.length, index + all.length + 3)))
        continue;
      const name = user.replace(/\.+$/, "");
      const word = name.toLowerCase();
      if (nobody.has(word) || /^(?:user|redacted)-\d+$/.test(word)) continue;
      const isWord = commonUsers.has(word) || this.#words.has(word);
      this.#secrets.addHome(above.replaceAll(/\\+/g, "\\"), name, isWord);
    }
  }

  #findIn(text: string): void {
    if (text.length < 4) return;
    for (const reading of readingsOf(text, false)) {
      this.findHomes(reading.text);
      findRecognisedSecrets(reading.text, this.#secrets, (word) =>
        this.#words.has(word.toLowerCase()),
      );
    }
  }

  #findEnvironment(value: unknown): void {
    if (typeof value === "string") {
      for (const [, name = "", double, single, bare] of value.matchAll(variable))
        this.#findVariable(name, double ?? single ?? bare ?? "");
      return;
    }
    for (const { name, value: each } of variablesOf(value))
      if (typeof each === "string") this.#findVariable(name, each);
      else this.learn(each, "value");
  }

  #findVariable(name: string, text: string): void {
    const kind = kindOfName(name) ?? "value";
    if (!isHome(text) && !this.#words.has(text.toLowerCase())) this.#add(text, kind);
  }

  #add(text: string, kind: SecretKind): void {
    if (kind === "host" && loopback.test(text)) return;
    if (kind === "user" && commonUsers.has(text.toLowerCase())) return;
    if (!this.#words.has(text.toLowerCase())) this.#secrets.add(text, kind);
  }
}

/** Matches one variable in a string that holds several, either as `A=1 B="two"` or one per line. */
const variable = /([A-Za-z_]\w{0,127})=(?:"([^"\n]*)"|'([^'\n]*)'|([^\s;]*))/g;

/** Lists the variables in an environment, in any of the forms that protocols use. */
function* variablesOf(
  value: unknown,
): Generator<{ readonly name: string; readonly value: unknown }> {
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[]) {
      if (typeof each === "string" && each.includes("=")) {
        const at = each.indexOf("=");
        yield { name: each.slice(0, at), value: each.slice(at + 1) };
      } else if (Array.isArray(each)) yield { name: String(each[0]), value: each.slice(1) };
      else if (isObject(each) && "value" in each)
        yield { name: typeof each["name"] === "string" ? each["name"] : "", value: each["value"] };
      else if (isObject(each)) yield* variablesOf(each);
    }
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) yield { name, value: each };
  }
}

/**
 * Returns the secret in an object such as `{ name: "password", value: "…" }`, which may be one of
 * the program's variables or a header. Returns undefined if the name does not indicate a secret.
 */
export function namedValue(value: Readonly<Record<string, unknown>>): string | undefined {
  const { name, value: text } = value;
  if (typeof name !== "string" || typeof text !== "string") return undefined;
  return kindOfName(name) === "value" && !/^(?:None|nil|null|undefined|<.*>|0x0+)$/.test(text)
    ? text
    : undefined;
}

/**
 * Removes the quotes around a literal, along with any text before them, as in `'…'`, `u"…"` or
 * `0x5581 "…"`.
 */
export function unquoted(text: string): string {
  const [, double, single] = /^[^"']{0,32}(?:"(.*)"|'(.*)')$/s.exec(text) ?? [];
  return double ?? single ?? text;
}

/**
 * Returns whether an argument is an option such as `--password`, in which case the next argument is
 * a secret.
 */
export function isSecretOption(argument: unknown): boolean {
  return (
    typeof argument === "string" &&
    /^-{1,2}[a-z][\w-]*$/i.test(argument) &&
    kindOfName(argument) === "value"
  );
}

/**
 * Returns whether a path is itself a home folder, in which case only the user name needs to be
 * replaced.
 */
export function isHome(text: string): boolean {
  // Do not use `exec`, which would resume after the expression's last match. `matchAll` works on a
  // copy of the expression.
  const [found] = text.matchAll(home);
  return found !== undefined && found[0].length >= text.replace(/[\\/]+$/, "").length;
}
