/**
 * Runs the packed tool's commands from start to end, beside Node itself; and starts validators in
 * new processes, up to the first verdict.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packTool } from "../release/pack-package.js";
import { fromRoot } from "../../test/support/paths.js";
import { Bench } from "./comparison.js";
import { writeAjv } from "./validators.js";

const folder = fromRoot("build/tools/bench/start-up");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const tool = join(folder, "tool");
await packTool(tool);
const generated = join(folder, "generated");
const recording = join(folder, "recording.jsonl");
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
writeFileSync(recording, messages.map((entry) => `${JSON.stringify(entry)}\n`).join(""));

/** Runs Node. Throws if the process fails; status 1 stands for findings. */
function run(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.ok(status === 0 || (status === 1 && stderr === ""), stderr);
}

const command = (...args: readonly string[]): readonly string[] => [
  join(tool, "build/cli/main.js"),
  ...args,
];
run(command("generate", "dap", "--out", generated));
const commands: Readonly<Record<string, readonly string[]>> = {
  "Node itself": ["-e", "0"],
  "wirewright --help": command("--help"),
  "wirewright generate --check, DAP": command("generate", "dap", "--check", "--out", generated),
  "wirewright lint, two messages": command("lint", recording),
  "wirewright diff, two versions of DAP": command("diff", "dap@1.70.0", "dap@1.71.0"),
};

const value = '{ seq: 3, type: "event", event: "initialized" }';
const program = (module: string, check: string): readonly string[] => [
  "--input-type=module",
  "-e",
  `const library = await import("${module}"); if (!library.${check}(${value})) throw new Error();`,
];
const ajvStandalone = pathToFileURL(writeAjv(false)).href;
const entry = import.meta.resolve("@wirewright/dap/validate");
const validators: Readonly<Record<string, readonly string[]>> = {
  "Node itself": ["-e", "0"],
  "wirewright, isValid": program(entry, "isValid"),
  "wirewright, isValidInitializedEvent": program(entry, "isValidInitializedEvent"),
  "ajv, standalone code": program(ajvStandalone, "InitializedEvent"),
};

const bench = new Bench("start-up");
for (const [work, programs] of Object.entries({ command: commands, "first verdict": validators }))
  await bench.compare(`${work}, from start to end`, {
    work,
    expected: undefined,
    competitors: Object.fromEntries(
      Object.entries(programs).map(([name, args]) => [name, () => run(args)]),
    ),
    rounds: 7,
  });
await bench.finish();
