import { pointerStep } from "../../../runtime/base/json-pointer.js";

/** An object in the format produced by Node's `util.inspect`, which `console.log` uses. */
export interface InspectedObject {
  readonly value: unknown;
  /**
   * JSON Pointers to the parts that were not printed: deeply nested parts, and array items after
   * the first hundred.
   */
  readonly unknown: readonly string[];
}

/**
 * Parses an object in the format of `util.inspect`:
 * `{ seq: 1, type: 'request', arguments: [Object] }`. Returns undefined if the format differs.
 *
 * @param text The object. The caller must have limited its nesting.
 */
export function readInspected(text: string): InspectedObject | undefined {
  const reader = new InspectReader(text);
  try {
    const value = reader.value("");
    return reader.isAtEnd ? { value, unknown: reader.unknown } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const space = /[\s]*/y;
const word = /[A-Za-z_$][\w$]*/y;
const number = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?n?/iy;
const string = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|`(?:[^`\\]|\\[^])*`/y;
/**
 * Matches placeholders: `[Object]`, `[Array]`, `[Circular *1]`, `[Function: f]`, `[Object: null
 * prototype]`.
 */
const placeholder = /\[(?:[A-Z]\w*)(?:[ :][^[\]]*)?\]/y;
const more = /\.\.\. \d+ more (?:items?|characters?)/y;
const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);

class InspectReader {
  readonly unknown: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    this.#take(space);
    return this.#at === this.#text.length;
  }

  value(pointer: string): unknown {
    this.#take(space);
    const hidden = this.#take(placeholder);
    if (hidden !== undefined) {
      // Skip the placeholder `[Object: null prototype]`, which precedes the object.
      if (hidden.endsWith("prototype]")) return this.value(pointer);
      this.unknown.push(pointer);
      return hidden.startsWith("[Array") ? [] : {};
    }
    if (this.#is("{")) return this.#object(pointer);
    if (this.#is("[")) return this.#array(pointer);
    const digits = this.#take(number);
    if (digits !== undefined) return Number(digits.replace("n", ""));
    const name = this.#take(word);
    if (name === undefined) return this.#string(pointer);
    if (literals.has(name)) return literals.get(name);
    // The object may begin with its class name.
    this.#take(space);
    if (this.#is("{")) return this.#object(pointer);
    throw new SyntaxError();
  }

  #object(pointer: string): object {
    const entries: [string, unknown][] = [];
    for (this.#take(space); !this.#is("}"); this.#take(space)) {
      const quoted = this.#take(string);
      const key = quoted === undefined ? this.#take(word) : unquoted(quoted);
      this.#take(space);
      if (key === undefined || !this.#is(":")) throw new SyntaxError();
      const value = this.value(pointer + pointerStep(key));
      if (value !== undefined) entries.push([key, value]);
      this.#take(space);
      this.#is(",");
    }
    return Object.fromEntries(entries);
  }

  #array(pointer: string): readonly unknown[] {
    const items: unknown[] = [];
    for (this.#take(space); !this.#is("]"); this.#take(space)) {
      if (this.#take(more) !== undefined) this.unknown.push(pointer);
      else items.push(this.value(`${pointer}/${items.length}`) ?? null);
      this.#take(space);
      this.#is(",");
    }
    return items;
  }

  /** Reads a string. Long strings are printed as several parts joined with `+`. */
  #string(pointer: string): string {
    let text = "";
    for (;;) {
      const part = this.#take(string);
      if (part === undefined) throw new SyntaxError();
      text += unquoted(part);
      const end = this.#at;
      this.#take(space);
      if (this.#take(more) !== undefined) this.unknown.push(pointer);
      else if (this.#is("+")) this.#take(space);
      else {
        this.#at = end;
        return text;
      }
    }
  }

  #is(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
};

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|([^]))/gi,
      (_, two?: string, four?: string, one = "") =>
        two === undefined && four === undefined
          ? (escapes[one] ?? one)
          : String.fromCharCode(Number.parseInt(two ?? four!, 16)),
    );
}
