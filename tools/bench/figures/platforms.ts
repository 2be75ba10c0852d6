/** Tables of the results of `npm run test:platforms`. */
import { readFileSync } from "node:fs";
import type { PlatformResults } from "../../platforms/results.js";
import { fromRoot } from "../../shared/paths.js";
import { tableLines } from "../../shared/table.js";

type Cells = Readonly<Record<string, string>>;

/** The hosts that ran the program, by the way of loading the package. */
export function hostTable(): string {
  return platformTable("host", readPlatforms().hosts);
}

/** The versions of TypeScript that compiled programs of each kind. */
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

/** A row for each task, a column for each way. A cell is empty if the way does not exist. */
function platformTable(what: string, tried: Readonly<Record<string, Cells>>): string {
  const columns = [...new Set(Object.values(tried).flatMap((cells) => Object.keys(cells)))];
  const rows = Object.entries(tried).map(([name, cells]) => [
    name,
    ...columns.map((column) => cells[column] ?? ""),
  ]);
  return tableLines([what, ...columns], rows).join("\n");
}
