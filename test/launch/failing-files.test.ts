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
      "Cannot generate configurations: no output is given [ERR_ARGUMENT]\n  Name a protocol, as in wirewright generate dap --configuration package.json, or use --manifest, --zed, --nvim or --table\n",
    );
    assert.match(
      refusal(["--zed", "zed"]),
      /^Cannot use --zed without --configuration \[ERR_ARGUMENT\]\n/,
    );
    assert.match(
      refusal(["dap", ...from, "--zed", "zed"]),
      /^Cannot use --zed with a protocol \[ERR_ARGUMENT\]\n/,
    );
    assert.match(
      refusal([...from, "--out", "x", "--zed", "z"]),
      /^Cannot use --out without a protocol \[ERR_ARGUMENT\]\n/,
    );
    assert.equal(
      refusal([...from, "--table", "page.md"], {
        "page.md": "x\n\n<!-- configuration: notes lunch -->\n<!-- /configuration -->\n",
      }),
      'page.md:3:1: Cannot find the attributes of "notes" for "lunch" [ERR_OUTPUT]\n  Did you mean "notes launch"?\n',
    );
    assert.match(
      refusal([...from, "--table", "page.md"], { "page.md": "x" }),
      /^page\.md: Cannot find the table markers/,
    );
    assert.match(
      refusal([...from, "--nvim", "n.json", "--manifest", "package.json"], {
        "package.json": '{"contributes":{"debuggers":[]}}',
      }),
      /^package\.json:1:\d+ \/contributes\/debuggers: Cannot find the debugger "notes" \[ERR_OUTPUT\]\n/,
    );
    const recursive = `interface Node { next?: Node }
export interface A { type: "a"; request: "launch"; node?: Node }
`;
    assert.match(
      refusal(["--configuration", "tree.ts", "--nvim", "n.json"], { "tree.ts": recursive }),
      /^tree\.ts:2:1 .*Cannot write a schema that refers to itself \[ERR_REF_CYCLE\]\n$/,
    );
    assert.throws(() => readFileSync(join(folder, "n.json")), /ENOENT/);
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
        "--nvim",
        "out/nvim.json",
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
      await until("out/nvim.json: written");
      assert.match(readFileSync(join(folder, "out/nvim.json"), "utf8"), /"harbour"/);
    } finally {
      child.kill();
      await once(child, "exit");
    }
  }),
);
