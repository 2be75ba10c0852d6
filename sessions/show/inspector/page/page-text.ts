import { nounAfter } from "../../../../generator/base/plural.js";
import { escapeInvisible } from "../../../../generator/base/visible-text.js";
import type { Row } from "./session-store.js";

/**
 * Makes foreign text safe to show on one line of the page. Characters that a browser would
 * interpret are written as `\uXXXX`.
 */
export function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll("\n", "\\n");
}

export function countText(count: number, noun: string, many?: string): string {
  return `${count.toLocaleString("en")} ${nounAfter(count, noun, many)}`;
}

/**
 * Formats the number of a message. If there are several sessions, the session number comes first.
 */
export function numberText({ session, index }: Pick<Row, "session" | "index">): string {
  return session === 0 ? String(index) : `${session}.${index}`;
}
