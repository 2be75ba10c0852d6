import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { maxMessageBytes, maxMessageDepth } from "../../../generator/base/memory-limits.js";
import { mayNestDeeper, textNestsWithin } from "../../../runtime/json/json-scan.js";
import { type EntryFault, parsedText } from "../json-lines.js";

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
  while (
    length < most &&
    (prefix[length] === line[length] || /\d\d/.test(prefix[length]! + line[length]!))
  )
    length++;
  return length > 1 && /[^\s"'\d]/.test(line.slice(0, length)) ? length : 0;
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
const jsonStart = /[{[]\s*(?:"(?:[^"]{0,80}"\s*:|[^"]*$)|[{}[\]\d])/y;

/** How the first line of an indented object begins. */
const indentedKey = /^\s+"/;

/**
 * Reads JSON as most programs print it: on one line, or on several indented ones. Returns undefined
 * if that fails.
 */
function readJson(
  lines: LogLines,
  line: number,
  start: number,
  prefix: string,
): LoggedValue | undefined {
  const first = lines.lineAt(line)!;
  jsonStart.lastIndex = start;
  const end = first.lastIndexOf("}") + 1;
  if (end > start)
    return jsonStart.test(first) ? parsed(first.slice(start, end), line, end) : undefined;
  if (first.slice(start).trimEnd() !== "{") return undefined;
  let json = "{";
  let indentation = 1;
  for (let index = line + 1; json.length < maxMessageBytes; index++) {
    const whole = lines.lineAt(index) ?? "";
    const column = repeatedLength(prefix, whole);
    const text = whole.slice(column);
    if (index === line + 1 && indentedKey.test(text)) indentation = text.search(/\S/);
    // The first line that is indented less ends the object.
    if (text.search(/\S/) < indentation)
      return text.trimStart().startsWith("}")
        ? parsed(`${json}}`, index, whole.indexOf("}", column) + 1)
        : undefined;
    json += text;
  }
  return undefined;
}

function parsed(json: string, line: number, column: number): LoggedValue | undefined {
  const value = parsedText(json);
  if (value === undefined) return undefined;
  const isDeep =
    mayNestDeeper(json, maxMessageDepth) &&
    !textNestsWithin(Buffer.from(json), 0, Buffer.byteLength(json), maxMessageDepth);
  return isDeep
    ? { value: undefined, unknown: [], line, column, fault: tooDeep }
    : { value, unknown: [], line, column };
}

