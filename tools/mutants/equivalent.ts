import { readFileSync } from "node:fs";
import type { Mutant } from "./mutant.js";

/**
 * A mutant that no test can tell apart from the original. It is identified by its code, because
 * line numbers change often.
 */
export interface EquivalentMutant {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export function readEquivalentMutants(path: string | URL): readonly EquivalentMutant[] {
  return JSON.parse(readFileSync(path, "utf8")) as readonly EquivalentMutant[];
}

export function keyOf({ file, before, after }: Pick<Mutant, "file" | "before" | "after">): string {
  return JSON.stringify([file, before, after]);
}

/**
 * Returns the entries for the given files that no longer match a mutant because the code has
 * changed.
 */
export function staleEntries(
  entries: readonly EquivalentMutant[],
  files: readonly string[],
  mutants: readonly Mutant[],
): readonly EquivalentMutant[] {
  const known = new Set(mutants.map(keyOf));
  return entries.filter((entry) => files.includes(entry.file) && !known.has(keyOf(entry)));
}
