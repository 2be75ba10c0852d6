import { readBlocks, type MessageSource } from "./page-messages.js";
import type { SessionStore } from "./session-store.js";

export interface SearchProgress {
  readonly found: ReadonlySet<number>;
  /** Fraction of the messages searched so far, from 0 to 1. */
  readonly done: number;
}

/**
 * Searches the JSON, names and summaries of all messages, ignoring case.
 *
 * @param onProgress Called after each block and at the end.
 */
export async function searchMessages(
  store: SessionStore,
  source: MessageSource,
  text: string,
  signal: AbortSignal,
  onProgress: (progress: SearchProgress) => void,
): Promise<void> {
  const found = new Set<number>();
  const wanted = wordsOf(text);
  for await (const { rows, lines, done } of readBlocks(store, source, signal)) {
    for (const [position, { number, name, summary }] of rows.entries()) {
      const line = (lines[position] ?? "").toLowerCase();
      const short = `${name} ${summary}`.toLowerCase();
      if (wanted.some((text) => line.includes(text)) || short.includes(wanted[0]!))
        found.add(number);
    }
    onProgress({ found, done });
  }
  if (store.blocks.length === 0) onProgress({ found, done: 1 });
}

/**
 * Returns the strings to search for: the text itself, and the text as it appears in JSON, with
 * quotes and line endings escaped.
 */
function wordsOf(text: string): readonly string[] {
  const plain = text.toLowerCase();
  const escaped = JSON.stringify(plain).slice(1, -1);
  return escaped === plain ? [plain] : [plain, escaped];
}
