import { escapeInvisible } from "../../base/visible-text.js";
import type { Row } from "./session-store.js";

/**
 * Makes foreign text safe for one line of the page. Writes characters that a browser would
 * interpret as `\uXXXX`.
 */
export function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll("\n", "\\n");
}

export function countText(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many}`;
}

/** Number of a message. If there are several sessions, it starts with the number of the session. */
export function numberText({ session, index }: Pick<Row, "session" | "index">): string {
  return session === 0 ? String(index) : `${session}.${index}`;
}
