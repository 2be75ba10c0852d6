import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer } from "../generator/read/source/json-text.js";
import { setField } from "../runtime/base/own-fields.js";

/** A problem in a snippet. */
export interface SnippetFault {
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Returns the configuration that a snippet inserts if the user accepts all suggested values. A
 * string that begins with `^` is JSON text, including its own quotes.
 */
export function insertedBySnippet(
  body: Json,
  at: string,
  faults: SnippetFault[],
): Json | undefined {
  if (typeof body === "string") return insertedText(body, at, faults);
  if (Array.isArray(body))
    return body.flatMap((item: Json, index) => {
      const own = insertedBySnippet(item, joinPointer(at, index), faults);
      return own === undefined ? [] : [own];
    });
  if (!isJsonObject(body)) return body;
  const copy: Record<string, Json> = {};
  for (const [name, part] of Object.entries(body)) {
    const place = joinPointer(at, name);
    const own = insertedBySnippet(part, place, faults);
    if (own !== undefined) setField(copy, new SnippetReader(name, place, faults).read(), own);
  }
  return copy;
}

/** Returns the value that a string inserts, or undefined if the user has to provide it. */
function insertedText(text: string, pointer: string, faults: SnippetFault[]): Json | undefined {
  if (!text.startsWith("^")) return new SnippetReader(text, pointer, faults).read();
  const inserted = new SnippetReader(text.slice(1), pointer, faults).read();
  if (inserted.trim() === "") return undefined;
  try {
    return JSON.parse(inserted) as Json;
  } catch {
    faults.push({
      pointer,
      message: `The snippet inserts ${JSON.stringify(inserted)}, which is not JSON`,
      hint: 'After "^", strings need their own quotes: "^\\"text\\""',
    });
    return undefined;
  }
}

/** Reads snippet syntax: placeholders, choices, variables and escapes. */
class SnippetReader {
  readonly #text: string;
  readonly #at: string;
  readonly #faults: SnippetFault[];
  #index = 0;

  constructor(text: string, at: string, faults: SnippetFault[]) {
    this.#text = text;
    this.#at = at;
    this.#faults = faults;
  }

  /** @param end The character that ends the text, such as a placeholder's closing brace. */
  read(end = ""): string {
    let inserted = "";
    while (this.#index < this.#text.length) {
      const character = this.#text[this.#index]!;
      if (character === end) break;
      this.#index++;
      if (character === "\\" && /^[\\$}|,]/.test(this.#text.slice(this.#index)))
        inserted += this.#text[this.#index++];
      else if (character === "$") inserted += this.#dollar();
      else inserted += character;
    }
    return inserted;
  }

  #dollar(): string {
    const bare = /^(\d+|[A-Za-z_]\w*)/.exec(this.#text.slice(this.#index));
    if (bare !== null) {
      this.#index += bare[0].length;
      return /^\d/.test(bare[0]) ? "" : this.#variable(bare[0], "");
    }
    const open = /^\{(\d+|[A-Za-z_]\w*)/.exec(this.#text.slice(this.#index));
    if (open === null) return this.#unescaped();
    const [head, name = ""] = open;
    const start = this.#index;
    this.#index += head.length;
    const next = this.#text[this.#index];
    const isTabStop = /^\d/.test(name);
    if (next === "}") {
      this.#index++;
      return isTabStop ? "" : this.#variable(name, name);
    }
    if (next === ":" && !isTabStop && !isSnippetVariable(name)) {
      this.#index = start;
      return this.#unescaped();
    }
    if (next !== ":" && next !== "|" && next !== "/") return this.#unescaped();
    this.#index++;
    const content = next === "|" ? this.#choice() : this.read("}");
    this.#index++;
    return next === "/" ? "" : content;
  }

  /** Reads a list of choices and returns the first one. */
  #choice(): string {
    const first = this.read(",");
    const end = this.#text.indexOf("|}", this.#index);
    this.#index = end < 0 ? this.#text.length : end + 1;
    return first.split("|}")[0]!;
  }

  #variable(name: string, otherwise: string): string {
    if (isSnippetVariable(name)) return "";
    this.#report(`\${${name}}`);
    return otherwise;
  }

  /**
   * Reads an unescaped launch.json variable, which an editor would therefore mistake for a snippet
   * variable.
   */
  #unescaped(): string {
    const rest = /^\{[^}]*\}/.exec(this.#text.slice(this.#index));
    if (rest === null) return "$";
    this.#index += rest[0].length;
    this.#report(`$${rest[0]}`);
    return `$${rest[0]}`;
  }

  #report(variable: string): void {
    this.#faults.push({
      pointer: this.#at,
      message: `The snippet does not insert ${variable}: it would be taken for a snippet variable`,
      hint: `Write ${JSON.stringify(`\\${variable}`)}`,
    });
  }
}

/** Returns whether a name is in capitals, like the names of snippet variables. */
function isSnippetVariable(name: string): boolean {
  return /^[A-Z][A-Z_\d]*$/.test(name);
}
