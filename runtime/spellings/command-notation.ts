import { getField, setField } from "../base/own-fields.js";
import { StringBuilder } from "../base/string-builder.js";
import type { Notation, ResolvedOptions, StreamDecoder } from "../frames/decoder-options.js";
import { LineDecoder } from "../frames/line-decoder.js";
import type { FieldPiece, MessageFieldNames, Piece } from "../frames/spelling.js";
import { cannotWrite } from "./cannot-write.js";
import { readForm } from "./element-reader.js";

/** How a command is written on a line. */
export interface CommandSpelling {
  /** The words that the command can start with. Commands are written with the first one. */
  readonly words: readonly string[];
  /** The command's arguments. */
  readonly pieces: readonly Piece[];
  /** Whether the command's words are case-insensitive. */
  readonly anyCase?: boolean;
  /** Strings that the peer cannot handle in this command. */
  readonly refuses?: readonly string[];
  /** Separates the command from the next one on the same line, unless escaped with a backslash. */
  readonly separator?: string;
}

/** The commands that one side sends, by name. */
export interface CommandTable {
  readonly commands: { readonly [name: string]: CommandSpelling };
  /** Strings that the peer cannot handle in undefined commands. */
  readonly refuses?: readonly string[];
}

/** Maximum number of commands on a line. Any text after them counts as one undefined command. */
const maxCommands = 1_000;

/** A word that a command can start with. */
interface CommandWord {
  readonly parts: readonly string[];
  readonly name: string;
  readonly spelling: CommandSpelling;
}

/**
 * A notation whose messages are commands: one per line, or several with separators between them.
 */
export class CommandNotation implements Notation {
  readonly #table: CommandTable;
  readonly #fields: MessageFieldNames;
  /** Longer words come first, so that they take precedence. */
  readonly #words: readonly CommandWord[];
  readonly #separator: string | undefined;

  /** @param fields Names of the message fields that hold the name and the arguments. */
  constructor(table: CommandTable, fields: MessageFieldNames) {
    this.#table = table;
    this.#fields = fields;
    const commands = Object.entries(table.commands);
    this.#words = commands
      .flatMap(([name, spelling]) => spelling.words.map((word) => ({ word, name, spelling })))
      .sort((a, b) => b.word.length - a.word.length)
      .map(({ word, name, spelling }) => ({ parts: word.split(" "), name, spelling }));
    this.#separator = commands.find(([, each]) => each.separator !== undefined)?.[1].separator;
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    return new LineDecoder(options, { read: (line) => this.readLine(line) });
  }

