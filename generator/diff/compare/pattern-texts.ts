import type { StringType } from "../../model/types.js";

/**
 * Maximum length of a string to match against a pattern, in UTF-16 code units. Some patterns need
 * twice the time for each additional character.
 */
const maxLength = 16;

/** Strings to try for a pattern, the simplest first. Together they match many patterns. */
const simple = [
  ...["", "x", "a", "A", "0", "1", "a0", "A0", "-1", "0x0", "#000000", "a-b", "a_b", "a.b", "a:b"],
  ...["/", "/a", "a/b", "1.0", "1.0.0", "v1.0.0", "12:00", "12:00:00", "2000-01-01", "a@b.cd"],
  ...["http://a.b", "https://a.b", "text/plain", "en-US"],
];

const expressions = new Map<string, RegExp>();

/** Whether a string matches a pattern. Returns true for long strings without checking them. */
export function isMatching(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || text.length > maxLength) return true;
  let expression = expressions.get(pattern);
  if (expression === undefined) expressions.set(pattern, (expression = new RegExp(pattern, "u")));
  return expression.test(text);
}

/**
 * A short string of a type. If no known string matches the pattern, a string of the minimum length.
 */
export function smallestText({
  minLength = 0,
  maxLength: most = Infinity,
  pattern,
}: StringType): string {
  const least = "x".repeat(minLength);
  if (pattern === undefined || minLength > maxLength || isMatching(pattern, least)) return least;
  const found = simple.find(
    (text) => text.length >= minLength && text.length <= most && isMatching(pattern, text),
  );
  return found ?? least;
}

/** Known strings that match the pattern of a type. */
export function matchingTexts({
  minLength = 0,
  maxLength: most = Infinity,
  pattern,
}: StringType): readonly string[] {
  if (pattern === undefined) return [];
  return simple.filter(
    (text) => text.length >= minLength && text.length <= most && isMatching(pattern, text),
  );
}
