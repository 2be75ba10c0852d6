import { EncodeError } from "../json/encode-error.js";
import { readForm } from "./element-reader.js";
import { StringBuilder } from "../base/string-builder.js";
import { getField, setField } from "../base/own-fields.js";
import type { FieldPiece, Piece } from "../frames/spelling.js";

/**
 * Writes a command's arguments.
 *
 * @throws EncodeError with the path of an argument that is missing or cannot be written.
 */
export function writePieces(pieces: readonly Piece[], values: unknown, path: string): string {
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
  const fail = (what: string): never => {
    throw new EncodeError("ERR_ENCODE_FIELD", `Cannot write ${what}`, `${path}/${field}`);
  };
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
export function readPieces(pieces: readonly Piece[], text: string): object | undefined {
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
  let place: number | undefined = at;
  for (const [index, piece] of pieces.entries()) {
    const following = [...pieces.slice(index + 1), ...after];
    if (typeof piece === "string") place = afterFixedText(piece, text, place);
    else if ("field" in piece) place = matchField(piece, text, place, values, following);
    else {
      const found = {};
      const end = match(piece.optional, text, place, found, following);
      if (end !== undefined) {
        place = end;
        for (const [name, value] of Object.entries(found)) setField(values, name, value);
      }
    }
    if (place === undefined) return undefined;
  }
  return place;
}

/** Matches literal text. Leading spaces match any number of spaces and tabs. */
function afterFixedText(fixed: string, text: string, at: number): number | undefined {
  const rest = fixed.trimStart();
  let place = at;
  if (rest !== fixed) {
    while (text[place] === " " || text[place] === "\t") place++;
    if (place === at) return undefined;
  }
  return text.startsWith(rest, place) ? place + rest.length : undefined;
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
    const found = piece.values.find((each) => text.startsWith(each, at));
    return found === undefined ? undefined : take(at + found.length, found);
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
      const found = end < 0 ? rest : rest.slice(0, end);
      return take(at + found.length, found);
    }
    default: {
      const stop = startOfPieces(following);
      const stopAt = stop === undefined ? -1 : text.indexOf(stop, at);
      const found = (stopAt < 0 ? text.slice(at) : text.slice(at, stopAt)).trimEnd();
      if (form === "place" && hasSpaceAfterMark(found)) return undefined;
      if (form === "file-line" && !/^\S*:\d+$/.test(found)) return undefined;
      return take(at + found.length, form === "code" ? unescapeLines(found) : found);
    }
  }
}

/**
 * Returns the index after an integer that is followed by a space or the end, or `at` if there is
 * none.
 */
function endOfInteger(text: string, at: number): number {
  const sign = text[at] === "+" || text[at] === "-" ? 1 : 0;
  let end = at + sign;
  while (isDigit(text.charCodeAt(end))) end++;
  return end === at + sign || (end < text.length && !isSpace(text, end)) ? at : end;
}

/** Reads integers separated by spaces. Returns the index after the last one. */
function readIntegers(text: string, at: number, numbers: unknown[]): number {
  let end = at;
  for (let next = at; ;) {
    const integerEnd = endOfInteger(text, next);
    if (integerEnd === next) return end;
    numbers.push(readForm(text.slice(next, integerEnd), "integer"));
    end = integerEnd;
    next = integerEnd;
    while (text[next] === " " || text[next] === "\t") next++;
    if (next === integerEnd) return end;
  }
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
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
