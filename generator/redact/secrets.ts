import { folded, foldedReading, spanOf, type Span } from "./reading.js";
import { readingsOf } from "./readings.js";
import { TextTrie } from "./text-trie.js";

/** The kind of a secret, which its placeholder shows. */
export type SecretKind = "user" | "host" | "value";

interface Secret {
  readonly text: string;
  readonly kind: SecretKind;
  /** Length of the part that stays: the folder that contains a name. */
  readonly kept: number;
  /** Whether the secret counts only as a whole word. */
  readonly isWord: boolean;
}

/** Not all positions in a longer secret are searched. */
const longLength = 256;

/** Strings of at least this length also count within words. */
const anywhereLength = 8;

/** Shorter strings are too common. */
const leastLength = 4;

/** Maximum number of characters of secrets. The first ones count, because each needs memory. */
const mostCharacters = 500_000;

/** Numbers from this one on are replaced everywhere. */
const leastNumber = 10_000;

/** Strings that are not secret, although they may be values of the environment. */
const plainTexts = new Set(["true", "false", "null", "none", "undefined", "default"]);

/** The secrets of a session, with their placeholders. */
export class Secrets {
  readonly #placeholders = new Map<string, string>();
  /** The kind of each string when it was found. */
  readonly #kinds = new Map<string, SecretKind>();
  readonly #counts: Record<SecretKind, number> = { user: 0, host: 0, value: 0 };
  readonly #searched = new TextTrie<Secret>();
  readonly #numbers = new Map<number, number>();
  #characters = 0;

  /**
   * The placeholder of a string. The same string has the same placeholder, even if its kind
   * differs.
   */
  placeholderOf(text: string, kind: SecretKind): string {
    const key = folded(text);
    let placeholder = this.#placeholders.get(key);
    if (placeholder === undefined) {
      const known = this.#kinds.get(key) ?? kind;
      const name = known === "value" ? "redacted" : known;
      placeholder = `${rootOf(text, known)}${name}-${++this.#counts[known]}`;
      this.#placeholders.set(key, placeholder);
    }
    return placeholder;
  }

  /** Adds a string, unless it is too common. */
  add(text: string, kind: SecretKind): void {
    const plain = folded(text);
    const least = kind === "value" ? leastLength : leastLength - 1;
    if (text.length < least || plainTexts.has(plain) || /^\d{1,4}$/.test(text)) return;
    const isWord = kind !== "value" || text.length < anywhereLength;
    this.#search(plain, { text, kind, kept: 0, isWord });
  }

  /**
   * Adds the home folder of a user, and the user name for other places.
   *
   * @param isWord Whether the name is also a common word, which is replaced only in the folder.
   */
  addHome(above: string, user: string, isWord: boolean): void {
    if (user === "") return;
    const folder = folded(above);
    const kept = folder.length;
    this.#search(folder + folded(user), { text: user, kind: "user", kept, isWord: true });
    if (!isWord) this.add(user, "user");
  }

  /** Adds a number, also for strings, unless it is too small. */
  addNumber(value: number): void {
    if (Math.abs(value) < leastNumber) return;
    this.hiddenNumber(value);
    this.add(String(value), "value");
  }

  /** The number that replaces another. */
  hiddenNumber(value: number): number {
    let hidden = this.#numbers.get(value);
    if (hidden === undefined) this.#numbers.set(value, (hidden = this.#numbers.size + 1));
    return hidden;
  }

  /** The number that replaces a number, if that is secret. */
  replacedNumber(value: number): number {
    return Math.abs(value) >= leastNumber ? (this.#numbers.get(value) ?? value) : value;
  }

  /** A string with placeholders for all secrets in it, in any encoding. */
  replacedIn(text: string): string {
    if (this.#characters === 0) return text;
    const parts: string[] = [];
    let done = 0;
    for (const { start, end, secret } of joined(this.#foundIn(text))) {
      parts.push(text.slice(done, start), this.placeholderOf(secret.text, secret.kind));
      done = end;
    }
    return done === 0 ? text : parts.join("") + text.slice(done);
  }

  #foundIn(text: string): Found[] {
    const found: Found[] = [];
    for (const each of readingsOf(text, true)) {
      const reading = foldedReading(each);
      const { text: read } = reading;
      for (let at = 0; at < read.length; at++) {
        const longest = this.#searched.longestAt(
          read,
          at,
          ({ kept, isWord }, end) =>
            !isWord ||
            // A folder contains its own boundary.
            ((kept > 0 || isBoundary(read, at - 1)) && isBoundary(read, end)),
        );
        if (longest === undefined) continue;
        const { end, value: secret } = longest;
        found.push({ ...spanOf(reading, at + secret.kept, end), secret });
        // A match that begins in a long secret usually also ends in it.
        at = Math.max(at, end - longLength);
      }
    }
    return found;
  }

  #search(text: string, secret: Secret): void {
    if (this.#characters + text.length > mostCharacters) return;
    if (!this.#searched.add(text, secret)) return;
    this.#characters += text.length;
    const key = text.slice(secret.kept);
    if (!this.#kinds.has(key)) this.#kinds.set(key, secret.kind);
  }
}

/** The root of a path, so that the placeholder is also a path. */
function rootOf(text: string, kind: SecretKind): string {
  if (kind !== "value") return "";
  const [root = ""] = /^(?:\/|[a-z]:[\\/]|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.exec(text) ?? [];
  // Not a backslash, because it would need to be doubled in nested JSON.
  return root.replace("\\", "/");
}

interface Found extends Span {
  readonly secret: Secret;
}

/** In order. Of overlapping matches, only the longest counts. */
function joined(found: Found[]): readonly Found[] {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const result: Found[] = [];
  for (const each of found) {
    const last = result.at(-1);
    if (last === undefined || each.start >= last.end) {
      if (each.start < each.end) result.push(each);
      continue;
    }
    const longer = each.end - each.start > last.end - last.start ? each : last;
    result[result.length - 1] = {
      start: last.start,
      end: Math.max(last.end, each.end),
      secret: longer.secret,
    };
  }
  return result;
}

/** Whether the character at an index is not a part of a word. */
function isBoundary(text: string, at: number): boolean {
  return !(at >= 0 && at < text.length && /[\p{L}\p{N}\p{M}_]/u.test(text[at]!));
}
