import assert from "node:assert/strict";

/**
 * Asserts that a report contains no control characters other than line endings and tabs, and no
 * characters that change the direction of text.
 */
export function assertVisible(text: string): void {
  const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.exec(text);
  if (hidden === null) return;
  const { index } = hidden;
  assert.fail(
    `hidden characters in ${JSON.stringify(text.slice(Math.max(0, index - 60), index + 20))}`,
  );
}
