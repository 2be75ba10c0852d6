import assert from "node:assert/strict";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../../support/compile.js";
import { fromRoot } from "../../../support/paths.js";
import { runCommand } from "../../../support/run-command.js";

const launch = {
  kind: "message",
  from: "client",
  message: {
    seq: 1,
    type: "request",
    command: "launch",
    arguments: { env: { A: "hunter2hunter2" } },
  },
};

const printed = {
  kind: "message",
  from: "adapter",
  message: {
    seq: 2,
    type: "event",
    event: "output",
    body: { output: "hunter2hunter2 by Project X" },
  },
};

const jsonl = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

const recording = jsonl(printed, "", "odd hunter2hunter2", launch);

const result = (output: string): string =>
  jsonl({ ...printed, message: { ...printed.message, body: { output } } }, "text-2............", {
    ...launch,
    message: { ...launch.message, arguments: { env: { "key-1": "text-3........" } } },
  });

test("wirewright redact writes what the protocol defines, even from a pipe, and counts the rest", async () => {
  await withFolder((folder) => {
    const want = result("text-1.....................");
    writeFiles(folder, { "in.jsonl": recording });
    const stderr = "redact: 4 strings replaced, 8 strings kept\n";
    assert.deepEqual(runCommand(folder, ["redact", "in.jsonl", "--out", "out.jsonl"]), {
      status: 0,
      stdout: "",
      stderr,
    });
    assert.equal(readFileSync(join(folder, "out.jsonl"), "utf8"), want);
    for (const [args, input] of [
      [["in.jsonl"], undefined],
      [["-"], recording],
    ] as const)
      assert.deepEqual(runCommand(folder, ["redact", ...args], input), {
        status: 0,
        stdout: want,
        stderr,
      });
    assert.deepEqual(readdirSync(folder).sort(), ["in.jsonl", "out.jsonl"]);
  });
});

test("redact keeps outputs and other values on request, but not the given texts", () => {
  const args = ["redact", "-", "--keep-outputs", "--keep", "/arguments/x", "--text", "project x"];
  assert.deepEqual(runCommand(fromRoot("."), args, recording), {
    status: 0,
    stdout: result("hunter2hunter2 by text-1..."),
    stderr:
      "redact: 4 strings replaced, 8 strings kept\nredact: --keep /arguments/x matched nothing\n",
  });
});

test("redact --only-secrets replaces what looks like a secret wherever it occurs", () => {
  const { stdout, status } = runCommand(
    fromRoot("."),
    ["redact", "-", "--only-secrets"],
    recording,
  );
  assert.equal(status, 0);
  assert.equal(stdout, recording.replaceAll("hunter2hunter2", "secret-1").replace("\n\n", "\n"));
});

test("redact leaves no output for a recording that cannot be redacted", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "a.log": "READ: <<<{}>>>\n",
      "a.bytes": '{"recording":"wirewright","form":2}\n',
      "a.jsonl": recording,
    });
    symlinkSync("a.jsonl", join(folder, "link.jsonl"));
    const cases: readonly (readonly [args: readonly string[], stderr: string])[] = [
      [[], "Cannot redact: give one recording [ERR_ARGUMENT]\n  See wirewright redact --help\n"],
      [
        ["a.log", "--out", "out"],
        "a.log: Cannot find any lines of JSON in the recording [ERR_JSON]\n  Convert a log to a recording first: wirewright convert\n",
      ],
      [
        ["a.bytes", "--out", "out"],
        "a.bytes: Cannot redact raw bytes [ERR_JSON]\n  Convert them to a recording first: wirewright convert\n",
      ],
      [["none"], "none: Cannot read the recording: there is no such file [ERR_READ]\n"],
      [
        ["a.jsonl", "--pointer", "env"],
        'Cannot use --pointer "env": it is not a JSON Pointer [ERR_ARGUMENT]\n  Begin it with a slash: /arguments/env\n',
      ],
      [
        ["a.jsonl", "--only-secrets", "--keep-outputs"],
        "Cannot use --only-secrets with --keep or --keep-outputs [ERR_ARGUMENT]\n  --only-secrets keeps everything that does not look like a secret\n",
      ],
      [
        ["a.jsonl", "--protocol", "ruby-debug-ide", "--keep-outputs"],
        "Cannot use --keep-outputs: ruby-debug-ide has no messages that are known to be output [ERR_ARGUMENT]\n  Name the text with --keep POINTER\n",
      ],
      ...["a.jsonl", "./a.jsonl", "link.jsonl"].map(
        (out) =>
          [
            ["a.jsonl", "--out", out],
            "Cannot redact: --out is the recording itself, a.jsonl [ERR_ARGUMENT]\n  Give --out another name\n",
          ] as const,
      ),
    ];
    for (const [args, stderr] of cases)
      assert.deepEqual(runCommand(folder, ["redact", ...args]), { status: 2, stdout: "", stderr });
    assert.deepEqual(readdirSync(folder).sort(), ["a.bytes", "a.jsonl", "a.log", "link.jsonl"]);
    assert.equal(readFileSync(join(folder, "a.jsonl"), "utf8"), recording);
  });
});

test("wirewright tap --redact forwards every byte, and records only what the protocol defines", async () => {
  await withFolder((folder) => {
    const body = JSON.stringify(launch.message);
    const frame = `Content-Length: ${body.length}\r\n\r\n${body}`;
    const echo = ["--", process.execPath, "-e", "process.stdin.pipe(process.stdout)"];
    const args = ["tap", "--quiet", "--out", "s.jsonl", "--redact", ...echo];
    const { status, stdout } = runCommand(folder, args, frame);
    assert.deepEqual([status, stdout], [0, frame]);
    const written = readFileSync(join(folder, "s.jsonl"), "utf8");
    assert.doesNotMatch(written, /hunter2|"A"/);
    assert.equal(written.split('"arguments":{"env":{"key-1":"text-1........"}}').length, 3);
    for (const [options, reason] of [
      [["--redact"], /^Cannot redact: --redact requires --out \[ERR_ARGUMENT\]\n$/],
      [["--keep", "/a"], /^Cannot redact: --pointer, --keep and --keep-outputs require --redact/],
    ] as const)
      assert.match(runCommand(folder, ["tap", ...options, ...echo]).stderr, reason);
  });
});
