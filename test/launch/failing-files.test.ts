import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { writeFiles } from "../support/compile.js";
import { runCommand, cli } from "../support/run-command.js";
import { schema, withProject } from "../support/configuration-project.js";

test("an output that cannot be written is reported, and nothing is written", () =>
  withProject((folder) => {
    const refusal = (args: readonly string[], files: Record<string, string> = {}): string => {
      writeFiles(folder, files);
      const { status, stderr } = runCommand(folder, ["generate", ...args]);
      assert.equal(status, 2);
      return stderr;
    };
    const from = ["--configuration", "launch.ts"];
    assert.equal(
      refusal(from),
      "Cannot generate configurations: no output is given [ERR_ARGUMENT]\n  Name a protocol, as in wirewright generate dap --configuration package.json, or use --manifest\n",
    );
    assert.match(
      refusal(["--manifest", "package.json"]),
      /^Cannot use --manifest without --configuration \[ERR_ARGUMENT\]\n/,
    );
    assert.match(
      refusal(["dap", ...from, "--manifest", "package.json"]),
      /^Cannot use --manifest with a protocol \[ERR_ARGUMENT\]\n/,
    );
    assert.match(
      refusal([...from, "--out", "x", "--manifest", "package.json"]),
      /^Cannot use --out without a protocol \[ERR_ARGUMENT\]\n/,
    );
    assert.match(
      refusal([...from, "--manifest", "package.json"], {
        "package.json": '{"contributes":{"debuggers":[]}}',
      }),
      /^package\.json:1:\d+ \/contributes\/debuggers: Cannot find the debugger "notes" \[ERR_OUTPUT\]\n/,
    );
    const before = '{"contributes":{"debuggers":[{"type":"a"}]}}';
    const recursive = `interface Node { next?: Node }
export interface A { type: "a"; request: "launch"; node?: Node }
`;
    assert.match(
      refusal(["--configuration", "tree.ts", "--manifest", "package.json"], {
        "tree.ts": recursive,
        "package.json": before,
      }),
      /^tree\.ts:2:1 .*Cannot write a schema that refers to itself: .* \[ERR_REF_CYCLE\]\n$/,
    );
    assert.equal(readFileSync(join(folder, "package.json"), "utf8"), before);
  }));

test("--watch writes again when the source changes", { timeout: 60_000 }, () =>
  withProject(async (folder) => {
    const child = spawn(
      process.execPath,
      [
        cli,
        "generate",
        "--configuration",
        "launch.schema.json",
        "--manifest",
        "package.json",
        "--watch",
      ],
      { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
      const until = async (text: string): Promise<void> => {
        while (!printed.includes(text)) await pause(20);
        printed = "";
      };
      await until("Watching");
      writeFileSync(join(folder, "launch.schema.json"), schema.replace('"port"', '"harbour"'));
      await until("package.json: written");
      assert.match(readFileSync(join(folder, "package.json"), "utf8"), /"harbour"/);
    } finally {
      child.kill();
      await once(child, "exit");
    }
  }),
);
