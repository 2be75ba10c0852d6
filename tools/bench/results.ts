/**
 * Benchmark results, as printed and as stored: tables of figures with one value per version of
 * Node.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { fromRoot } from "../../test/support/paths.js";

/** A median and its spread: half the interquartile range, relative to the median. */
export type Figure = readonly [median: number, spread: number];

/** A figure, or text in place of a number, such as the reason a tool fails. */
export type Cell = Figure | string;

export interface Row<Value> {
  /** The subject of a row, such as the workload and the chunk size. */
  readonly labels: readonly string[];
  /** Cells by column. Usually, there is one column per contestant. */
  readonly cells: Readonly<Record<string, Value>>;
}

export interface Table<Value> {
  readonly labels: readonly string[];
  /** Column units: "" for counts, undefined for ratios. */
  readonly units: Readonly<Record<string, string>>;
  readonly rows: readonly Row<Value>[];
}

/** The output of one run under one version of Node. */
export interface Printed {
  readonly node: string;
  readonly tables: Readonly<Record<string, Table<Cell>>>;
  /** Digests of the results of the measured work, which must match under every version. */
  readonly outcomes: Readonly<Record<string, string>>;
}

/**
 * A file in `tools/bench/results`. Each cell holds one value per version, in the order of `nodes`.
 */
export interface Results {
  readonly nodes: readonly string[];
  readonly tables: Readonly<Record<string, Table<readonly (Cell | null)[]>>>;
}

/** Joins the results for several versions. Throws if the results of the measured work differ. */
export function joinPrinted(printed: readonly Printed[]): Results {
  const [first, ...others] = printed;
  if (first === undefined) return { nodes: [], tables: {} };
  for (const { node, outcomes } of others)
    for (const [what, digest] of Object.entries(outcomes))
      if (first.outcomes[what] !== digest)
        throw new Error(`${what}: Node ${node} and ${first.node} have different results`);
  const tables = Object.entries(first.tables).map(([name, table]) => {
    const rows = table.rows.map(({ labels, cells }) => {
      const found = printed.map(({ tables }) => rowOf(tables[name], labels));
      const joined = Object.keys(cells).map((column) => {
        return [column, found.map((row) => row?.cells[column] ?? null)] as const;
      });
      return { labels, cells: Object.fromEntries(joined) };
    });
    return [name, { labels: table.labels, units: table.units, rows }] as const;
  });
  return { nodes: printed.map(({ node }) => node), tables: Object.fromEntries(tables) };
}

/** Returns the row with the given labels. */
export function rowOf<Value>(
  table: Table<Value> | undefined,
  labels: readonly string[],
): Row<Value> | undefined {
  return table?.rows.find((row) => row.labels.join() === labels.join());
}

const folder = fromRoot("tools/bench/results");

/** Returns the stored results by file name. */
export function readResults(): ReadonlyMap<string, Results> {
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return new Map(
    files.map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Results,
    ]),
  );
}

/** Writes results to `tools/bench/results`, formatted with Prettier. */
export async function saveResults(name: string, results: unknown): Promise<void> {
  const text = JSON.stringify(results);
  const path = `${folder}/${name}.json`;
  writeFileSync(path, await format(text, { parser: "json", printWidth: 100 }));
}
