import {
  endOfSpelled,
  folded,
  isBoundaryAt,
  isBoundaryBefore,
  type EncodingLevel,
} from "./spelled-text.js";
import { SpelledTrie } from "./spelled-trie.js";

/** What a secret is, which its placeholder shows. */
export type SecretKind = "user" | "host" | "value";

interface Secret {
  readonly placeholder: string;
  /** The part of it that stays, in small letters: the folder that a name is in. */
  readonly kept: string;
  /** It counts only as a word of its own. */
  readonly isWord: boolean;
}

/** Texts of this length count also within words. */
const anywhereLength = 8;

/** Shorter texts are too common to look for. */
const leastLength = 4;

/** Characters of the texts that are looked for: of the first ones, because each takes memory. */
const mostCharacters = 500_000;

/** Texts that are no secret, though they may be values of the environment. */
const plainTexts = new Set(["true", "false", "null", "none", "undefined", "default"]);

/** The secrets of a session, each with the placeholder that takes its place wherever it stands. */
export class Secrets {
  readonly #placeholders = new Map<string, string>();
  readonly #counts: Record<SecretKind, number> = { user: 0, host: 0, value: 0 };
  readonly #searched = new SpelledTrie<Secret>();
  #characters = 0;

  /** The placeholder of a text. The same text has the same one, whatever its kind was. */
  placeholderOf(text: string, kind: SecretKind): string {
    const key = folded(text);
    let placeholder = this.#placeholders.get(key);
    if (placeholder === undefined) {
      const name = kind === "value" ? "redacted" : kind;
      placeholder = `${rootOf(text, kind)}${name}-${++this.#counts[kind]}`;
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
    this.#search(plain, { placeholder: this.placeholderOf(text, kind), kept: "", isWord });
  }

  /**
   * Looks for the home folder of a user, and for the name elsewhere, too.
   *
   * @param isWord Whether the name is also a common word, which is replaced in the folder alone.
   */
  addHome(above: string, user: string, isWord: boolean): void {
    if (user === "") return;
    const placeholder = this.placeholderOf(user, "user");
    const kept = folded(above);
    this.#search(kept + folded(user), { placeholder, kept, isWord: true });
    if (!isWord) this.add(user, "user");
  }

  /** A text with placeholders for all secrets in it. */
  replacedIn(text: string): string {
    if (this.#characters === 0) return text;
    const parts: string[] = [];
    let done = 0;
    // A percent sign and a plus sign may stand for themselves, so that all readings are tried.
    const levels: readonly EncodingLevel[] = /[%+]/.test(text) ? [0, 1, 2] : [0];
    for (let at = 0; at < text.length;) {
      const found = this.#at(text, at, levels);
      if (found === undefined) at++;
      else {
        parts.push(text.slice(done, found.start), found.placeholder);
        done = at = found.end;
      }
    }
    return done === 0 ? text : parts.join("") + text.slice(done);
  }

  #at(
    text: string,
    at: number,
    levels: readonly EncodingLevel[],
  ): { readonly start: number; readonly end: number; readonly placeholder: string } | undefined {
    const accepts = ({ kept, isWord }: Secret, end: number): boolean =>
      !isWord ||
      // A folder has its boundary in itself.
      ((kept !== "" || isBoundaryBefore(text, at)) && isBoundaryAt(text, end));
    for (const level of levels) {
      const found = this.#searched.longestAt(text, at, level, accepts);
      if (found === undefined) continue;
      const { kept, placeholder } = found.value;
      return { start: endOfSpelled(kept, text, at, level), end: found.end, placeholder };
    }
    return undefined;
  }

  #search(text: string, secret: Secret): void {
    if (this.#characters + text.length > mostCharacters) return;
    if (this.#searched.add(text, secret)) this.#characters += text.length;
  }
}

/** The root of a path, so that its placeholder is a path, too. */
function rootOf(text: string, kind: SecretKind): string {
  if (kind !== "value") return "";
  const [root = ""] = /^(?:\/|[a-z]:[\\/]|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.exec(text) ?? [];
  // A backslash may stand in JSON within JSON, and would have to be doubled there.
  return root.replace("\\", "/");
}
