import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
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
    "an option for what is given without one",
    ["generate", "--protocol", "dap"],
    'Cannot find the option "--protocol" [ERR_ARGUMENT]\n  Write only its value: wirewright generate PROTOCOL\n',
  ],
  [
    "a value for an option that takes none",
    ["generate", "dap", "--watch=yes"],
    "Cannot use --watch with a value [ERR_ARGUMENT]\n  Write --watch alone\n",
  ],
  [
    "a rule without its severity",
    ["lint", "--severity", "schema.issue", "session.jsonl"],
    'Cannot use "schema.issue" as --severity [ERR_ARGUMENT]\n  Write RULE=SEVERITY, as in --severity schema.issue=warning\n',
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
