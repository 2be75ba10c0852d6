import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { LineCutter } from "../json-lines.js";

/** Maximum length of the text that precedes the first table in an entry. */
const mostHead = 1_000;

/** Maximum nesting depth of tables. */
const maxDepth = 200;

/** A Lua table from a log, converted to a JSON value. */
export interface LoggedTable {
  /** The line on which its log entry begins. */
  readonly line: number;
  readonly value: object;
}

/** Matches the beginning of a log entry. */
export const luaHead: RegExp = /^\[ ?(?:TRACE|DEBUG|INFO|WARN|ERROR) ?\]/;

/**
 * Reads the tables that `vim.inspect` printed to a log, such as nvim-dap's:
 * `[DEBUG] … { seq = 1, type = … }`. All other text is ignored.
 */
export function readLuaLog(text: string): readonly LoggedTable[] {
  const tables: LoggedTable[] = [];
  const log = new LuaLog({
    table: (table) => tables.push(table),
    tooLong: () => undefined,
  });
  log.push(Buffer.from(text));
  log.end();
  return tables;
}

export interface LuaLogHandlers {
  /**
   * Called with each table, its approximate size in the log, and the text that precedes the first
   * table in the entry.
   */
  table(table: LoggedTable, bytes: number, head: string): void;
  /** Called for an entry that is too long, with its line and its length. */
  tooLong(line: number, length: number): void;
}

/** Finds the tables in a log that arrives as chunks of bytes. Buffers at most one log entry. */
export class LuaLog {
  readonly #handlers: LuaLogHandlers;
  readonly #lines: LineCutter;
  /** The current log entry's lines, the number of its first line, and its length in bytes. */
  #entry: string[] = [];
  #line = 0;
  #length = 0;

  constructor(handlers: LuaLogHandlers) {
    this.#handlers = handlers;
    this.#lines = new LineCutter(maxMessageBytes, {
      line: (bytes, number) => this.#take(utf8.decode(bytes), number, bytes.length + 1),
      tooLong: (number, length) => this.#take("", number, length),
    });
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): void {
    this.#lines.end();
    this.#finish();
  }

  #take(text: string, number: number, length: number): void {
    if (luaHead.test(text)) {
      this.#finish();
      this.#line = number;
    } else if (this.#line === 0) return;
    this.#length += length;
    if (this.#length <= maxMessageBytes) this.#entry.push(text);
    else this.#entry = [];
  }

  #finish(): void {
    const [lines, line, length] = [this.#entry, this.#line, this.#length];
    this.#entry = [];
    this.#line = this.#length = 0;
    if (line === 0) return;
    if (length > maxMessageBytes) return this.#handlers.tooLong(line, length);
    const tables = [...new LuaText(lines.join("\n")).tables()];
    const head = lines[0]!.slice(0, mostHead).split("{", 1)[0]!;
    for (const value of tables) this.#handlers.table({ line, value }, length / tables.length, head);
  }
}

/** A shared decoder, whose `decode` removes any byte order mark. */
const utf8 = new TextDecoder();

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Thrown and caught within `LuaText` when a table cannot be read. */
const unreadable = new Error("unreadable");

class LuaText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *tables(): Generator<object> {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const character = this.#text[start]!;
      try {
        if (character === "{") yield this.#table(0);
        else if (character === '"') this.#string();
        else this.#at++;
      } catch (error) {
        if (error !== unreadable) throw error;
        // Skip the rest of the entry, because there is no way of knowing where an unreadable table
        // ends.
        return;
      }
    }
  }

  #table(depth: number): object {
    if (depth > maxDepth) throw unreadable;
    const list: unknown[] = [];
    const fields = new Map<string, unknown>();
    this.#at++;
    for (;;) {
      this.#skip(/\s*/y);
      if (this.#take("}")) break;
      const key = this.#key();
      const value = this.#value(depth);
      if (key === undefined) list.push(value);
      else if (value !== undefined) fields.set(key, value);
      this.#skip(/\s*/y);
      if (!this.#take(",") && this.#text[this.#at] !== "}") throw unreadable;
    }
    // A table without keys is an array: `vim.inspect` prints an empty object as `vim.empty_dict()`.
    if (fields.size === 0) return list;
    for (const [index, value] of list.entries()) fields.set(String(index + 1), value);
    return Object.fromEntries(fields);
  }

  /** Reads a key. Returns undefined if the next value has none. */
  #key(): string | undefined {
    const start = this.#at;
    const name = this.#skip(/[A-Za-z_]\w*|<metatable>/y);
    if (name !== "") {
      this.#skip(/\s*/y);
      if (this.#take("=")) return name;
    } else if (this.#take("[")) {
      const key = this.#value(maxDepth);
      if (!this.#take("]")) throw unreadable;
      this.#skip(/\s*/y);
      if (!this.#take("=")) throw unreadable;
      return String(key);
    }
    this.#at = start;
    return undefined;
  }

  #value(depth: number): unknown {
    this.#skip(/\s*/y);
    // Skip table labels, table references, and values that are not data: `<1>{…}`, `<table 1>`.
    this.#skip(/<[^<>\n]*>/y);
    const next = this.#text[this.#at];
    if (next === "{") return this.#table(depth + 1);
    if (next === '"' || next === "'") return this.#string();
    const word = this.#skip(/vim\.empty_dict\(\)|[\w.+-]+/y);
    if (word === "") return undefined;
    if (word === "vim.empty_dict()") return {};
    if (word === "vim.NIL" || word === "nil") return null;
    if (word === "true" || word === "false") return word === "true";
    const number = Number(word);
    if (Number.isNaN(number)) throw unreadable;
    return number;
  }

  #string(): string {
    const quote = this.#text[this.#at]!;
    const plain = quote === '"' ? /[^"\\]*/y : /[^'\\]*/y;
    const parts: string[] = [];
    this.#at++;
    for (;;) {
      parts.push(this.#skip(plain));
      if (this.#take(quote)) return parts.join("");
      if (!this.#take("\\")) throw unreadable;
      const code = this.#skip(/\d{1,3}/y);
      const escaped = code === "" ? (this.#text[this.#at++] ?? "") : "";
      parts.push(code === "" ? (escapes[escaped] ?? escaped) : String.fromCharCode(Number(code)));
    }
  }

  #take(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at++;
    return isThere;
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
