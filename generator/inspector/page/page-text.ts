import { escapeInvisible } from "../../base/visible-text.js";
import type { Row } from "./session-store.js";

/**
 * Foreign text for one line of the page: characters that a browser would interpret are written as
 * `\uXXXX`.
 */
export function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll("\n", "\\n");
}

export function countText(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many}`;
}

/** Number of a message, after that of its session if there are several. */
export function numberText({ session, index }: Pick<Row, "session" | "index">): string {
  return session === 0 ? String(index) : `${session}.${index}`;
}
