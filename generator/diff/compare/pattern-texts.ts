import type { StringType } from "../../model/types.js";

/**
 * Longest text that is held against a pattern, in UTF-16 code units. A pattern may take time that doubles with each
 * character.
 */
const maxLength = 16;

/** Texts that match many patterns, the simplest first. */
const simple = [
  ...["", "x", "a", "A", "0", "1", "a0", "A0", "-1", "0x0", "#000000", "a-b", "a_b", "a.b", "a:b"],
  ...["/", "/a", "a/b", "1.0", "1.0.0", "v1.0.0", "12:00", "12:00:00", "2000-01-01", "a@b.cd"],
  ...["http://a.b", "https://a.b", "text/plain", "en-US"],
];

const expressions = new Map<string, RegExp>();

/** Whether a text matches a pattern; a long string is assumed to match. */
export function isMatching(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || text.length > maxLength) return true;
  let expression = expressions.get(pattern);
  if (expression === undefined) expressions.set(pattern, (expression = new RegExp(pattern, "u")));
  return expression.test(text);
}

/** A small text of a type. Where none is found that matches its pattern, one that has only the length. */
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

/** Texts of a type with a pattern that were found to match it. */
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
