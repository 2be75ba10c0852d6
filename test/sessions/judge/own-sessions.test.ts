/**
 * Judges sessions between our own clients and adapters, recorded with tap. Lint must not find any
 * mistakes in them.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { installPackages, withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { cli } from "../../support/run-command.js";

type Side = "client" | "adapter";

const example = (name: string): string => fromRoot(`build/examples/${name}.js`);
const ours = (name: string): readonly string[] => [process.execPath, example(name)];

const tapped = (recording: string, command: readonly string[]): readonly string[] => [
  cli,
  "tap",
  "--quiet",
  "--out",
  recording,
  "--",
  ...command,
];

/** The clients in the documentation debug `a.c` under that name, as a reader would type it. */
const expected: ReadonlySet<string> = new Set(["path.relative"]);

/** Returns lint's findings about our clients and adapters as lines. */
function blamed(recording: string, sides: readonly Side[]): readonly string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cli, "lint", recording, "--format", "json"],
    { encoding: "utf8" },
  );
  assert.notEqual(stdout, "", stderr);
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly [field: string]: unknown }[];
  };
  return findings
    .filter(({ from, rule }) => sides.includes(from as Side) && !expected.has(String(rule)))
    .map(({ rule, severity, text }) => `${String(severity)} ${String(rule)}: ${String(text)}`);
}

/** Runs a program from the documentation through a tap, with a different adapter. */
function runExample(folder: string, name: string, command: readonly string[]): string {
  const recording = join(folder, "session.jsonl");
  const list = JSON.stringify(tapped(recording, command));
  const start = `import { spawn } from "node:child_process";
spawn(process.execPath, ${list}, { stdio: "inherit" }).on("exit", (code) => process.exit(code ?? 1));
`;
  installPackages(folder, ["@wirewright/dap"]);
  writeFiles(folder, {
    "package.json": '{ "type": "module" }',
    [`${name}.js`]: readFileSync(example(name), "utf8"),
    ...(name === "adapter-test" ? { "text-adapter.js": start } : { "adapter.js": start }),
    "start.js": start,
    "lldb-dap": `#!/bin/sh\nexec '${process.execPath}' '${join(folder, "start.js")}'\n`,
    "a.out": "one\ntwo\nthree\nfour\n",
    "a.c": "one\ntwo\nthree\nfour\n",
  });
  chmodSync(join(folder, "lldb-dap"), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${name}.js`], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` },
  });
  assert.equal(status, 0, stdout + stderr);
  return recording;
}

const programs = [
  ["session", ours("adapter"), ["client", "adapter"]],
  ["client", ours("adapter"), ["client", "adapter"]],
  ["adapter-test", ours("text-adapter"), ["client", "adapter"]],
  ["first-client", ours("text-adapter"), ["client", "adapter"]],
  [
    "first-client",
    [process.execPath, fromRoot("build/test/fixtures/official-adapter.js")],
    ["client"],
  ],
] as const;

for (const [name, command, sides] of programs)
  test(
    `lint finds no mistakes in examples/${name}.ts with ${command[1].replace(/^.*\//, "")}`,
    { skip: process.platform === "win32" && "lldb-dap is a shell script here" },
    () =>
      withFolder((folder) =>
        assert.deepEqual(blamed(runExample(folder, name, command), sides), []),
      ),
  );

/** Finds a program in one of the folders on PATH. */
function inPath(pattern: RegExp): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((each) => existsSync(each));
  for (const folder of folders) {
    const name = readdirSync(folder)
      .sort()
      .find((each) => pattern.test(each));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

const runs = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { timeout: 30_000 }).status === 0;

const python = ["python3", "/usr/bin/python3"].find((each) =>
  runs(each, "-m", "debugpy", "--version"),
);
const lldb = inPath(/^lldb-(dap|vscode)(-\d+)?$/);
const gdb = inPath(/^cdtDebugAdapter$/);
const needs = (found: unknown, what: string): string | false => (found ? false : `needs ${what}`);
const compiles = runs("cc", "--version");

const cText =
  "int add(int a) {\n  int b = a + 1;\n  return b;\n}\nint main(void) { return add(1) + add(2); }\n";
const pythonText = "def add(a):\n    b = a + 1\n    return b\nadd(1)\nadd(2)\n";

interface Debugger {
  readonly skip: string | false;
  readonly command: readonly string[];
  readonly file: string;
}

const debuggers: Readonly<Record<string, Debugger>> = {
  debugpy: {
    skip: needs(python, "debugpy"),
    command: [python ?? "", "-m", "debugpy.adapter"],
    file: "program.py",
  },
  lldb: {
    skip: needs(lldb && compiles, "lldb-dap and a C compiler"),
    command: [lldb ?? ""],
    file: "program.c",
  },
  "cdt-gdb-adapter": {
    skip: needs(
      gdb && compiles && runs("gdb", "--version"),
      "cdtDebugAdapter, gdb and a C compiler",
    ),
    command: [process.execPath, gdb ?? ""],
    file: "program.c",
  },
};

for (const [name, { skip, command, file }] of Object.entries(debuggers))
  test(
    `lint finds no mistakes by our client in a session with ${name}`,
    { skip, timeout: 240_000 },
    () =>
      withFolder(async (folder) => {
        const path = join(folder, file);
        const isC = file.endsWith(".c");
        writeFiles(folder, { [file]: isC ? cText : pythonText });
        const program = isC ? join(folder, "program") : path;
        if (isC) assert.ok(runs("cc", "-g", "-O0", path, "-o", program));
        const recording = join(folder, "session.jsonl");
        const adapter = await spawnAdapter(process.execPath, tapped(recording, command), {
          timeoutMs: 60_000,
        });
        const session = await launch(adapter, {
          arguments: { program, ...(isC ? {} : { python: [python], console: "internalConsole" }) },
          breakpoints: { [path]: [3] },
        });
        assert.equal((await session.waitForStop()).kind, "stopped");
        await session.snapshot({ items: 40 });
        await session.stepOut();
        let state = session.stop === undefined ? undefined : await session.continue();
        while (state?.kind === "stopped") state = await session.continue();
        await session.terminate();
        await adapter.exited;
        assert.deepEqual(blamed(recording, ["client"]), []);
      }),
  );
