import type { Coverage } from "./coverage.js";
import { choiceOf } from "./input-runner.js";
import type { Check } from "./target.js";

/** How often each input runs while its branches are recorded, with a different salt each time. */
const triedSalts = 4;

/** Selects a few short inputs that together reach every edge. */
export async function smallestCorpus(
  inputs: readonly Uint8Array[],
  check: Check,
  coverage: Coverage,
): Promise<readonly Uint8Array[]> {
  const reached = new Set<number>();
  const kept: Uint8Array[] = [];
  for (const input of [...inputs].sort((a, b) => a.length - b.length)) {
    const before = reached.size;
    for (let salt = 0; salt < triedSalts; salt++) {
      coverage.begin(Infinity);
      try {
        await check(input, choiceOf(input, salt));
      } catch {
        break;
      }
      for (const edge of coverage.passed()) reached.add(edge);
    }
    if (reached.size > before) kept.push(input);
  }
  return kept;
}
