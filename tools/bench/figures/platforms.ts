/** Tables showing the results of `node build/tools/platforms/cli.js`. */
import { readFileSync } from "node:fs";
import type { PlatformResults } from "../../platforms/results.js";
import { fromRoot } from "../../../test/support/paths.js";
import { tableLines } from "../../../test/support/table.js";

type Cells = Readonly<Record<string, string>>;

/**
 * Returns a table of the hosts that ran the program, with one column per way of loading the
 * package.
 */
export function hostTable(): string {
  return platformTable("host", readPlatforms().hosts);
}

/**
 * Returns a table of the TypeScript versions that compiled the programs, with one column per kind
 * of program.
 */
export function compilerTable(): string {
  const rows = Object.entries(readPlatforms().types).map(([version, cells]) => [
    `TypeScript ${version}`,
    cells,
  ]);
  return platformTable("compiler", Object.fromEntries(rows.sort()) as Record<string, Cells>);
}

function readPlatforms(): PlatformResults {
  const text = readFileSync(fromRoot("tools/platforms/results.json"), "utf8");
  return JSON.parse(text) as PlatformResults;
}

/**
 * Returns a table with one row per host or compiler and one column per way of using it. Cells
 * without a result are empty.
 */
function platformTable(what: string, tried: Readonly<Record<string, Cells>>): string {
  const columns = [...new Set(Object.values(tried).flatMap((cells) => Object.keys(cells)))];
  const rows = Object.entries(tried).map(([name, cells]) => [
    name,
    ...columns.map((column) => cells[column] ?? ""),
  ]);
  return tableLines([what, ...columns], rows).join("\n");
}
