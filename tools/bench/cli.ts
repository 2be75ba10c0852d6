/** The command behind `npm run bench:NAME`: runs benchmarks under one or several versions of Node. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { fromRoot } from "../shared/paths.js";
import { benches } from "./benches.js";
import { formatCell } from "./format-cell.js";
import { findNodes, type NodeVersion } from "./node-versions.js";
import type { BenchOptions } from "./report.js";
import { joinPrinted, saveResults, type Printed, type Results } from "./results.js";
import { printTable } from "../shared/table.js";

const help = `Usage: npm run bench:NAME -- [options] [ARGUMENT...]

Names: ${Object.keys(benches).join(", ")}.
npm run bench:all runs those whose results are kept, and keeps them.

  --node LIST    major versions of Node, such as 22,24,26; missing ones are installed in bench/nodes
  --rounds N     measurements of each contestant; default 9
  --only TEXT    only rows whose labels contain TEXT
  --save         keep the results in bench/results; then run npm run figures`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      node: { type: "string" },
      rounds: { type: "string", default: "9" },
      only: { type: "string" },
      save: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [name = "", ...rest] = positionals;
  const names =
    name === "all" ? Object.keys(benches).filter((each) => benches[each]!.isKept) : [name];
  if (values.help || !names.every((each) => each in benches)) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  if (values.save && values.only !== undefined) throw new Error("--save keeps whole results only");
  const nodes = findNodes(values.node);
  const options = { rounds: Number(values.rounds), only: values.only, args: rest };
  for (const each of names) {
    const printed: Printed[] = [];
    for (const node of nodes) printed.push(await runUnder(node, each, options));
    const results = joinPrinted(printed);
    printResults(each, results);
    if (values.save) await saveResults(each, results);
  }
  return 0;
}

async function runUnder(node: NodeVersion, name: string, options: BenchOptions): Promise<Printed> {
  console.error(`${name}, Node ${node.major}`);
  const file = fromRoot("build/tools/bench/run-bench.js");
  const args = [...(benches[name]!.nodeArgs ?? []), file, name, JSON.stringify(options)];
  const child = spawn(node.path, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  let printed: Printed | undefined;
  child.on("message", (message) => (printed = message as Printed));
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0 || printed === undefined)
    throw new Error(`${name} failed under Node ${node.major}`);
  return printed;
}

/** A table with a row for each figure, and a column for each version of Node. */
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