  /**
   * Reads the commands on a line. Tries to read the whole line as one command first, unless that
   * command can be separated from others and the line contains the separator. An undefined
   * command's name is its text.
   */
  readLine(line: string): readonly object[] {
    const text = line.trim();
    if (text === "") return [];
    const command = this.#read(text, undefined);
    if (command !== undefined) return [command];
    return splitAt(text, this.#separator).map(
      (part, index) =>
        (index < maxCommands ? this.#read(part, this.#separator) : undefined) ?? {
          [this.#fields.name]: part,
        },
    );
  }

  /** Returns the command whose word starts a line, regardless of the text after the word. */
  nameOf(line: string): string | undefined {
    const text = line.trim();
    return this.#words.find((word) => textAfterWord(text, word) !== undefined)?.name;
  }

  write(message: object): string {
    const name = getField(message, this.#fields.name);
    const values = getField(message, this.#fields.payload);
    if (typeof name !== "string")
      return cannotWrite("a command without a name", `/${this.#fields.name}`, "ERR_ENCODE_NAME");
    const path = `/${this.#fields.payload}`;
    const spelling = Object.hasOwn(this.#table.commands, name)
      ? this.#table.commands[name]
      : undefined;
    const text =
      spelling === undefined
        ? name
        : spelling.words[0]! + writePieces(spelling.pieces, values, path);
    const refused = (spelling ?? this.#table).refuses?.find((each) => text.includes(each));
    if (refused !== undefined)
      cannotWrite(
        `"${refused}" in this command: the peer cannot handle it`,
        path,
        "ERR_ENCODE_REFUSED",
      );
    const separator = spelling === undefined ? this.#separator : spelling.separator;
    const line = separator === undefined ? text : text.replaceAll(separator, `\\${separator}`);
    this.#checkReading(message, name, line, path);
    return `${line}\n`;
  }

  /** Checks that a line would be read back as the same command. */
  #checkReading(message: object, name: string, line: string, path: string): void {
    // A lone surrogate would be written as a different character.
    const broken = /[\r\n]|\p{Surrogate}/u.test(line);
    const [read, ...more] = broken ? [] : this.readLine(line);
    const isSame =
      more.length === 0 &&
      getField(read, this.#fields.name) === name &&
      (!Object.hasOwn(this.#table.commands, name) ||
        haveSameFields(
          getField(read, this.#fields.payload),
          getField(message, this.#fields.payload),
          codeFields(this.#table.commands[name]!.pieces),
        ));
    if (isSame) return;
    const what = broken
      ? "a command that contains a line break or a lone surrogate"
      : `this "${name}" command: its line would be read back differently`;
    cannotWrite(what, path, "ERR_ENCODE_LINE");
  }

  /**
   * Reads a command. Returns undefined if the text is not a defined command.
   *
   * @param separator The separator at which the text was split; undefined for a whole line.
   */
  #read(text: string, separator: string | undefined): object | undefined {
    for (const word of this.#words) {
      const { name, spelling } = word;
      const rest = textAfterWord(text, word);
      if (rest === undefined) continue;
      // Skip lines that contain separators: their parts are read one by one.
      if (
        separator === undefined &&
        spelling.separator !== undefined &&
        rest.includes(spelling.separator)
      )
        continue;
      const values = readPieces(spelling.pieces, rest);
      if (values !== undefined)
        return {
          [this.#fields.name]: name,
          ...(Object.keys(values).length === 0 ? {} : { [this.#fields.payload]: values }),
        };
    }
    return undefined;
  }
}

/**
 * Splits a line at separators. An escaped separator loses its backslash and does not split the
 * line.
 */
function splitAt(text: string, separator: string | undefined): readonly string[] {
  if (separator === undefined) return [text];
  const parts: string[] = [];
  let part = new StringBuilder();
  let from = 0;
  const add = (): void => {
    const command = part.toString().trim();
    if (command !== "") parts.push(command);
    part = new StringBuilder();
  };
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
    if (parts.length === maxCommands) break;
    const isEscaped = at > from && text[at - 1] === "\\";
    part.add(text.slice(from, isEscaped ? at - 1 : at));
    from = at + separator.length;
    if (isEscaped) part.add(separator);
    else add();
  }
  part.add(text.slice(from));
  add();
  return parts;
}

/**
 * Returns the text after a word, or undefined if the text does not start with that word. A space in
 * the word matches any number of spaces.
 */
function textAfterWord(text: string, { parts, spelling }: CommandWord): string | undefined {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const start = index === 0 ? at : afterSpaces(text, at);
    if (index > 0 && start === at) return undefined;
    at = start;
    const word = text.slice(at, at + part.length);
    const isAlike = spelling.anyCase === true && word.toLowerCase() === part.toLowerCase();
    if (word !== part && !isAlike) return undefined;
    at += part.length;
  }
  return /\w/.test(text.charAt(at)) ? undefined : text.slice(at);
}

/** Returns whether two commands have the same arguments. Spaces around code are ignored. */
function haveSameFields(a: unknown, b: unknown, code: readonly string[]): boolean {
  const names = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  return [...names].every((name) =>
    isSameValue(getField(a, name), getField(b, name), code.includes(name)),
  );
}

/**
 * Returns whether two values are written the same way, like undefined and an empty array, or a
 * number and its digits as a string.
 */
function isSameValue(a: unknown, b: unknown, isCode: boolean): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => each === b[index]);
  const [writtenA, writtenB] = [a, b].map((each) => {
    if (Array.isArray(each) && each.length === 0) return undefined;
    const text = typeof each === "number" ? String(each) : each;
    return typeof text === "string" && isCode ? text.trim() : text;
  });
  return writtenA === writtenB;
}

function codeFields(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === "string") return [];
    if ("optional" in piece) return codeFields(piece.optional);
    return piece.form === "code" ? [piece.field] : [];
  });
}

/**
 * Writes a command's arguments.
 *
 * @throws EncodeError with the path of an argument that is missing or cannot be written.
 */
function writePieces(pieces: readonly Piece[], values: unknown, path: string): string {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else if ("field" in piece) text += writeField(piece, getField(values, piece.field), path);
    else if (piece.optional.every((each) => isPresent(each, values)))
      text += writePieces(piece.optional, values, path);
  }
  return text;
}

function isPresent(piece: Piece, values: unknown): boolean {
  if (typeof piece === "string" || !("field" in piece)) return true;
  const value = getField(values, piece.field);
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function writeField({ field, form, values }: FieldPiece, value: unknown, path: string): string {
  const fail = (what: string): never => cannotWrite(what, `${path}/${field}`);
  switch (form) {
    case "integer":
      return Number.isSafeInteger(value) ? String(value) : fail("a value that is not an integer");
    case "integers":
      return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each))
        ? value.join(" ")
        : fail("a value that is not an array of integers");
    case "code":
      return typeof value === "string" ? escapeLines(value) : fail("a value that is not a string");
    default:
      if (typeof value !== "string" && typeof value !== "number")
        return fail("a value that is not a string");
      if (values !== undefined && !values.includes(String(value)))
        return fail(`a value other than ${values.join(", ")}`);
      return String(value);
  }
}

/**
 * Parses a command's arguments.
 *
 * @returns Undefined if the text as a whole does not match.
 */
function readPieces(pieces: readonly Piece[], text: string): object | undefined {
  const values = {};
  const end = match(pieces, text, 0, values, []);
  return end === undefined || text.slice(end).trim() !== "" ? undefined : values;
}

/**
 * Matches pieces, starting at an index. Never backtracks, so it takes linear time.
 *
 * @param after The pieces that follow.
 */
function match(
  pieces: readonly Piece[],
  text: string,
  at: number,
  values: object,
  after: readonly Piece[],
): number | undefined {
  let end: number | undefined = at;
  for (const [index, piece] of pieces.entries()) {
    const following = [...pieces.slice(index + 1), ...after];
    if (typeof piece === "string") end = afterFixedText(piece, text, end);
    else if ("field" in piece) end = matchField(piece, text, end, values, following);
    else {
      const optionalValues = {};
      const optionalEnd = match(piece.optional, text, end, optionalValues, following);
      if (optionalEnd !== undefined) {
        end = optionalEnd;
        for (const [name, value] of Object.entries(optionalValues)) setField(values, name, value);
      }
    }
    if (end === undefined) return undefined;
  }
  return end;
}

/** Matches literal text. Leading spaces match any number of spaces and tabs. */
function afterFixedText(fixed: string, text: string, at: number): number | undefined {
  const rest = fixed.trimStart();
  const end = rest === fixed ? at : afterSpaces(text, at);
  if (rest !== fixed && end === at) return undefined;
  return text.startsWith(rest, end) ? end + rest.length : undefined;
}

function matchField(
  piece: FieldPiece,
  text: string,
  at: number,
  values: object,
  following: readonly Piece[],
): number | undefined {
  const { field, form } = piece;
  const take = (end: number, value: unknown): number | undefined => {
    if (end <= at) return undefined;
    setField(values, field, value);
    return end;
  };
  if (piece.values !== undefined) {
    const value = piece.values.find((allowed) => text.startsWith(allowed, at));
    return value === undefined ? undefined : take(at + value.length, value);
  }
  switch (form) {
    case "integer": {
      const end = endOfInteger(text, at);
      const value = readForm(text.slice(at, end), "integer");
      return typeof value === "number" ? take(end, value) : undefined;
    }
    case "integers": {
      const numbers: unknown[] = [];
      return take(readIntegers(text, at, numbers), numbers);
    }
    case "word": {
      const rest = text.slice(at);
      const end = rest.search(/\s/);
      const word = end < 0 ? rest : rest.slice(0, end);
      return take(at + word.length, word);
    }
    default: {
      const stop = startOfPieces(following);
      const stopAt = stop === undefined ? -1 : text.indexOf(stop, at);
      const value = (stopAt < 0 ? text.slice(at) : text.slice(at, stopAt)).trimEnd();
      if (form === "place" && hasSpaceAfterMark(value)) return undefined;
      if (form === "file-line" && !/^\S*:\d+$/.test(value)) return undefined;
      return take(at + value.length, form === "code" ? unescapeLines(value) : value);
    }
  }
}

/**
 * Returns the index after an integer that is followed by a space or the end, or `at` if there is
 * none.
 */
function endOfInteger(text: string, at: number): number {
  const integer = /[+-]?\d+(?!\S)/y;
  integer.lastIndex = at;
  return integer.test(text) ? integer.lastIndex : at;
}

/** Returns the index after any spaces and tabs. */
function afterSpaces(text: string, at: number): number {
  let end = at;
  while (text[end] === " " || text[end] === "\t") end++;
  return end;
}

/** Reads integers separated by spaces. Returns the index after the last one. */
function readIntegers(text: string, at: number, numbers: unknown[]): number {
  let end = at;
  for (let next = at; ;) {
    const integerEnd = endOfInteger(text, next);
    if (integerEnd === next) return end;
    numbers.push(readForm(text.slice(next, integerEnd), "integer"));
    end = integerEnd;
    next = afterSpaces(text, integerEnd);
    if (next === integerEnd) return end;
  }
}

/** Returns whether there are spaces after a text's last colon, dot or hash. */
function hasSpaceAfterMark(text: string): boolean {
  const mark = Math.max(text.lastIndexOf(":"), text.lastIndexOf("."), text.lastIndexOf("#"));
  return mark >= 0 && /\s/.test(text.slice(mark + 1));
}

/** Returns the literal text that ends a `text` argument. */
function startOfPieces([next]: readonly Piece[]): string | undefined {
  if (next === undefined || typeof next === "string") return next;
  return "optional" in next && typeof next.optional[0] === "string" ? next.optional[0] : undefined;
}

/** Escapes line endings as `\n` so that code fits on one line. */
function escapeLines(code: string): string {
  return code.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/**
 * Reverses `escapeLines` the way the peer does.
 *
 * Two backslashes become one. If a single backslash remains before an `n`, the two become a line
 * ending, as does each `\n` directly after them. A run of several backslashes directly after a line
 * ending is an exception: its last backslash remains.
 */
function unescapeLines(line: string): string {
  const code = new StringBuilder();
  let from = 0;
  let lineStart = -1;
  for (let at = line.indexOf("\\"); at >= 0; at = line.indexOf("\\", at)) {
    const start = at;
    while (line[at] === "\\") at++;
    if ((at - start) % 2 === 0 || line[at] !== "n" || start === lineStart) continue;
    code.add(line.slice(from, at - 1));
    at--;
    for (; line.startsWith("\\n", at); at += 2) code.add("\n");
    from = at;
    lineStart = at;
  }
  code.add(line.slice(from));
  return code.toString().replaceAll("\\\\", "\\");
}
