import { folded, foldedReading, spanOf, type Span } from "./reading.js";
import { readingsOf } from "./readings.js";
import { TextTrie } from "./text-trie.js";

/** The kind of a secret. Its placeholder shows the kind. */
export type SecretKind = "user" | "host" | "value";

interface Secret {
  readonly text: string;
  readonly kind: SecretKind;
  /**
   * Length of the beginning that is not replaced. In the path of a home folder, this is the part
   * before the user name.
   */
  readonly kept: number;
  /** Whether the secret is replaced only if it is a whole word. */
  readonly isWord: boolean;
}

/**
 * Minimum length of a secret that counts as long. After a long secret has been found, only the end
 * of it is searched for overlapping secrets.
 */
const longLength = 256;

/** Minimum length of a string that is also replaced within words. */
const anywhereLength = 8;

/** Minimum length of a secret. Shorter strings are too common. */
const leastLength = 4;

/**
 * Maximum total length of all secrets, because each secret needs memory. After that, no more
 * secrets are added.
 */
const mostCharacters = 500_000;

/** Smallest number that is replaced everywhere if it is secret. Smaller numbers are too common. */
const leastNumber = 10_000;

/** Strings that are never secrets, although they may be values of environment variables. */
const plainTexts = new Set(["true", "false", "null", "none", "undefined", "default"]);

/** The secrets of a session, with their placeholders. */
export class Secrets {
  readonly #placeholders = new Map<string, string>();
  /** The kind of each secret string. If a string is found several times, the first kind counts. */
  readonly #kinds = new Map<string, SecretKind>();
  readonly #counts: Record<SecretKind, number> = { user: 0, host: 0, value: 0 };
  readonly #searched = new TextTrie<Secret>();
  readonly #numbers = new Map<number, number>();
  #characters = 0;

  /**
   * Returns the placeholder of a string. A string always has the same placeholder, even if it is
   * found again with another kind.
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
   * Adds the home folder of a user. Also adds the user name, so that it is replaced elsewhere.
   *
   * @param isWord Whether the name is also a common word. In that case, it is replaced only in the
   * folder.
   */
  addHome(above: string, user: string, isWord: boolean): void {
    if (user === "") return;
    const folder = folded(above);
    const kept = folder.length;
    this.#search(folder + folded(user), { text: user, kind: "user", kept, isWord: true });
    if (!isWord) this.add(user, "user");
  }

  /**
   * Adds a number to the secrets, both as a number and as a string. Ignores numbers that are too
   * small.
   */
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

  /** Returns the replacement for a secret number. Returns any other number unchanged. */
  replacedNumber(value: number): number {
    return Math.abs(value) >= leastNumber ? (this.#numbers.get(value) ?? value) : value;
  }

  /** Replaces all secrets in a string with placeholders. Also finds secrets that are encoded. */
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
            // A match that starts with the folder above the user name needs no word boundary before
            // it.
            ((kept > 0 || isBoundary(read, at - 1)) && isBoundary(read, end)),
        );
        if (longest === undefined) continue;
        const { end, value: secret } = longest;
        found.push({ ...spanOf(reading, at + secret.kept, end), secret });
        // Skip most positions in a long secret: a match that starts within it usually also ends
        // within it.
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

/**
 * Returns the root of a path. The placeholder starts with it, so that the placeholder is also a
 * path.
 */
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
 * Sorts matches and joins overlapping matches. A joined match has the secret of the longest match.
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

/** Whether an index is outside of the text, or its character does not belong to a word. */
function isBoundary(text: string, at: number): boolean {
  return !(at >= 0 && at < text.length && /[\p{L}\p{N}\p{M}_]/u.test(text[at]!));
}
