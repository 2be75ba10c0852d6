import { folded, foldedReading, spanOf, type Span } from "./reading.js";
import { readingsOf } from "./readings.js";
import { TextTrie } from "./text-trie.js";

/** The kind of a secret, which its placeholder shows. */
export type SecretKind = "user" | "host" | "value";

interface Secret {
  readonly text: string;
  readonly kind: SecretKind;
  /**
   * Number of leading characters that are not replaced. In a home folder's path, these are the
   * characters before the user name.
   */
  readonly kept: number;
  /** Whether the secret is only replaced where it is a whole word. */
  readonly isWord: boolean;
}

/**
 * Minimum length of a secret that counts as long. Once a long secret has been found, only its end
 * is searched for overlapping secrets.
 */
const longLength = 256;

/** Minimum length of a string that is replaced even within words. */
const anywhereLength = 8;

/** Minimum length of a secret. Shorter strings are too common. */
const leastLength = 4;

/**
 * Maximum total length of all secrets, because each of them takes up memory. Once it is reached, no
 * more are added.
 */
const mostCharacters = 500_000;

/** Smallest secret number that is replaced everywhere. Smaller numbers are too common. */
const leastNumber = 10_000;

/** Strings that are never secrets, even though environment variables may have them as values. */
const plainTexts = new Set(["true", "false", "null", "none", "undefined", "default"]);

/** The secrets in a session, along with their placeholders. */
export class Secrets {
  readonly #placeholders = new Map<string, string>();
  /** The kind of each secret string. If a string was found several times, the first kind wins. */
  readonly #kinds = new Map<string, SecretKind>();
  readonly #counts: Record<SecretKind, number> = { user: 0, host: 0, value: 0 };
  readonly #searched = new TextTrie<Secret>();
  readonly #numbers = new Map<number, number>();
  #characters = 0;

  /**
   * Returns the placeholder for a string. The same string always gets the same placeholder, even if
   * it is found again as a different kind.
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

  /** Adds a string to the secrets, unless it is too common. */
  add(text: string, kind: SecretKind): void {
    const plain = folded(text);
    const least = kind === "value" ? leastLength : leastLength - 1;
    if (text.length < least || plainTexts.has(plain) || /^\d{1,4}$/.test(text)) return;
    const isWord = kind !== "value" || text.length < anywhereLength;
    this.#search(plain, { text, kind, kept: 0, isWord });
  }

  /**
   * Adds a user's home folder. The user name is added too, so that it is also replaced elsewhere.
   * @param isWord Whether the name is also a common word, in which case it is replaced only in the
   * folder.
   */
  addHome(above: string, user: string, isWord: boolean): void {
    if (user === "") return;
    const folder = folded(above);
    const kept = folder.length;
    this.#search(folder + folded(user), { text: user, kind: "user", kept, isWord: true });
    if (!isWord) this.add(user, "user");
  }

  /** Adds a number to the secrets, both as a number and as a string. Small numbers are ignored. */
  addNumber(value: number): void {
    if (Math.abs(value) < leastNumber) return;
    this.hiddenNumber(value);
    this.add(String(value), "value");
  }

  /** Returns the replacement for a secret number. */
  hiddenNumber(value: number): number {
    let hidden = this.#numbers.get(value);
    if (hidden === undefined) this.#numbers.set(value, (hidden = this.#numbers.size + 1));
    return hidden;
  }

  /** Returns the replacement for a number if it is secret; otherwise, returns it unchanged. */
  replacedNumber(value: number): number {
    return Math.abs(value) >= leastNumber ? (this.#numbers.get(value) ?? value) : value;
  }

  /** Replaces all secrets in a string, including encoded ones, with placeholders. */
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
            // A match that starts with the folder above the user name does not need to be preceded
            // by a word boundary.
            ((kept > 0 || isBoundary(read, at - 1)) && isBoundary(read, end)),
        );
        if (longest === undefined) continue;
        const { end, value: secret } = longest;
        found.push({ ...spanOf(reading, at + secret.kept, end), secret });
        // Skip most positions in a long secret: a match that starts inside it usually ends inside
        // it too.
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

/** Returns the root of a path. The placeholder starts with it, so that it is a path too. */
function rootOf(text: string, kind: SecretKind): string {
  if (kind !== "value") return "";
  const [root = ""] = /^(?:\/|[a-z]:[\\/]|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.exec(text) ?? [];
  // Use a slash instead of a backslash, which would have to be doubled in nested JSON.
  return root.replace("\\", "/");
}

interface Found extends Span {
  readonly secret: Secret;
}

/**
 * Sorts matches and joins those that overlap. A joined match takes the secret of the longest one.
 */
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

/** Returns whether an index is outside the text, or at a character that is not part of a word. */
function isBoundary(text: string, at: number): boolean {
  return !(at >= 0 && at < text.length && /[\p{L}\p{N}\p{M}_]/u.test(text[at]!));
}
