import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { withFolder } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { cli, wirewright } from "../support/run-command.js";

test("wirewright without arguments, and with --help, prints its usage", async () => {
  await withFolder((folder) => {
    assert.equal(wirewright(folder, []).status, 2);
    assert.match(wirewright(folder, ["--help"]).stdout, /^Usage: wirewright <command>/);
    assert.equal(wirewright(folder, ["--help"]).status, 0);
    assert.match(wirewright(folder, ["generate", "--help"]).stdout, /--overlay FILE/);
    assert.match(wirewright(folder, ["lint", "--nope", "-h"]).stdout, /^Usage: wirewright lint/);
    const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as {
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

for (const [name, args, stderr] of [
  [
    "an unknown command",
    ["genrate"],
    'Cannot find the command "genrate" [ERR_ARGUMENT]\n  Did you mean "generate"?\n',
  ],
  [
    "an unknown option",
    ["generate", "dap", "--ouput", "x"],
    'Cannot find the option "--ouput" [ERR_ARGUMENT]\n  See wirewright generate --help\n',
  ],
  [
    "a misspelt option",
    ["lint", "x", "--fomat", "json"],
    'Cannot find the option "--fomat" [ERR_ARGUMENT]\n  Did you mean "--format"?\n',
  ],
  [
    "an option without a value",
    ["generate", "dap", "--out"],
    "Cannot find the value of --out [ERR_ARGUMENT]\n  Write --out=VALUE if the value begins with a hyphen\n",
  ],
  [
    "a value that looks like an option",
    ["lint", "x", "--sender", "->=client"],
    "Cannot find the value of --sender [ERR_ARGUMENT]\n  Write --sender=VALUE if the value begins with a hyphen\n",
  ],
  [
    "an unknown protocol",
    ["generate", "da"],
    'Cannot find the protocol "da" [ERR_UNKNOWN_PROTOCOL]\n  Did you mean "dap"?\n',
  ],
  [
    "a lint rule that does not exist",
    ["lint", "--severity", "nonsense=off", "session.jsonl"],
    'Cannot find the rule "nonsense" [ERR_ARGUMENT]\n  See wirewright lint rules\n',
  ],
  [
    "an explanation without a rule",
    ["diff", "explain"],
    "Cannot explain a rule: no rule is given [ERR_ARGUMENT]\n  Call wirewright diff explain RULE; wirewright diff rules lists the rules\n",
  ],
  [
    "watching an unknown protocol",
    ["generate", "nowhere", "--watch"],
    'Cannot find the protocol "nowhere" [ERR_UNKNOWN_PROTOCOL]\n  Bundled protocols: acp, acp-breakpoints, cdp, dap, lsp, mcp, ruby-debug-ide, sqltools. For your own protocol, pass the path to its protocol.json\n'.repeat(
      2,
    ),
  ],
  [
    "two protocols",
    ["generate", "dap", "lsp"],
    'Cannot generate "lsp" in the same call: give only one protocol [ERR_ARGUMENT]\n  List several packages in wirewright.config.json\n',
  ],
  [
    "an invalid package name",
    ["generate", "dap", "--package", "../x"],
    'Cannot use "../x" as a package name [ERR_ARGUMENT]\n  Use lower-case letters, digits, hyphens, and optionally a scope\n',
  ],
  [
    "no protocol and no project file",
    ["generate"],
    "Cannot generate anything: no protocol is given and there is no wirewright.config.json here [ERR_ARGUMENT]\n  Bundled protocols: acp, acp-breakpoints, cdp, dap, lsp, mcp, ruby-debug-ide, sqltools\n",
  ],
  [
    "an option without a protocol",
    ["generate", "--out", "x"],
    "Cannot use --out without a protocol [ERR_ARGUMENT]\n  Name the protocol, or set it in wirewright.config.json\n",
  ],
  [
    "a missing file",
    ["generate", "dap", "--schema", "no.json"],
    "no.json: Cannot read the file: there is no such file [ERR_READ]\n",
  ],
] as const) {
  test(`wirewright ${name} exits with status 2 and prints an error and a hint`, async () => {
    await withFolder((folder) =>
      assert.deepEqual(wirewright(folder, args), { status: 2, stdout: "", stderr }),
    );
  });
}

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
      [2, "Cannot write the output: no space left on device [ERR_OUTPUT]\n"],
    );
  },
);
