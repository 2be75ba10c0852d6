import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../../support/compile.js";
import { fromRoot } from "../../../support/paths.js";
import { runCommand } from "../../../support/run-command.js";
import { launch, output } from "../../../support/redaction.js";

const line = JSON.stringify({
  kind: "message",
  from: "client",
  message: launch({ env: { A: "hunter2hunter2" } }),
});

const told = JSON.stringify({
  kind: "message",
  from: "adapter",
  message: output("hunter2hunter2"),
});

test("wirewright redact writes a recording without secrets, even from a pipe", async () => {
  await withFolder((folder) => {
    const text = `${told}\n\nodd hunter2hunter2\n${line}\n`;
    const want = `${told.replace("hunter2hunter2", "redacted-1")}\nodd redacted-1\n${line.replace("hunter2hunter2", "redacted-1")}\n`;
    writeFiles(folder, { "in.jsonl": text });
    assert.deepEqual(runCommand(folder, ["redact", "in.jsonl", "--out", "out.jsonl"]), {
      status: 0,
      stdout: "",
      stderr: "",
    });
    assert.equal(readFileSync(join(folder, "out.jsonl"), "utf8"), want);
    for (const [args, input] of [
      [["in.jsonl"], undefined],
      [["-"], text],
    ] as const)
      assert.deepEqual(runCommand(folder, ["redact", ...args], input), {
        status: 0,
        stdout: want,
        stderr: "",
      });
    assert.deepEqual(readdirSync(folder).sort(), ["in.jsonl", "out.jsonl"]);
  });
});

test("without options, redact replaces the names of the current user and machine", async () => {
  const { username } = userInfo();
  const text = JSON.stringify(output(`at ${hostname()} by ${username}.`));
  const { stdout } = runCommand(fromRoot("."), ["redact", "-"], text);
  assert.ok(!stdout.includes(hostname()) || hostname().length < 3, stdout);
  assert.match(stdout, / by (?:root|user-1|node|runner|user|ubuntu)\./);
});

test("redact leaves no output for a recording that cannot be redacted", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "a.log": "READ: <<<{}>>>\n",
      "a.bytes": '{"recording":"wirewright","form":2}\n',
    });
    const cases: readonly (readonly [args: readonly string[], stderr: string])[] = [
      [[], "Cannot redact: give one recording [ERR_ARGUMENT]\n  See wirewright redact --help\n"],
      [
        ["a.log"],
        "a.log: Cannot find any lines of JSON in the recording [ERR_JSON]\n  Convert a log to a recording first: wirewright convert\n",
      ],
      [
        ["a.bytes"],
        "a.bytes: Cannot redact raw bytes [ERR_JSON]\n  Convert them to a recording first: wirewright convert\n",
      ],
      [["none"], "none: Cannot read the recording: there is no such file [ERR_READ]\n"],
      [
        ["a.log", "--pointer", "env"],
        'Cannot use --pointer "env": it is not a JSON Pointer [ERR_ARGUMENT]\n  Begin it with a slash: /arguments/env\n',
      ],
    ];
    for (const [args, stderr] of cases)
      assert.deepEqual(runCommand(folder, ["redact", ...args, "--out", "out"]), {
        status: 2,
        stdout: "",
        stderr,
      });
    assert.deepEqual(readdirSync(folder), ["a.bytes", "a.log"]);
  });
});

test("wirewright tap --redact forwards secrets, but does not record them", async () => {
  await withFolder((folder) => {
    const body = JSON.stringify(
      launch({ env: { A: "hunter2hunter2" }, x: "hunter2hunter2", program: "abc" }),
    );
    const frame = `Content-Length: ${body.length}\r\n\r\n${body}`;
    const echo = ["--", process.execPath, "-e", "process.stdin.pipe(process.stdout)"];
    const args = [
      "tap",
      "--quiet",
      "--out",
      "s.jsonl",
      "--redact",
      "--pointer",
      "/arguments/program",
      ...echo,
    ];
    const { status, stdout } = runCommand(folder, args, frame);
    assert.deepEqual([status, stdout], [0, frame]);
    const recording = readFileSync(join(folder, "s.jsonl"), "utf8");
    assert.doesNotMatch(recording, /hunter2|abc/);
    assert.equal(recording.split('"x":"redacted-1","program":"redacted-2"').length, 3);
    const { stderr } = runCommand(folder, ["tap", "--redact", ...echo]);
    assert.match(stderr, /^Cannot redact: .* \[ERR_ARGUMENT\]\n$/);
    assert.ok(!existsSync(join(folder, "s2.jsonl")));
  });
});

test("wirewright tap --redact hides the environment that the adapter inherits", async () => {
  await withFolder((folder) => {
    const program = `const body = JSON.stringify({ seq: 1, type: "event", event: "output",
        body: { output: JSON.stringify(process.env.RELEASE_NOTE) } });
      process.stdout.write("Content-Length: " + body.length + "\\r\\n\\r\\n" + body);`;
    const args = ["tap", "--quiet", "--out", "s.jsonl", "--redact", "--"];
    const environment = { RELEASE_NOTE: 'a "very" private note' };
    const { status, stdout } = runCommand(
      folder,
      [...args, process.execPath, "-e", program],
      "",
      environment,
    );
    assert.equal(status, 0);
    assert.match(stdout, /private note/);
    const recording = readFileSync(join(folder, "s.jsonl"), "utf8");
    assert.doesNotMatch(recording, /private/);
    assert.match(recording, /"output":"\\"redacted-1\\""/);
  });
});
