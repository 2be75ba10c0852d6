/** Runs the quick part of a benchmark and compares its ratios with the stored ones. */
import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { fromRoot } from "../../test/support/paths.js";
import { quickRuns, type Ratios } from "./quick-runs.js";
import type { BenchOptions } from "./report.js";
import { runUnder } from "./run-under.js";

/** Ratios by benchmark, row and major version of Node. */
export type StoredRatios = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>
>;

/**
 * A row counts as much slower than before if its ratio is below this fraction of the stored ratio.
 */
const tolerated = 0.5;

/** How many attempts must all be slower before a row is reported. */
const attempts = 3;

/**
 * Returns the rows that have become much slower relative to the fastest peer, and the rows without
 * a measured or stored ratio.
 *
 * @param major The major version of Node. If a row has no ratio for this version, the lowest ratio
 * among the other versions is used.
 */
export function slowerRows(
  ratios: Ratios,
  stored: StoredRatios[string] = {},
  major: string,
): readonly string[] {
  const rows = [...new Set([...Object.keys(ratios), ...Object.keys(stored)])];
  return rows.flatMap((row) => {
    const before = stored[row]?.[major] ?? Math.min(...Object.values(stored[row] ?? {}));
    const ratio = ratios[row];
    if (!Number.isFinite(before)) return [`${row}: has no stored ratio`];
    if (ratio === undefined) return [`${row}: was not measured`];
    if (ratio >= before * tolerated) return [];
    return [`${row}: ${shortened(ratio)} of the fastest peer's speed, stored: ${before}`];
  });
}

export interface QuickResult {
  readonly ratios: Ratios;
  /** The rows that were slower in every attempt. */
  readonly slower: readonly string[];
}

/**
 * Runs a benchmark, and repeats it as long as any row is slower, because another program may have
 * used the caches. Only each row's best ratio counts.
 */
export async function checkQuickly(
  name: string,
  { path, major }: { readonly path: string; readonly major: string },
  stored: StoredRatios,
  onText: (text: string) => void,
): Promise<QuickResult> {
  let best: Ratios = {};
  for (let attempt = 1; ; attempt++) {
    const ratios = await measureQuickly(name, path, {}, onText);
    best = Object.fromEntries(
      Object.entries(ratios).map(([row, ratio]) => [row, Math.max(ratio, best[row] ?? 0)]),
    );
    const slower = slowerRows(best, stored[name], major);
    if (slower.length === 0 || attempt === attempts) return { ratios: best, slower };
    onText(`${slower.join("\n")}\nonce more\n`);
  }
}

export async function measureQuickly(
  name: string,
  path: string,
  options: Partial<BenchOptions>,
  onText: (text: string) => void,
): Promise<Ratios> {
  const { rounds, only, args = [], ratios } = quickRuns[name]!;
  const quick = { rounds, only, args, isQuick: true, ...options };
  const { tables } = await runUnder(path, name, quick, onText);
  const rows = Object.values(tables).flatMap((table) => table.rows);
  if (rows.length === 0) throw new Error(`${name} has measured nothing`);
  return ratios?.(tables) ?? {};
}

const file = fromRoot("tools/bench/quick-ratios.json");

export function readRatios(): StoredRatios {
  return JSON.parse(readFileSync(file, "utf8")) as StoredRatios;
}

/** Replaces a benchmark's stored ratios for one version of Node. */
export async function storeRatios(name: string, major: string, ratios: Ratios): Promise<void> {
  const all = readRatios();
  if (Object.keys(ratios).length === 0) return;
  const rows = Object.entries(ratios).map(([row, ratio]) => [
    row,
    { ...all[name]?.[row], [major]: shortened(ratio) },
  ]);
  const sorted = Object.fromEntries(
    Object.entries({ ...all, [name]: Object.fromEntries(rows) }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  );
  writeFileSync(file, await format(JSON.stringify(sorted), { parser: "json", printWidth: 100 }));
}

function shortened(ratio: number): number {
  return Number(ratio.toPrecision(3));
}
