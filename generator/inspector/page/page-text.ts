import { escapeInvisible } from "../../base/visible-text.js";
import type { Row } from "./session-store.js";

/** Foreign text for one line of the page: what a browser would interpret is written as `\uXXXX`. */
export function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll("\n", "\\n");
}

/** A time since the session began, in seconds. */
export function timeText(time: number): string {
  return (time / 1_000).toFixed(3);
}

/** How long something took, such as `3.1 ms` or `12 s`. */
export function durationText(duration: number): string {
  if (duration === 0) return "0 ms";
  if (duration < 0.1) return `${Math.round(duration * 1_000)} µs`;
  if (duration < 10) return `${duration.toFixed(1)} ms`;
  if (duration < 1_000) return `${Math.round(duration)} ms`;
  return duration < 10_000
    ? `${(duration / 1_000).toFixed(2)} s`
    : `${Math.round(duration / 1_000)} s`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function countText(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many}`;
}

/** Number of a message; after that of its session, where there are several. */
export function numberText({ session, index }: Pick<Row, "session" | "index">): string {
  return session === 0 ? String(index) : `${session}.${index}`;
}
