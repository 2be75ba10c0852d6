import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { test } from "node:test";
import { readInput, testCases } from "../support/case-list.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { readJson } from "../support/paths.js";
import { cli, wirewright } from "../support/run-command.js";

test("wirewright without arguments, and with --help, prints its usage", async () => {
  await withFolder((folder) => {
    assert.equal(wirewright(folder, []).status, 2);
    assert.match(wirewright(folder, ["--help"]).stdout, /^Usage: wirewright <command>/);
    assert.equal(wirewright(folder, ["--help"]).status, 0);
    assert.match(wirewright(folder, ["generate", "--help"]).stdout, /--overlay FILE/);
    assert.match(wirewright(folder, ["lint", "--nope", "-h"]).stdout, /^Usage: wirewright lint/);
    const { version } = readJson("package.json") as {
      version: string;
    };
    for (const name of ["--version", "-v", "version"])
      assert.deepEqual(wirewright(folder, [name]), {
        status: 0,
        stdout: `${version}\n`,
        stderr: "",
      });
    assert.match(wirewright(folder, ["help"]).stdout, /^ {2}--debug, after any command/m);
  });
});

testCases("test/cases/refused-arguments.md", "arguments are refused", (input) =>
  withFolder((folder) => {
    const [args] = readInput(input) as readonly [string[]];
    const { status, stdout, stderr } = wirewright(folder, args);
    assert.deepEqual([status, stdout], [2, ""], input);
    return [stderr.trimEnd()];
  }),
);

test("files and folders that cannot be used are named, with the reason", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "cut.json": '{"seq":1,', "folder/file.txt": "text" });
    for (const [args, stderr] of [
      [
        ["lint", "cut.json"],
        'cut.json: Cannot find any message in the recording [ERR_JSON]\n  It begins with "{\\"seq\\":1,". Its first line is not valid JSON. It contains 1 object, but none is a request, an event or a response. The first has the fields "seq". If it is a recording of another protocol, name that protocol with --protocol\n',
      ],
      [
        ["diff", "cut.json", "cut.json"],
        "cut.json:1:10: Cannot parse JSON: property name expected at the end [ERR_JSON]\n",
      ],
      [
        ["diff", "dap@1.70.0", "dap@1.71.0", "--out", "folder"],
        "folder: Cannot write the file: it is a folder [ERR_OUTPUT]\n",
      ],
      [
        ["tap", "--out", "folder", "--", "x"],
        "folder: Cannot write the recording: it is a folder [ERR_OUTPUT]\n",
      ],
      [
        ["tap", "--out", "none/x.jsonl", "--", "x"],
        "none/x.jsonl: Cannot write the recording: there is no such folder [ERR_OUTPUT]\n",
      ],
    ] as const)
      assert.deepEqual(wirewright(folder, args), { status: 2, stdout: "", stderr });
  });
});

test("wirewright uses colours only on a terminal, or on request", async () => {
  await withFolder((folder) => {
    assert.ok(!wirewright(folder, ["generate", "dap"]).stdout.includes("\u001b"));
    assert.ok(
      wirewright(folder, ["generate", "dap"], undefined, { FORCE_COLOR: "1" }).stdout.includes(
        "\u001b[2mup to date\u001b[0m",
      ),
    );
  });
});

test("a closed or failing output does not cause a stack trace", async () => {
  const child = spawn(process.execPath, [cli, "lint", "rules"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let errorOutput = "";
  child.stderr.on("data", (chunk: Buffer) => (errorOutput += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  assert.deepEqual([status, errorOutput], [0, ""]);
});

test(
  "a command that writes to a full disk exits with status 2",
  { skip: existsSync("/dev/full") ? false : "needs /dev/full" },
  () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [cli, "lint", "rules"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    assert.deepEqual(
      [status, stderr],
      [2, "Cannot write the output: no space is left on the device [ERR_OUTPUT]\n"],
    );
  },
);
