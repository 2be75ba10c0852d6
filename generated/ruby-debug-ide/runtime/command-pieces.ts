import { EncodeError } from "./encode-error.js";
import { readForm } from "./element-reader.js";
import { getField, setField, type FieldPiece, type Piece } from "./notation.js";

/**
 * Writes the arguments of a command.
 *
 * @throws EncodeError with the path of what is missing or cannot be written.
 */
export function writePieces(pieces: readonly Piece[], values: unknown, path: string): string {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else if ("field" in piece) text += writeField(piece, getField(values, piece.field), path);
    else if (piece.optional.every((each) => isThere(each, values)))
      text += writePieces(piece.optional, values, path);
  }
  return text;
}

function isThere(piece: Piece, values: unknown): boolean {
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
      return Number.isSafeInteger(value) ? String(value) : fail("what is no integer");
    case "integers":
      return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each))
        ? value.join(" ")
        : fail("what is no list of integers");
    case "code":
      return typeof value === "string" ? escapeLines(value) : fail("what is no text");
    default:
      if (typeof value !== "string" && typeof value !== "number") return fail("what is no text");
      if (values !== undefined && !values.includes(String(value)))
        return fail(`what is none of ${values.join(", ")}`);
      return String(value);
  }
}

/**
 * Reads the arguments of a command: the whole text must fit.
 *
 * @returns undefined if it does not.
 */
export function readPieces(pieces: readonly Piece[], text: string): object | undefined {
  const values = {};
  const end = match(pieces, text, 0, values, []);
  return end === undefined || text.slice(end).trim() !== "" ? undefined : values;
}

/**
 * Matches pieces from a place on. Every piece takes the first thing that fits and never another one, so that
 * the time is that of one reading.
 *
 * @param after What comes behind these pieces.
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
    if (typeof piece === "string") place = behindText(piece, text, place);
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

/** Fixed text; blanks at its start stand for any number of them. */
function behindText(fixed: string, text: string, at: number): number | undefined {
  const rest = fixed.trimStart();
  let place = at;
  if (rest !== fixed) {
    while (text[place] === " " || text[place] === "\t") place++;
    if (place === at) return undefined;
  }
  return text.startsWith(rest, place) ? place + rest.length : undefined;
}

const integer = /[+-]?\d+(?![^\s])/y;
const integers = /[+-]?\d+(?:[ \t]+[+-]?\d+)*(?![^\s])/y;

function matchField(
  piece: FieldPiece,
  text: string,
  at: number,
  values: object,
  following: readonly Piece[],
): number | undefined {
  const { field, form } = piece;
  const take = (found: string | undefined, value: unknown = found): number | undefined => {
    if (found === undefined || found === "") return undefined;
    setField(values, field, value);
    return at + found.length;
  };
  const sticky = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  if (piece.values !== undefined)
    return take(piece.values.find((each) => text.startsWith(each, at)));
  switch (form) {
    case "integer": {
      const found = sticky(integer);
      const value = found === undefined ? undefined : readForm(found, "integer");
      return typeof value === "number" ? take(found, value) : undefined;
    }
    case "integers": {
      const found = sticky(integers);
      return take(
        found,
        found?.split(/[ \t]+/).map((each) => readForm(each, "integer")),
      );
    }
    case "word": {
      const rest = text.slice(at);
      return take(/^\S*/.exec(rest)![0]);
    }
    default: {
      const stop = startOf(following);
      const end = stop === undefined ? -1 : text.indexOf(stop, at);
      const found = (end < 0 ? text.slice(at) : text.slice(at, end)).trimEnd();
      if (form === "place" && /[:.#][^:.#]*\s[^:.#]*$/.test(found)) return undefined;
      return take(found, form === "code" ? unescapeLines(found) : found);
    }
  }
}

/** Fixed text that ends a text in front of it. */
function startOf([next]: readonly Piece[]): string | undefined {
  if (next === undefined || typeof next === "string") return next;
  return "optional" in next && typeof next.optional[0] === "string" ? next.optional[0] : undefined;
}

/** Line ends as `\n`, so that code of several lines fits in one. */
export function escapeLines(code: string): string {
  return code.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** What the peer makes of a line with code: see `escapeLines`. */
export function unescapeLines(line: string): string {
  return line
    .replaceAll(
      /((?:^|[^\\])(?:\\\\)*)((?:\\n)+)/g,
      (_, before: string, ends: string) => before + "\n".repeat(ends.length / 2),
    )
    .replaceAll("\\\\", "\\");
}
