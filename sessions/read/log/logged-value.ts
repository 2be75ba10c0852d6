import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { maxMessageBytes, maxMessageDepth } from "../../../generator/base/memory-limits.js";
import { mayNestDeeper, textNestsWithin } from "../../../runtime/json/json-scan.js";
import type { EntryFault } from "../json-lines.js";

/** The lines of a log, by index. */
export interface LogLines {
  /**
   * Returns a line, or undefined after the last one.
   *
   * @throws `needsMore` if the line has not been read yet.
   */
  lineAt(index: number): string | undefined;
}

/** Thrown when a value continues on a line that has not been read yet. */
export const needsMore: Error = new Error("The value continues on a line that is not read yet");

/** How an object begins: `{`, `(:key value)` in Lisp, `Name(field=…)` in Python, `array (` in PHP. */
export const objectStart: RegExp =
  /\{\s*(?:["'{}[\]:$<A-Za-z_]|$)|\(:[A-Za-z]|\b[A-Z]\w*\([a-z_]\w*=|\barray ?\(/g;

/** A value in a log, or as much of it as can be read. */
export interface LoggedValue {
  /** Undefined if nothing can be read. */
  readonly value: unknown;
  /** JSON Pointers to the parts that were not printed. */
  readonly unknown: readonly string[];
  /** Index of the line and the column at which the value ends, or at which it cannot be read. */
  readonly line: number;
  readonly column: number;
  /** Why the value cannot be read to its end. */
  readonly fault?: EntryFault;
  /** The objects and arrays that are incomplete because of the fault. */
  readonly open?: ReadonlySet<unknown>;
}

/**
 * Reads the value that begins at a column of a line and may continue on the lines that follow: JSON,
 * or an object as printed by Node, Python, Lua, Lisp, Ruby, Rust or PHP.
 *
 * @param prefix The text before the value. What the following lines repeat of it is not part of the
 * value.
 */
export function readValue(
  lines: LogLines,
  line: number,
  column: number,
  prefix: string,
): LoggedValue {
  return (
    readJson(lines, line, column, prefix) ?? new ValueReader(lines, line, column, prefix).read()
  );
}

/**
 * Returns the length of the text that a line repeats from the prefix of the line before, if that is
 * more than quotation marks and digits. All digits count as equal.
 */
export function repeatedLength(prefix: string, line: string): number {
  const most = Math.min(prefix.length, line.length);
  let length = 0;
  while (length < most && isSame(prefix.charCodeAt(length), line.charCodeAt(length))) length++;
  return length > 1 && /[^\s"'\d]/.test(line.slice(0, length)) ? length : 0;
}

function isSame(one: number, other: number): boolean {
  return one === other || (isDigit(one) && isDigit(other));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const isCut: EntryFault = { code: "ERR_LOST", message: "A logged message is incomplete" };
const tooDeep: EntryFault = {
  code: "ERR_DEPTH",
  message: `Cannot read a message that nests more than ${maxMessageDepth} levels deep`,
};
const tooLong: EntryFault = {
  code: "ERR_BODY_TOO_LONG",
  message: `Cannot read a message of more than ${maxMessageBytes} bytes`,
};

/** How JSON begins. To try to parse anything else takes more time. */
const jsonStart = /^[{[]\s*(?:"(?:[^"]{0,80}"\s*:|[^"]*$)|[{}[\]\d]|$)/;
/** How lines of JSON begin. */
const jsonLine = /^(?:["{}[\],\-\d]|true|false|null|$)/;

/** Maximum number of lines of JSON that are parsed at once. */
const maxLines = 10_000;

/**
 * Reads JSON as most programs print it: on one line, or with brackets at the ends and beginnings of
 * its lines. Returns undefined if that fails.
 */
function readJson(
  lines: LogLines,
  line: number,
  column: number,
  prefix: string,
): LoggedValue | undefined {
  const first = lines.lineAt(line)!;
  if (!jsonStart.test(first.slice(column, column + 100))) return undefined;
  const last = first.lastIndexOf("}");
  if (last > column) return parsed(first.slice(column, last + 1), line, last + 1);
  const parts = [first.slice(column)];
  if (parts[0]!.trimEnd() !== "{") return undefined;
  let depth = 1;
  for (let index = line + 1; index < line + maxLines; index++) {
    const whole = lines.lineAt(index);
    if (whole === undefined) return undefined;
    const cut = repeatedLength(prefix, whole);
    const text = whole.slice(cut).trim();
    if (!jsonLine.test(text)) return undefined;
    if (/^[\]}]/.test(text) && --depth === 0) {
      const end = whole.indexOf("}", cut) + 1;
      return parsed([...parts, "}"].join("\n"), index, end);
    }
    if (/[[{]$/.test(text)) depth++;
    parts.push(text);
  }
  return undefined;
}

function parsed(json: string, line: number, column: number): LoggedValue | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isDeep =
      mayNestDeeper(json, maxMessageDepth) &&
      !textNestsWithin(Buffer.from(json), 0, Buffer.byteLength(json), maxMessageDepth);
    return isDeep
      ? { value: undefined, unknown: [], line, column, fault: tooDeep }
      : { value, unknown: [], line, column };
  } catch {
    return undefined;
  }
}

const space = /[\s\ufeff]*/y;
const word = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_]\w*)?(?:\(\))?/y;
const number = /[-+]?(?:0x[\da-f]+|\d+\.?\d*(?:e[-+]?\d+)?)n?/iy;
const plainText: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\]*/y,
  "'": /[^'\\]*/y,
  "`": /[^`\\]*/y,
};
/**
 * Parts that were not printed: `[Object]`, `[Array]`, `[Circular *1]`, `[Function: f]`,
 * `[Object: null prototype]`, `<table 1>`, `#<Set: {1}>`, `#s(hash-table test equal)`.
 */
const placeholder =
  /\[(?!(?:None|Null|True|False|NaN|Infinity)\b)[A-Z]\w*(?:[ :(][^[\]{}"']*)?\]|<(?:table|function|userdata|ref|Buffer)[^<>]*>|#<[^<>]*>|#s\(hash-table[^()]*\)/y;
/** An object of a class, as Python prints it: `Name(field=…`. */
const namedArgument = /(?=\([a-z_]\w*=)/y;
const phpArray = / ?(?=\()/y;
const phpObject = /\(object\) ?/y;
const phpClass = /\\[\w\\]+::__set_state(?=\()/y;
const lispKey = /:[^\s()"]+/y;
const lispSymbol = /:?[A-Za-z][\w-]*(?![\w(])/y;
const lispSymbols: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["t", true],
  [":json-false", false],
  [":false", false],
  [":null", null],
  [":json-null", null],
]);
const elixirMap = /%[\w.]*(?=\{)/y;
const label = /<(?:ref \*)?\d+>/y;
/** Parts that were left out, by a program or by hand. */
const more = /(?:\.{3}|…)(?: \d+ more (?:items?|characters?|properties)|(?=\s*(?:$|[,\]})])))/y;
const key = /[A-Za-z_$][\w$-]*|<metatable>|\d+(?=\s*[:=])/y;
const keyInBrackets = /\[("(?:[^"\\]|\\.)*"|\d+)\]/y;
const separator = /=>|[:=]/y;
const escape = /x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]{1,6}\}|\d{1,3}/iy;
const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["undefined", undefined],
  ...["null", "Null", "NULL", "None", "nil", "vim.NIL", "NaN", "Infinity"].map(
    (name) => [name, null] as const,
  ),
]);
const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Maximum nesting depth of values that are not JSON. */
const maxDepth = 500;

function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true });
  else fields[name] = value;
}

/** Thrown where a value cannot be read. The reader knows the reason. */
const unreadable = new SyntaxError();

/** Reads a value in any notation, and keeps what precedes the place at which reading fails. */
class ValueReader {
  readonly #lines: LogLines;
  readonly #prefix: string;
  readonly #unknown: string[] = [];
  readonly #open: unknown[] = [];
  #line: number;
  #text: string;
  #column: number;
  /** Length of the repeated prefix that was removed from the line. */
  #cut = 0;
  #length = 0;
  #isLua = false;
  #isLisp = false;
  #isPhp = false;
  /** Whether the latest null was printed as `None`. */
  #isNone = false;
  #root: unknown;
  #fault: EntryFault = { code: "ERR_LOST", message: "Cannot read a logged message" };

  constructor(lines: LogLines, line: number, column: number, prefix: string) {
    this.#lines = lines;
    this.#line = line;
    this.#text = lines.lineAt(line)!;
    this.#column = column;
    this.#prefix = prefix;
  }

  read(): LoggedValue {
    let fault: EntryFault | undefined;
    try {
      this.#value("", (value) => (this.#root = value));
    } catch (error) {
      if (error !== unreadable) throw error;
      fault = this.#fault;
    }
    return {
      value: this.#root,
      unknown: this.#unknown,
      line: this.#line,
      column: this.#column + this.#cut,
      ...(fault === undefined ? {} : { fault, open: new Set(this.#open) }),
    };
  }

  /** @param keep Called with the value as soon as it begins. */
  #value(pointer: string, keep: (value: unknown) => void): void {
    this.#skip();
    const first = this.#text[this.#column]!;
    if (first in plainText) return keep(this.#string(pointer));
    if (".…".includes(first) && this.#take(more) !== undefined) {
      this.#unknown.push(pointer);
      return keep(undefined);
    }
    // A map or a struct of Elixir: `%{`, `%Name{`.
    if (first === "%" && this.#take(elixirMap) !== undefined) return this.#object(pointer, keep);
    if (first === "{") return this.#object(pointer, keep);
    if (first === "(")
      return this.#take(phpObject) === undefined
        ? this.#list(pointer, keep)
        : this.#value(pointer, keep);
    if (first === "<" && this.#take(label) !== undefined) return this.#value(pointer, keep);
    const hidden = "[<#".includes(first) ? this.#take(placeholder) : undefined;
    if (hidden !== undefined) {
      // The placeholder `[Object: null prototype]` precedes its object.
      if (hidden.endsWith("prototype]")) return this.#value(pointer, keep);
      if (!hidden.startsWith("#s")) this.#unknown.push(pointer);
      return keep(hidden.startsWith("[Array") ? [] : {});
    }
    if (first === "[") return this.#array(pointer, keep);
    const symbol = this.#isLisp ? this.#take(lispSymbol) : undefined;
    if (symbol !== undefined) {
      // An empty object is printed as this, too.
      if (symbol === "nil") this.#unknown.push(pointer);
      return keep(lispSymbols.get(symbol) ?? (symbol === "nil" ? null : symbol));
    }
    const isSymbol = this.#is(":");
    const name = this.#take(first === "\\" ? phpClass : word);
    if (name === undefined) {
      const digits = this.#take(number);
      if (digits === undefined) this.#fail();
      return keep(Number(digits.replace(/n$/, "")));
    }
    if (isSymbol) return keep(name);
    if (name === "vim.empty_dict()") return keep({});
    if (literals.has(name)) {
      this.#isNone = name === "None";
      return keep(literals.get(name));
    }
    if (name === "array" && this.#take(phpArray) !== undefined) {
      this.#isPhp = true;
      return this.#object(pointer, keep, ")");
    }
    const next = this.#text[this.#column] ?? "";
    // A prefix of a string, as in Python: `b'text'`.
    if (next in plainText && name.length <= 2) return keep(this.#string(pointer));
    // The object may begin with its class name: `Response {`, `Array(2) [`, `Some(…)`.
    this.#take(/\(\d+\)(?=\s*[[{])/y);
    if (this.#take(namedArgument) !== undefined) return this.#object(pointer, keep, ")");
    if (this.#is("(")) {
      this.#value(pointer, keep);
      this.#skip();
      if (!this.#is(")")) this.#fail();
      return;
    }
    this.#skipSpace();
    if (this.#text[this.#column] === "{") return this.#object(pointer, keep);
    if (this.#text[this.#column] === "[") return this.#array(pointer, keep);
    // A constant by its name in the program.
    if (!/^[A-Z]\w*$/.test(name)) this.#fail();
    this.#unknown.push(pointer);
    keep(name);
  }

  /** @param close The closing bracket: `)` after a class name in Python, or an array in PHP. */
  #object(pointer: string, keep: (value: unknown) => void, close = "}"): void {
    const fields: Record<string, unknown> = {};
    const items: unknown[] = [];
    let hasKey = false;
    keep(fields);
    this.#begin(fields);
    for (this.#skip(); !this.#is(close); this.#skip()) {
      if (this.#take(more) !== undefined) this.#unknown.push(pointer);
      else {
        const isBare = !(this.#text[this.#column]! in plainText);
        const name = this.#key(close);
        if (name === undefined) {
          // Only Lua prints lists in braces.
          if (hasKey && !this.#isLua) this.#fail();
          const index = items.length;
          this.#value(`${pointer}/${index}`, (value) => (items[index] = value ?? null));
        } else {
          hasKey = true;
          this.#value(pointer + pointerStep(name), (value) => {
            if (value === undefined) return;
            // Python prints an absent field of a class as `None`, and Rust that of a structure.
            if (value === null && this.#isNone && (isBare || close === ")"))
              return void this.#unknown.push(pointer + pointerStep(name));
            setField(fields, name, value);
          });
        }
      }
      this.#skip();
      if (!this.#is(",") && !this.#is(";") && this.#text[this.#column] !== close) this.#fail();
    }
    this.#open.pop();
    if (items.length > 0 && !hasKey) return keep(items);
    items.forEach((item, index) => (fields[index + 1] = item));
    const names = Object.keys(fields);
    if (!(this.#isLua && names.length === 0) && !this.#isPhp) return;
    if (names.some((name, index) => name !== String(index))) return;
    // An empty table is an array or an object.
    if (names.length === 0) this.#unknown.push(pointer);
    keep(Object.values(fields));
  }

  #array(pointer: string, keep: (value: unknown) => void): void {
    const items: unknown[] = [];
    keep(items);
    this.#begin(items);
    for (this.#skip(); !this.#is("]"); this.#skip()) {
      const index = items.length;
      if (this.#take(more) !== undefined) this.#unknown.push(pointer);
      else this.#value(`${pointer}/${index}`, (value) => (items[index] = value ?? null));
      this.#skip();
      if (!this.#is(",") && !this.#isLisp && this.#text[this.#column] !== "]") this.#fail();
    }
    this.#open.pop();
  }

  /** Reads a list of Lisp: `(:key value)` or `(value value)`. */
  #list(pointer: string, keep: (value: unknown) => void): void {
    this.#isLisp = true;
    const isObject = this.#text[this.#column + 1] === ":";
    const fields: Record<string, unknown> = {};
    const items: unknown[] = [];
    keep(isObject ? fields : items);
    this.#begin(isObject ? fields : items);
    for (this.#skip(); !this.#is(")"); this.#skip()) {
      const name = isObject ? this.#take(lispKey)?.slice(1) : String(items.length);
      if (name === undefined) this.#fail();
      this.#value(pointer + pointerStep(name), (value) => {
        if (isObject) setField(fields, name, value);
        else items[Number(name)] = value;
      });
    }
    this.#open.pop();
  }

  #begin(container: unknown): void {
    this.#column++;
    this.#open.push(container);
    if (this.#open.length > maxDepth) this.#fail(tooDeep);
  }

  /** Reads a key and its separator, which are on one line. Returns undefined if there is none. */
  #key(close: string): string | undefined {
    const start = this.#column;
    this.#is(":");
    let name: string | undefined;
    if (this.#text[this.#column]! in plainText) name = this.#string("");
    else name = this.#take(keyInBrackets)?.replace(/^\["?|"?\]$/g, "") ?? this.#take(key);
    if (name !== undefined) {
      this.#skipSpace();
      const separated = this.#take(separator);
      if (separated === "=" && close === "}") this.#isLua = true;
      if (separated !== undefined) return name;
    }
    this.#column = start;
    return undefined;
  }

  #string(pointer: string): string {
    const parts: string[] = [];
    for (;;) {
      const quote = this.#text[this.#column++]!;
      for (;;) {
        parts.push(this.#take(plainText[quote]!)!);
        if (this.#is(quote)) break;
        if (this.#column < this.#text.length) parts.push(this.#escape());
        else if (quote === "`" || this.#isLisp || this.#isPhp) {
          this.#next();
          parts.push("\n");
        } else this.#fail(isCut);
      }
      const end = this.#column;
      this.#skipSpace();
      const after = this.#text[this.#column];
      if (after === "." && this.#take(more) !== undefined) this.#unknown.push(pointer);
      else if (this.#is("+")) {
        // Long strings are printed as several parts joined with `+`.
        this.#skip();
        if (this.#text[this.#column]! in plainText) continue;
        this.#fail();
      } else this.#column = end;
      return parts.join("");
    }
  }

  #escape(): string {
    const following = this.#text[++this.#column];
    if (this.#isPhp && following !== "'" && following !== "\\") return "\\";
    const code = this.#take(escape);
    if (code === undefined) {
      const character = this.#text[this.#column++] ?? "";
      return escapes[character] ?? character;
    }
    const isHex = /^[xu]/i.test(code);
    const digits = isHex ? code.slice(1).replace(/[{}]/g, "") : code;
    const point = Number.parseInt(digits, isHex ? 16 : 10);
    return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point);
  }

  /** Skips spaces and line breaks. */
  #skip(): void {
    for (this.#skipSpace(); this.#column >= this.#text.length; this.#skipSpace()) this.#next();
  }

  #skipSpace(): void {
    const code = this.#text.charCodeAt(this.#column);
    if (code <= 0x20 || code > 0x7f) this.#take(space);
  }

  #next(): void {
    const line = this.#lines.lineAt(this.#line + 1);
    if (line === undefined) this.#fail(isCut);
    this.#length += line.length + 1;
    if (this.#length > maxMessageBytes) this.#fail(tooLong);
    this.#line++;
    this.#cut = repeatedLength(this.#prefix, line);
    this.#text = line.slice(this.#cut);
    this.#column = 0;
  }

  #is(character: string): boolean {
    if (this.#text[this.#column] !== character) return false;
    this.#column++;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#column;
    const [taken] = pattern.exec(this.#text) ?? [];
    if (taken !== undefined) this.#column += taken.length;
    return taken;
  }

  #fail(fault = this.#fault): never {
    this.#fault = fault;
    throw unreadable;
  }
}
