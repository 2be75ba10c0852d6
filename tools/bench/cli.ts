/** The `npm run bench -- NAME` command: runs benchmarks under one or more versions of Node. */
import { parseArgs } from "node:util";
import { benches } from "./benches.js";
import { formatCell } from "./format-cell.js";
import { findNodes, type NodeVersion } from "./node-versions.js";
import { checkQuickly, measureQuickly, readRatios, storeRatios } from "./quick-check.js";
import { quickRuns } from "./quick-runs.js";
import { joinPrinted, saveResults, type Printed, type Results } from "./results.js";
import { runUnder } from "./run-under.js";
import { printTable } from "../../test/support/table.js";

const help = `Usage: npm run bench -- NAME [options] [ARGUMENT...]

Names: ${Object.keys(benches).join(", ")}.
npm run bench -- all --save runs those whose results are stored, and stores them.
npm run bench -- all --quick runs each for a second, as npm run test:long does.

  --node LIST    major versions of Node, such as 22,24,26; missing ones are installed in bench/nodes
  --rounds N     measurements per contestant; default 9
  --only TEXT    measure only rows whose labels contain TEXT
  --quick        run for a second, and compare the ratios to the fastest peer with the stored ones
  --save         store the results in bench/results; then run npm run bench -- figures. With --quick: store the ratios`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      node: { type: "string" },
      rounds: { type: "string", default: "9" },
      only: { type: "string" },
      save: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [name = "", ...rest] = positionals;
  const names =
    name === "all"
      ? Object.keys(benches).filter((each) => values.quick || benches[each]!.isKept)
      : [name];
  if (name === "figures") {
    (await import("./figures/render.js")).writeFigures();
    return 0;
  }
  if (values.help || !names.every((each) => each in benches)) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  if (values.save && values.only !== undefined)
    throw new Error("--save stores only complete results");
  const nodes = findNodes(values.node);
  if (values.quick) return runQuickly(names, nodes, values.save);
  const options = {
    rounds: Number(values.rounds),
    only: values.only === undefined ? undefined : [values.only],
    args: rest,
  };
  for (const each of names) {
    const printed: Printed[] = [];
    for (const node of nodes) {
      console.error(`${each}, Node ${node.major}`);
      printed.push(await runUnder(node.path, each, options));
    }
    const results = joinPrinted(printed);
    printResults(each, results);
    if (values.save) await saveResults(each, results);
  }
  return 0;
}

/** Returns 1 if a row is slower than before relative to the fastest peer. */
async function runQuickly(
  names: readonly string[],
  nodes: readonly NodeVersion[],
  isStored: boolean,
): Promise<number> {
  const print = (text: string): boolean => process.stderr.write(text);
  let status = 0;
  for (const name of names) {
    const missing = quickRuns[name]!.missing?.();
    if (missing !== undefined) {
      console.error(`${name} ${missing}`);
      continue;
    }
    for (const node of nodes) {
      console.error(`${name}, Node ${node.major}`);
      if (isStored) {
        const rounds = quickRuns[name]!.rounds + 4;
        await storeRatios(
          name,
          node.major,
          await measureQuickly(name, node.path, { rounds }, print),
        );
        continue;
      }
      const { ratios, slower } = await checkQuickly(name, node, readRatios(), print);
      for (const [row, ratio] of Object.entries(ratios)) console.log(`${name}: ${row}: ${ratio}`);
      for (const row of slower) console.log(`${name}: slower than before: ${row}`);
      if (slower.length > 0) status = 1;
    }
  }
  return status;
}

/** Formats results as a table with one row per figure and one column per version of Node. */
function printResults(name: string, { nodes, tables }: Results): void {
  for (const [title, { labels, units, rows }] of Object.entries(tables)) {
    console.log(`\n${name}: ${title}\n`);
    const lines = rows.flatMap(({ labels, cells }) =>
      Object.entries(cells).map(([column, values]) => [
        ...labels,
        column,
        ...values.map((cell) => formatCell(cell, units[column], true)),
      ]),
    );
    printTable([...labels, "what", ...nodes.map((node) => `Node ${node}`)], lines);
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
