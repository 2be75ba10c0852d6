/** Characters that a terminal or a page would not show as they are: controls, and those that turn text around. */
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text of a schema as a report may print it: what cannot be seen is written as `\uXXXX`. */
export function visible(text: string): string {
  return text.replaceAll(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
