import type { MessageSource } from "./page-messages.js";
import type { SessionStore } from "./session-store.js";

/** Milliseconds after which a search pauses to let the page redraw. */
const slice = 12;

export interface SearchProgress {
  readonly found: ReadonlySet<number>;
  /** Fraction of the messages searched so far, from 0 to 1. */
  readonly done: number;
}

/**
 * Searches the JSON, names and summaries of all messages, ignoring case. The search runs in slices,
 * so that the page stays responsive.
 *
 * @param onProgress Called after each slice and at the end.
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
  const { blocks } = store;
  let began = performance.now();
  for (let block = 0; block < blocks.length; block++) {
    const lines = await source.read(block);
    if (signal.aborted) return;
    for (const [position, { number, name, summary }] of blocks[block]!.entries()) {
      const line = (lines[position] ?? "").toLowerCase();
      const short = `${name} ${summary}`.toLowerCase();
      if (wanted.some((text) => line.includes(text)) || short.includes(wanted[0]!))
        found.add(number);
    }
    if (performance.now() - began < slice && block < blocks.length - 1) continue;
    onProgress({ found, done: (block + 1) / blocks.length });
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return;
    began = performance.now();
  }
  if (blocks.length === 0) onProgress({ found, done: 1 });
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
