/**
 * Measures how much processor time the packed tool's commands take from start to end, minus the
 * time that Node itself takes. Each run is a new process.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packTool } from "../release/pack-package.js";
import { fromRoot } from "../../test/support/paths.js";
import { turnsOf } from "./measure.js";
import { runMetered, type Usage } from "./metered-process.js";
import { figureOf, selects, type Bench } from "./report.js";

const folder = fromRoot("build/tools/bench/start-up");
const tool = join(folder, "tool");
const generated = join(folder, "generated");
const recording = join(folder, "recording.jsonl");

/** The tool's arguments by row label. */
const commands: Readonly<Record<string, readonly string[]>> = {
  "--help": ["--help"],
  "generate --check, DAP": ["generate", "dap", "--check", "--out", generated],
  "lint, two messages": ["lint", recording],
  "diff, two versions of DAP": ["diff", "dap@1.70.0", "dap@1.71.0"],
};

/** A recording of a request and its response. */
const messages = [
  {
    from: "client",
    message: { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "mock" } },
  },
  {
    from: "adapter",
    message: { seq: 1, type: "response", request_seq: 1, success: true, command: "initialize" },
  },
];

export const bench: Bench = async (report, options) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await packTool(tool);
  const cli = join(tool, "build/cli/main.js");
  writeFileSync(recording, messages.map((each) => `${JSON.stringify(each)}\n`).join(""));
  execFileSync(process.execPath, [cli, "generate", "dap", "--out", generated]);
  const table = report.table("commands", ["command"], { "beyond Node": "ns", peak: "MB" });
  // A command that reports findings exits with status 1.
  const measure = (args: readonly string[]): Usage => {
    const { usage, errors } = runMetered(args, 1);
    if (usage === undefined) throw new Error(errors);
    return usage;
  };
  const chosen = Object.entries(commands).filter(([name]) => selects(options, [name]));
  const runs = [["-e", "0"], ...chosen.map(([, args]) => [cli, ...args])];
  const rounds = Array.from({ length: options.rounds }, (_, round) => {
    const measured: Usage[] = [];
    for (const index of turnsOf(runs.length, round)) measured[index] = measure(runs[index]!);
    return measured;
  });
  for (const [index, [name]] of chosen.entries()) {
    const own = rounds.map((round) => round[index + 1]!);
    table.row([name], {
      "beyond Node": figureOf(own.map(({ time }, at) => Math.max(0, time - rounds[at]![0]!.time))),
      peak: figureOf(own.map(({ peak }) => peak)),
    });
  }
};
