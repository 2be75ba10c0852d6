import type { Random } from "../random.js";
import { sampleMessages } from "./sample-messages.js";

export const messages = sampleMessages("dap").map((each) => JSON.stringify(each));

export function framed(text: string): string {
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Approximate maximum number of chunks. */
const mostChunks = 100;

export function cut(bytes: Uint8Array, random: Random): Uint8Array[] {
  if (random.oneIn(3)) return [bytes];
  const chunks: Uint8Array[] = [];
  const longest = Math.max(random.length(bytes.length), Math.ceil(bytes.length / mostChunks) * 2);
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(longest);
    chunks.push(bytes.slice(at, end));
    at = end;
  }
  return chunks;
}
