/**
 * Runs the packed tool's commands from start to end, beside Node itself, and its tap up to the first
 * byte that it forwards; and starts validators in new processes, up to the first verdict.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { packTool } from "../release/packages.js";
import { fromRoot, root } from "../../test/support/paths.js";
import { Bench } from "./comparison.js";
import { writeAjvSwitch } from "./validators.js";

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

/** Runs Node until it has passed on the first byte of a message. */
async function forward(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write("Content-Length: 2\r\n\r\n{}");
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", () => reject(new Error("Nothing was forwarded")));
  });
  child.kill();
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

const taps: Readonly<Record<string, readonly string[]>> = {
  "Node itself": ["-e", "process.stdin.pipe(process.stdout)"],
  "wirewright tap --quiet": command("tap", "--quiet", "--", "cat"),
  "wirewright tap": command("tap", "--", "cat"),
};

/** Bundles a program that checks a message, as a program that is deployed would be. */
async function bundle(name: string, check: string, module: string): Promise<readonly string[]> {
  const outfile = join(folder, `${name}.mjs`);
  const contents = `import { ${check} } from ${JSON.stringify(module)};
if (!${check}({ seq: 3, type: "event", event: "initialized" })) throw new Error("wrong");`;
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
  });
  return [outfile];
}

const validators: Readonly<Record<string, readonly string[]>> = {
  "Node itself": ["-e", "0"],
  "wirewright, isValid": await bundle("all", "isValid", "@wirewright/dap/validators"),
  "wirewright, isValidInitializedEvent": await bundle(
    "one",
    "isValidInitializedEvent",
    "@wirewright/dap/validators",
  ),
  "ajv, standalone code for all messages": await bundle(
    "ajv",
    "validate",
    await writeAjvSwitch(false),
  ),
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
await bench.compare("tap, from start to the first byte", {
  work: "tap",
  expected: undefined,
  competitors: Object.fromEntries(
    Object.entries(taps).map(([name, args]) => [name, () => forward(args)]),
  ),
  rounds: 7,
});
await bench.finish();
