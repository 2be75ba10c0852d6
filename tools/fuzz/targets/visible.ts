import { OracleFailure } from "../target.js";

/**
 * Control characters other than line endings and tabs, and characters that change the direction of
 * text.
 */
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Checks that a report contains no hidden characters. */
export function assertVisible(text: string, what: string): void {
  const at = text.search(hidden);
  if (at < 0) return;
  const code = text.charCodeAt(at).toString(16).padStart(4, "0");
  throw new OracleFailure(
    "visible",
    `${what} holds U+${code} in ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))}`,
    what,
  );
}
