/**
 * Compares definition validators with ajv, TypeBox, zod, valibot and, if installed, typia. The
 * figures are speeds as multiples of ajv's standalone code. Each row runs in a separate process so
 * that it is not affected by type feedback from other rows.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { selects, type Bench } from "./report.js";
import type { PrintedRow } from "./validate-row.js";

function runRow(...args: readonly string[]): unknown {
  const path = fileURLToPath(new URL("./validate-row.js", import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [path, ...args], { encoding: "utf8" }));
}

export const bench: Bench = (report, options) => {
  const table = report.table("validating", ["work"], { "ajv standalone": "ns per value" });
  const notes = new Set<string>();
  for (const name of runRow() as readonly string[]) {
    if (!selects(options, [name])) continue;
    const { cells, wrong } = runRow(
      name,
      String(options.rounds),
      options.isQuick ? "quick" : "whole",
    ) as PrintedRow;
    table.row([name], cells);
    for (const each of wrong) notes.add(each);
  }
  const judged = report.table("wrong verdicts of others", ["verdict"]);
  for (const note of notes) judged.row([note], {});
};
