import type { EnumType, Json, NumericType } from "../../generator/model/types.js";
import { isMatching, matchingTexts } from "./pattern-texts.js";
import type { Resolved } from "./side.js";

/** Maximum length of a sample string. */
const longestText = 10_000;

/**
 * Returns values near the limits of a type without parts, and near the limits of a reader's types.
 */
export function samplePrimitives(written: Resolved, read: readonly Resolved[]): readonly Json[] {
  switch (written.kind) {
    case "null":
      return [null];
    case "boolean":
      return [false, true];
    case "literal":
      return [written.value];
    case "string": {
      const most = Math.min(written.maxLength ?? longestText, longestText);
      const lengths = [written.minLength ?? 0, 1, ...read.flatMap(lengthsAround), most];
      const listed = listedIn(read);
      const texts = lengths
        .filter((length) => length >= (written.minLength ?? 0) && length <= most)
        .flatMap((length): readonly Json[] => textsOf(length, listed))
        .concat(listed.filter((value) => isWithin(value, written.minLength ?? 0, most)));
      if (written.pattern === undefined) return texts;
      const isOwn = (value: Json): boolean => isMatching(written.pattern, String(value));
      return [...texts.filter(isOwn), ...matchingTexts(written)];
    }
    case "integer":
    case "number":
      return numbersOf(written, read);
    case "enum":
      return [
        ...written.values.map(({ value }) => value),
        ...(written.open ? otherValues(written, listedIn(read)) : []),
        ...(written.open && typeof written.values[0]?.value === "string"
          ? otherTexts(written, read)
          : []),
      ];
    default:
      return [];
  }
}

export function freeName(taken: readonly Json[]): string {
  let name = "other";
  while (taken.includes(name)) name += "_";
  return name;
}

export function freeKey(taken: readonly string[]): string {
  let name = "key";
  while (taken.includes(name)) name += "_";
  return name;
}

/**
 * Returns the simplest string of a given length. If an enum lists that string, the result also
 * contains one that no enum lists.
 */
function textsOf(length: number, listed: readonly Json[]): readonly string[] {
  const text = "x".repeat(length);
  if (!listed.includes(text)) return [text];
  const other = [..."abcdefghijklmnopqrstuvwyz0123456789"]
    .map((character) => character.repeat(length))
    .find((each) => !listed.includes(each));
  return other === undefined ? [text] : [text, other];
}

/** Returns the values of all enums and literals among the types. */
function listedIn(types: readonly Resolved[]): readonly Json[] {
  return types.flatMap((each) =>
    each.kind === "literal"
      ? [each.value]
      : each.kind === "enum"
        ? each.values.map(({ value }) => value)
        : [],
  );
}

function isWithin(value: Json, least: number, most: number): boolean {
  if (typeof value !== "string") return false;
  const { length } = [...value];
  return length >= least && length <= most;
}

/**
 * Returns values that an open enum accepts although it may not list them: one that no enum lists,
 * and the ones that readers list.
 */
function otherValues({ values }: EnumType, read: readonly Json[]): readonly Json[] {
  const listed = [...values.map(({ value }) => value), ...read];
  const kind = typeof (values[0]?.value ?? "");
  const others = read.filter((value) => typeof value === kind);
  if (kind !== "number") return [freeName(listed), ...others];
  let value = 0;
  while (listed.includes(value)) value++;
  return [value, ...others];
}

/**
 * Returns strings that an open enum accepts, with lengths just outside the readers' limits. If
 * there are several reader types, strings of length 1 are included.
 */
function otherTexts({ values }: EnumType, read: readonly Resolved[]): readonly string[] {
  const listed = [...listedIn(read), ...values.map(({ value }) => value)];
  const lengths = [...(read.length > 1 ? [1] : []), ...read.flatMap(lengthsAround)];
  return lengths
    .filter((length) => length >= 0 && length <= longestText)
    .flatMap((length) => textsOf(length, listed));
}

function numbersOf(written: NumericType, read: readonly Resolved[]): readonly number[] {
  const { minimum = -Infinity, maximum = Infinity } = written;
  const listed = listedIn(read);
  // Finds the value nearest to a bound, just outside it, that no enum lists.
  const beyond = (bound: number, step: 1 | -1): number => {
    let value = bound + step;
    while (listed.includes(value)) value += step;
    return value;
  };
  const edges = read.flatMap((each) =>
    each.kind === "integer" || each.kind === "number"
      ? [
          beyond(each.minimum ?? Infinity, -1),
          beyond(each.maximum ?? -Infinity, 1),
          (each.minimum ?? Infinity) - 0.5,
          (each.maximum ?? -Infinity) + 0.5,
        ]
      : [],
  );
  let above = Math.max(0, Math.ceil(minimum));
  while (listed.includes(above)) above++;
  let below = Math.min(0, Math.floor(maximum));
  while (listed.includes(below)) below--;
  const numbers = listed.filter((value) => typeof value === "number");
  return [0, minimum, maximum, ...edges, minimum + 0.5, above, below, 0.5, ...numbers].filter(
    (value) =>
      Number.isFinite(value) &&
      value >= minimum &&
      value <= maximum &&
      (written.kind === "number" || Number.isInteger(value)),
  );
}

function lengthsAround(read: Resolved): readonly number[] {
  return read.kind === "string"
    ? [(read.minLength ?? 0) - 1, (read.maxLength ?? Infinity) + 1].filter(Number.isFinite)
    : [];
}
