import { escapeText } from "../base/visible-text.js";

/** Data as JSON that can be shown. It reads back as the same data. */
export function printJson(value: unknown): string {
  return escapeText(JSON.stringify(value, null, 2));
}
