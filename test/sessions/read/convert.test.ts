import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readRecording } from "../../../cli/index.js";
import { openRecordedProtocol } from "../../../sessions/judge/open-protocol.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { newestDap } from "../../support/dap-versions.js";
import { logSamples } from "../../support/log-samples.js";
import { fromRoot } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";

const head = `{"recording":"wirewright","form":1,"protocol":"dap","version":"${newestDap}","roles":["client","adapter"]}\n`;
const log = `starting
READ: <<<{"seq":1,"type":"request","command":"threads"}>>>
WROTE: <<<{"type":"event","event":"mine"}>>>
WROTE: <<<{]
`;
const lines = [
  '{"kind":"stderr","text":"starting"}',
  '{"kind":"message","from":"client","message":{"seq":1,"type":"request","command":"threads"}}',
  '{"kind":"message","from":"adapter","unknown":["/seq"],"message":{"type":"event","event":"mine"}}',
  '{"kind":"fault","from":"adapter","code":"ERR_LOST","text":"Cannot read a logged message","sample":"WROTE: <<<{]"}',
  "",
].join("\n");
const fault = ":4: Cannot read a logged message";
const summary = `log   2 messages
log of gdb: 2 messages, 1 damaged, 1 line of other text; it omits times, and the adapter's message numbers
"READ: <<<" before 1 message: the client (1 request)
"WROTE: <<<" before 1 message: the adapter`;

test("wirewright convert writes a log as a recording, to a file or to standard output", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "gdb.log": log });
    const expected = { status: 0, stdout: "", stderr: `gdb.log${fault}\ngdb.log   ${summary}\n` };
    assert.deepEqual(runCommand(folder, ["convert", "gdb.log", "--out", "a.jsonl"]), expected);
    assert.equal(readFileSync(join(folder, "a.jsonl"), "utf8"), head + lines);
    for (const more of [[], ["--out", "-"]])
      assert.deepEqual(runCommand(folder, ["convert", "gdb.log", ...more]), {
        ...expected,
        stdout: head + lines,
      });
    const given = runCommand(folder, ["convert", "gdb.log", "--sender", "READ=adapter"]);
    assert.deepEqual(given.stdout.match(/"from":"\w+"/g), [
      '"from":"adapter"',
      '"from":"adapter"',
      '"from":"adapter"',
    ]);
    assert.match(given.stderr, /"READ: <<<" before 1 message: the adapter \(as given\)/);
    assert.deepEqual(runCommand(folder, ["convert", "-"], log), {
      status: 0,
      stdout: head + lines,
      stderr: `<stdin>${fault}\n<stdin>   ${summary}\n`,
    });
    // If the output is a link, it remains one.
    symlinkSync("a.jsonl", join(folder, "link.jsonl"));
    assert.equal(runCommand(folder, ["convert", "a.jsonl", "--out", "link.jsonl"]).status, 0);
    assert.equal(readFileSync(join(folder, "a.jsonl"), "utf8"), head + lines);
    assert.deepEqual(readdirSync(folder).sort(), ["a.jsonl", "gdb.log", "link.jsonl"]);
  });
});

test("a recording converted from two directions is marked as having a guessed order", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "client.jsonl": '{"seq":1,"type":"request","command":"threads"}\n',
      "adapter.jsonl": '{"seq":1,"type":"event","event":"stopped"}\n',
    });
    const { status, stdout } = runCommand(folder, ["convert", "adapter.jsonl", "client.jsonl"]);
    assert.deepEqual(
      [status, stdout.split("\n", 1)[0]],
      [0, head.replace("}\n", ',"order":"guessed"}')],
    );
    assert.equal(stdout.split("\n").length, 4);
    // A recording whose order was guessed keeps this mark when it is converted again.
    assert.equal(runCommand(folder, ["convert", "-"], stdout).stdout, stdout);
  });
});

const wrong: readonly (readonly [args: readonly string[], stderr: string])[] = [
  [
    [],
    "Cannot convert: give one log, or one for each direction [ERR_ARGUMENT]\n  See wirewright convert --help\n",
  ],
  [
    ["-", "-"],
    "Cannot read both directions from standard input [ERR_ARGUMENT]\n  Give a file for one direction\n",
  ],
  [["none.log"], "none.log: Cannot read the log: there is no such file [ERR_READ]\n"],
  [
    ["gdb.log", "--sender", "READ=clint"],
    'Cannot find the role "clint" [ERR_ARGUMENT]\n  Did you mean "client"?\n',
  ],
  [
    ["gdb.log", "--sender", "READ"],
    "Cannot use \"READ\" as --sender [ERR_ARGUMENT]\n  Write WORDS=ROLE, as in --sender='->=client'\n",
  ],
  [
    ["text.log"],
    'text.log: Cannot find any message in the recording [ERR_JSON]\n  It begins with "Hello". It contains no object. If it is a recording of another protocol, name that protocol with --protocol\n',
  ],
  [
    ["bad.jsonl"],
    'bad.jsonl:2:1: Cannot determine the sender of a message: "nobody" is not a role of dap [ERR_MESSAGE]\n  "from" is one of client, adapter\n',
  ],
];

test("convert writes nothing for an unusable file and keeps the existing output", async () => {
  await withFolder((folder) => {
    const bad = `${lines.split("\n")[1]}\n{"kind":"message","from":"nobody","message":{}}\n`;
    const files = {
      "gdb.log": log,
      "bad.jsonl": bad,
      "out.jsonl": "before",
      "text.log": "Hello\n",
    };
    writeFiles(folder, files);
    for (const [args, stderr] of wrong)
      for (const out of [[], ["--out", "out.jsonl"], ["--out", "new.jsonl"]])
        assert.deepEqual(runCommand(folder, ["convert", ...args, ...out]), {
          status: 2,
          stdout: "",
          stderr,
        });
    mkdirSync(join(folder, "folder"));
    for (const out of ["folder", "none/out.jsonl"]) {
      const { status, stderr } = runCommand(folder, ["convert", "gdb.log", "--out", out]);
      assert.equal(status, 2);
      assert.ok(stderr.startsWith(`${out}: Cannot write the output: `), stderr);
      assert.match(stderr, / \[ERR_OUTPUT\]\n$/);
    }
    assert.deepEqual(readdirSync(folder).sort(), [...Object.keys(files), "folder"].sort());
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(folder, name), "utf8"), text);
  });
});

test(
  "convert exits with status 2 and an error if the recording cannot be written",
  { skip: !existsSync("/dev/full") && "there is no /dev/full" },
  () => {
    assert.deepEqual(runCommand(fromRoot("."), ["convert", "-", "--out", "/dev/full"], log), {
      status: 2,
      stdout: "",
      stderr: "/dev/full: Cannot write the output: no space is left on the device [ERR_OUTPUT]\n",
    });
  },
);

test("a recording converted from a log has the same entries as the log", async () => {
  await withFolder(async (folder) => {
    for (const { protocol = "dap", log: text, writer } of logSamples) {
      const spoken = await openRecordedProtocol(protocol);
      const args = ["convert", "-", "--protocol", protocol, "--out", "session.jsonl"];
      assert.equal(runCommand(folder, args, text).status, 0);
      const read = (bytes: Uint8Array): unknown =>
        readRecording([{ name: "x", bytes }], spoken).map(({ line: _, ...entry }) => entry);
      assert.deepEqual(
        read(readFileSync(join(folder, "session.jsonl"))),
        read(Buffer.from(text)),
        writer,
      );
    }
  });
});
