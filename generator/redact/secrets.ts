import { folded, foldedReading, spanOf, type Span } from "./reading.js";
import { readingsOf } from "./readings.js";
import { TextTrie } from "./text-trie.js";

/** The kind of a secret, which its placeholder shows. */
export type SecretKind = "user" | "host" | "value";

interface Secret {
  readonly text: string;
  readonly kind: SecretKind;
  /** Length of the part of it that stays: the folder that a name is in. */
  readonly kept: number;
  /** It counts only as a word of its own. */
  readonly isWord: boolean;
}

/** Places in a longer secret are not all looked at. */
const longLength = 256;

/** Texts of this length count also within words. */
const anywhereLength = 8;

/** Shorter strings are too common to look for. */
const leastLength = 4;

/** Characters of the strings that are looked for: of the first ones, because each takes memory. */
const mostCharacters = 500_000;

/** Numbers from this one on are replaced wherever they are. */
const leastNumber = 10_000;

/** Texts that are not a secret, though they may be values of the environment. */
const plainTexts = new Set(["true", "false", "null", "none", "undefined", "default"]);

/** The secrets of a session, each with the placeholder that takes its place wherever it is. */
export class Secrets {
  readonly #placeholders = new Map<string, string>();
  /** The kind of each text when it was found. */
  readonly #kinds = new Map<string, SecretKind>();
  readonly #counts: Record<SecretKind, number> = { user: 0, host: 0, value: 0 };
  readonly #searched = new TextTrie<Secret>();
  readonly #numbers = new Map<number, number>();
  #characters = 0;

  /** The placeholder of a text. The same text has the same one, whatever its kind was. */
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

  /** Looks for a text from now on, unless it is too common. */
  add(text: string, kind: SecretKind): void {
    const plain = folded(text);
    const least = kind === "value" ? leastLength : leastLength - 1;
    if (text.length < least || plainTexts.has(plain) || /^\d{1,4}$/.test(text)) return;
    const isWord = kind !== "value" || text.length < anywhereLength;
    this.#search(plain, { text, kind, kept: 0, isWord });
  }

  /**
   * Looks for the home folder of a user, and for the name elsewhere, too.
   *
   * @param isWord Whether the name is also a common word, which is replaced in the folder alone.
   */
  addHome(above: string, user: string, isWord: boolean): void {
    if (user === "") return;
    const folder = folded(above);
    const kept = folder.length;
    this.#search(folder + folded(user), { text: user, kind: "user", kept, isWord: true });
    if (!isWord) this.add(user, "user");
  }

  /** Looks for a number from now on, also in strings, unless it is too small. */
  addNumber(value: number): void {
    if (Math.abs(value) < leastNumber) return;
    this.hiddenNumber(value);
    this.add(String(value), "value");
  }

  /** The number that takes the place of one. */
  hiddenNumber(value: number): number {
    let hidden = this.#numbers.get(value);
    if (hidden === undefined) this.#numbers.set(value, (hidden = this.#numbers.size + 1));
    return hidden;
  }

  /** The number that takes the place of one that is looked for. */
  replacedNumber(value: number): number {
    return Math.abs(value) >= leastNumber ? (this.#numbers.get(value) ?? value) : value;
  }

  /** A text with placeholders for all secrets in it, however they are spelled. */
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
            // A folder has its boundary in itself.
            ((kept > 0 || isBoundary(read, at - 1)) && isBoundary(read, end)),
        );
        if (longest === undefined) continue;
        const { end, value: secret } = longest;
        found.push({ ...spanOf(reading, at + secret.kept, end), secret });
        // A match that begins in a long secret also ends in it, as a rule.
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

/** The root of a path, so that its placeholder is a path, too. */
function rootOf(text: string, kind: SecretKind): string {
  if (kind !== "value") return "";
  const [root = ""] = /^(?:\/|[a-z]:[\\/]|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.exec(text) ?? [];
  // A backslash may be in JSON within JSON, and would have to be doubled there.
  return root.replace("\\", "/");
}

interface Found extends Span {
  readonly secret: Secret;
}

/** In order, with one for all that overlap: that of the longest. */
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
