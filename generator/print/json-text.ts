import { escapeText } from "../base/visible-text.js";

/** Prints data as JSON that is safe to show, and that parses to the same data. */
export function printJson(value: unknown): string {
  return escapeText(JSON.stringify(value, null, 2));
}
