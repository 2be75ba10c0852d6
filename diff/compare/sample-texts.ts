import { oncePerText } from "../../generator/model/once.js";
import type { StringType } from "../../generator/model/types.js";

/**
 * Maximum length of a string to match against a pattern, in UTF-16 code units. Some patterns take
 * twice as long for each additional character.
 */
const maxMatched = 16;

/** Strings to try for a pattern, simplest first. Between them, they match many patterns. */
const simple = [
  "",
  "x",
  "a",
  "A",
  "0",
  "1",
  "a0",
  "A0",
  "-1",
  "0x0",
  "#000000",
  "a-b",
  "a_b",
  "a.b",
  "a:b",
  "/",
  "/a",
  "a/b",
  "1.0",
  "1.0.0",
  "v1.0.0",
  "12:00",
  "12:00:00",
  "2000-01-01",
  "a@b.cd",
  "http://a.b",
  "https://a.b",
  "text/plain",
  "en-US",
];

const expressionOf = oncePerText((pattern) => new RegExp(pattern, "u"));

/**
 * Returns whether a string matches a pattern. Long strings are assumed to match without being
 * checked.
 */
export function isMatching(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || text.length > maxMatched) return true;
  return expressionOf(pattern).test(text);
}

/**
 * Returns a short string of a type. If none of the known strings matches the pattern, the result is
 * a string of the minimum length.
 */
export function smallestText({ minLength = 0, maxLength = Infinity, pattern }: StringType): string {
  const least = "x".repeat(minLength);
  if (pattern === undefined || minLength > maxMatched || isMatching(pattern, least)) return least;
  const found = simple.find(
    (text) => text.length >= minLength && text.length <= maxLength && isMatching(pattern, text),
  );
  return found ?? least;
}

/**
 * Returns a property name that matches a pattern and that an object does not declare, or undefined
 * if none of the known strings does. An empty pattern matches every name.
 */
export function freeNameLike(pattern: string, declared: readonly string[]): string | undefined {
  const prefix = /^\^([\w-]+)/.exec(pattern)?.[1];
  return ["key", ...(prefix === undefined ? [] : [prefix, `${prefix}a`, `${prefix}0`]), ...simple]
    .filter((name) => name !== "" && !declared.includes(name))
    .find((name) => pattern === "" || isMatching(pattern, name));
}

/** Returns the known strings that match a type's pattern. */
export function matchingTexts({
  minLength = 0,
  maxLength = Infinity,
  pattern,
}: StringType): readonly string[] {
  if (pattern === undefined) return [];
  return simple.filter(
    (text) => text.length >= minLength && text.length <= maxLength && isMatching(pattern, text),
  );
}
