/** Tables of the results of `npm run test:platforms`. */
import { readFileSync } from "node:fs";
import type { PlatformResults } from "../../platforms/results.js";
import { fromRoot } from "../../shared/paths.js";
import { tableLines } from "../../shared/table.js";

type Cells = Readonly<Record<string, string>>;

/** A table of the hosts that ran the program, with a column for each way to load the package. */
export function hostTable(): string {
  return platformTable("host", readPlatforms().hosts);
}

/**
 * A table of the TypeScript versions that compiled the programs, with a column for each kind of
 * program.
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
 * A table with a row for each host or compiler, and a column for each way to use it. A cell is
 * empty if there is no result.
 */
function platformTable(what: string, tried: Readonly<Record<string, Cells>>): string {
  const columns = [...new Set(Object.values(tried).flatMap((cells) => Object.keys(cells)))];
  const rows = Object.entries(tried).map(([name, cells]) => [
    name,
    ...columns.map((column) => cells[column] ?? ""),
  ]);
  return tableLines([what, ...columns], rows).join("\n");
}
