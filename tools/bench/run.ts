/** The `npm run bench NAME…` command: runs each benchmark in its own process. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fromRoot } from "../../test/support/paths.js";
import { renderFiles } from "./page.js";

const benches = [
  "front-doors",
  "codec",
  "encode",
  "validate",
  "connection",
  "session",
  "generate",
  "lint",
  "diff",
  "start-up",
  "size",
];

const help = `Usage: npm run bench -- NAME… [options]

Names: ${benches.join(", ")}; all; page, which writes docs/benchmarks.md and its charts.

  --node PATH   run under this Node binary; may be given several times
  --quick       compare the results of all competitors, measure each once, and save nothing`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string", multiple: true, default: [process.execPath] },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const names = positionals.flatMap((name) => (name === "all" ? benches : [name]));
const isUsable = names.length > 0 && names.every((name) => [...benches, "page"].includes(name));
if (values.help || !isUsable) {
  console.log(help);
  process.exitCode = values.help ? 0 : 2;
} else
  for (const name of names) {
    if (name === "page") {
      for (const [path, text] of renderFiles()) writeFileSync(fromRoot(path), text);
      continue;
    }
    for (const node of values.node) {
      const args = [fromRoot(`build/tools/bench/${name}.js`), ...(values.quick ? ["--quick"] : [])];
      const { status } = spawnSync(node, args, { stdio: "inherit" });
      if (status !== 0) process.exitCode = 1;
    }
  }