const space = /[\s\ufeff]*/y;
const word = /:?[A-Za-z_$][\w$-]*(?:\.[A-Za-z_]\w*)?(?:\(\))?|\\[\w\\]+::__set_state(?=\()/y;
const number = /[-+]?(?:0x[\da-f]+|\d+\.?\d*(?:e[-+]?\d+)?)n?/iy;
const plainText: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\]*/y,
  "'": /[^'\\]*/y,
  "`": /[^`\\]*/y,
};
/**
 * Text that may precede a value without being part of it: the name of a map or a struct of Elixir, a
 * cast of PHP, labels of Lua and Node, and `[Object: null prototype]`.
 */
const prelude = /%[\w.]*(?=\{)|\(object\) ?|<(?:ref \*)?\d+>|\[[A-Z]\w*: null prototype\]/y;
/**
 * Parts that were not printed: `[Object]`, `[Array]`, `[Circular *1]`, `[Function: f]`,
 * `<table 1>`, `#<Set: {1}>`, and the empty object of Lisp, `#s(hash-table test equal)`.
 */
const placeholder =
  /\[(?!(?:None|Null|True|False|NaN|Infinity)\b)[A-Z]\w*(?:[ :(][^[\]{}"']*)?\]|<(?:table|function|userdata|ref|Buffer)[^<>]*>|#<[^<>]*>|#s\(hash-table[^()]*\)/y;
/** An object of a class, as Python prints it: `Name(field=…`. */
const namedArgument = /(?=\([a-z_]\w*=)/y;
const phpArray = / ?(?=\()/y;
const size = /\(\d+\)(?=\s*[[{])/y;
const lispKey = /:[^\s()"]+/y;
/** Parts that were left out, by a program or by hand. */
const more = /(?:\.{3}|…)(?: \d+ more (?:items?|characters?|properties)|(?=\s*(?:$|[,\]})])))/y;
const key = /[A-Za-z_$][\w$-]*|<metatable>|\d+(?=\s*[:=])/y;
const jsonKey = /"[^"\\]*"\s*:/y;
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
const lispLiterals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["t", true],
  [":json-false", false],
  [":false", false],
  [":null", null],
  [":json-null", null],
  ["nil", null],
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

/** Thrown where a value cannot be read. The reader knows the reason. */
const unreadable = new SyntaxError();

/** An object or a list that has begun, and the key or index of the part that is being read. */
interface Container {
  readonly fields: Record<string, unknown> | unknown[];
  /** The fields or, in a list of Lua, its items. */
  parts: Record<string, unknown> | unknown[];
  key: string;
  /** Whether `None` may stand for a part that is absent. */
  mayOmit: boolean;
}

/** Reads a value in any notation, and keeps what precedes the place at which reading fails. */
class ValueReader {
  readonly #lines: LogLines;
  readonly #prefix: string;
  readonly #unknown: string[] = [];
  readonly #open: Container[] = [];
  #line: number;
  #text: string;
  #column: number;
  /** Length of the repeated prefix that was removed from the line. */
  #cut = 0;
  #length = 0;
  #isLua = false;
  #isLisp = false;
  #isPhp = false;
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
    let isWhole = true;
    try {
      this.#value();
    } catch (error) {
      if (error !== unreadable) throw error;
      isWhole = false;
    }
    return {
      value: this.#root,
      unknown: this.#unknown,
      line: this.#line,
      column: this.#column + this.#cut,
      ...(isWhole
        ? {}
        : { fault: this.#fault, open: new Set(this.#open.map(({ fields }) => fields)) }),
    };
  }

  /** Reads a value, and keeps it in its container as soon as it begins. */
  #value(): void {
    this.#skip();
    const first = this.#text[this.#column]!;
    if (first in plainText) return this.#keep(this.#string());
    if ("{[(<%".includes(first) && this.#take(prelude) !== undefined) return this.#value();
    const hidden = "[<#".includes(first) ? this.#take(placeholder) : undefined;
    if (hidden !== undefined) {
      if (!hidden.startsWith("#s")) this.#addUnknown();
      return this.#keep(hidden.startsWith("[Array") ? [] : {});
    }
    if (first === "{") return this.#container("}");
    if (first === "[") return this.#container("]");
    if (first === "(") {
      this.#isLisp = true;
      return this.#container(")", this.#text[this.#column + 1] !== ":");
    }
    if (this.#takeMore()) return this.#keep(undefined);
    const name = this.#take(word);
    if (name !== undefined) return this.#named(name);
    const digits = this.#take(number);
    if (digits === undefined) this.#fail();
    this.#keep(Number(digits.replace(/n$/, "")));
  }

  /** Reads a literal, or a value that begins with the name of its type. */
  #named(name: string): void {
    if (this.#isLisp) {
      // An empty object is printed as this, too.
      if (name === "nil") this.#addUnknown();
      return this.#keep(lispLiterals.has(name) ? lispLiterals.get(name) : name);
    }
    if (name.startsWith(":")) return this.#keep(name.slice(1));
    if (name === "vim.empty_dict()") return this.#keep({});
    if (literals.has(name)) {
      // Python prints an absent field of a class as `None`, and Rust that of a structure.
      if (name !== "None" || this.#open.at(-1)?.mayOmit !== true)
        return this.#keep(literals.get(name));
      return this.#addUnknown();
    }
    if (name === "array" && this.#take(phpArray) !== undefined) {
      this.#isPhp = true;
      return this.#container(")", false);
    }
    // A prefix of a string, as in Python: `b'text'`.
    if (this.#text[this.#column]! in plainText && name.length <= 2)
      return this.#keep(this.#string());
    // The name of a class: `Response {`, `Array(2) [`, `Response(id=…)`, `Some(…)`.
    this.#take(size);
    if (this.#take(namedArgument) !== undefined) return this.#container(")", false);
    if (this.#is("(")) {
      this.#value();
      this.#skip();
      if (!this.#is(")")) this.#fail();
      return;
    }
    this.#skipSpace();
    if (this.#text[this.#column] === "{") return this.#container("}");
    if (this.#text[this.#column] === "[") return this.#container("]");
    // A constant by its name in the program.
    if (!/^[A-Z]\w*$/.test(name)) this.#fail();
    this.#addUnknown();
    this.#keep(name);
  }

  /** Reads an object or a list up to its closing bracket. An object in braces may be a list of Lua. */
  #container(close: string, isList = close === "]"): void {
    const fields: Record<string, unknown> = {};
    const items: unknown[] = [];
    const parts = isList ? items : fields;
    const container: Container = { fields: parts, parts, key: "", mayOmit: false };
    this.#keep(parts);
    this.#open.push(container);
    this.#column++;
    if (this.#open.length > maxDepth) this.#fail(tooDeep);
    let hasKey = false;
    for (this.#skip(); !this.#is(close); this.#skip()) {
      const isBare = !(this.#text[this.#column]! in plainText);
      if (!this.#takeMore(1)) {
        const name = isList ? undefined : this.#key(close);
        if (name === undefined && hasKey && !this.#isLua) this.#fail();
        hasKey ||= name !== undefined;
        container.parts = name === undefined ? items : fields;
        container.key = name ?? String(items.length);
        container.mayOmit = name !== undefined && (isBare || close === ")");
        this.#value();
      }
      this.#skip();
      const isSeparated = this.#isLisp || this.#is(",") || this.#is(";");
      if (!isSeparated && this.#text[this.#column] !== close) this.#fail();
    }
    this.#open.pop();
    if (isList) return;
    if (items.length > 0 && !hasKey) return this.#keep(items);
    items.forEach((item, index) => (fields[index + 1] = item));
    const names = Object.keys(fields);
    if (!(this.#isLua && names.length === 0) && !this.#isPhp) return;
    if (names.some((name, index) => name !== String(index))) return;
    // An empty table is an array or an object.
    if (names.length === 0) this.#addUnknown();
    this.#keep(Object.values(fields));
  }

  /** Puts a value where it belongs: into the innermost container, if there is one. */
  #keep(value: unknown): void {
    const { parts, key } = this.#open.at(-1) ?? {};
    if (parts === undefined) this.#root = value;
    else if (Array.isArray(parts)) parts[Number(key)] = value ?? null;
    else if (key === "__proto__")
      Object.defineProperty(parts, key, { value, enumerable: true, configurable: true });
    else if (value !== undefined) parts[key!] = value;
  }

  /** Adds the place of the current value, or of a container around it, to the unknown parts. */
  #addUnknown(levels = 0): void {
    const containers = this.#open.slice(0, this.#open.length - levels);
    this.#unknown.push(containers.map(({ key }) => pointerStep(key)).join(""));
  }

  /** Skips an ellipsis. Returns whether there was one. */
  #takeMore(levels = 0): boolean {
    if (!".…".includes(this.#text[this.#column]!) || this.#take(more) === undefined) return false;
    this.#addUnknown(levels);
    return true;
  }

  /** Reads a key and its separator, which are on one line. Returns undefined if there is none. */
  #key(close: string): string | undefined {
    if (this.#isLisp) return this.#take(lispKey)?.slice(1);
    const jsonName = this.#take(jsonKey);
    if (jsonName !== undefined) return jsonName.slice(1, jsonName.lastIndexOf('"'));
    const start = this.#column;
    this.#is(":");
    const name =
      this.#text[this.#column]! in plainText
        ? this.#string()
        : (this.#take(keyInBrackets)?.replace(/^\["?|"?\]$/g, "") ?? this.#take(key));
    if (name !== undefined) {
      this.#skipSpace();
      const separated = this.#take(separator);
      if (separated === "=" && close === "}") this.#isLua = true;
      if (separated !== undefined) return name;
    }
    this.#column = start;
    return undefined;
  }

  #string(): string {
    let text = "";
    for (;;) {
      const quote = this.#text[this.#column++]!;
      while (((text += this.#take(plainText[quote]!)!), !this.#is(quote))) {
        if (this.#column < this.#text.length) text += this.#escape();
        else if (quote === "`" || this.#isLisp || this.#isPhp) {
          this.#next();
          text += "\n";
        } else this.#fail(isCut);
      }
      const end = this.#column;
      this.#skipSpace();
      if (this.#takeMore()) return text;
      if (!this.#is("+")) {
        this.#column = end;
        return text;
      }
      // Long strings are printed as several parts joined with `+`.
      this.#skip();
      if (!(this.#text[this.#column]! in plainText)) this.#fail();
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
    let code = this.#text.charCodeAt(this.#column);
    while (code <= 0x20) code = this.#text.charCodeAt(++this.#column);
    if (code > 0x7f) this.#take(space);
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
