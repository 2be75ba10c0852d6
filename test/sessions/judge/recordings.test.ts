import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { newestDap } from "../../support/dap-versions.js";
import { fromRoot } from "../../support/paths.js";
import { runCommand, type Outcome, cli } from "../../support/run-command.js";

const request = `{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"a"}}`;
const response = `{"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize"}`;
const messageLine = (from: string, message: string): string =>
  `{"kind":"message","from":${from},"message":${message}}\n`;

testCases("test/cases/unknown-senders.md", "senders are judged", (input) => {
  const [lines] = readInput(input, { messageLine, request, response }) as readonly [string];
  const { status, stdout, stderr } = runCommand(fromRoot("."), ["lint", "-"], lines);
  assert.deepEqual([status, stdout], [2, ""], input);
  return [stderr.trimEnd()];
});

const nothing = (file: string): Outcome => ({
  status: 2,
  stdout: "",
  stderr: `${file}: Cannot find any message in the recording [ERR_JSON]\n  It is empty. Pass a recording made with wirewright tap, framed bytes, lines of JSON, or the log of a program\n`,
});
const clean = (file: string): Outcome => ({
  status: 0,
  stdout: `${file}   dap ${newestDap}, wire profile   2 messages   no findings\n`,
  stderr: "",
});

test("lint either judges a file or exits with status 2 and the reason", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "marked.jsonl": `\ufeff${request}\r\n${response}\r\n`,
      "empty.jsonl": "",
      "blank.jsonl": "\r\n \n",
      "mark.jsonl": "\ufeff",
    });
    writeFileSync(
      join(folder, "latin.jsonl"),
      Buffer.from(`${request.replace('"a"', '"\u00e9"')}\n${response}\n`, "latin1"),
    );
    writeFileSync(join(folder, "bytes.bin"), Uint8Array.of(0xff, 0x80, 0x00, 0xc3));
    writeFileSync(join(folder, "wide.jsonl"), Buffer.from(`\ufeff${request}\n`, "utf16le"));
    writeFileSync(join(folder, "packed.jsonl.gz"), Uint8Array.of(0x1f, 0x8b, 0x08, 0x00));
    mkdirSync(join(folder, "folder"));
    const judged = (file: string): Outcome => runCommand(folder, ["lint", file]);
    assert.deepEqual(judged("marked.jsonl"), clean("marked.jsonl"));
    assert.deepEqual(judged("latin.jsonl"), clean("latin.jsonl"));
    for (const file of ["empty.jsonl", "blank.jsonl", "mark.jsonl"])
      assert.deepEqual(judged(file), nothing(file));
    assert.deepEqual(judged("folder"), {
      status: 2,
      stdout: "",
      stderr: 'Cannot find any files in "folder" [ERR_ARGUMENT]\n',
    });
    assert.match(
      judged("bytes.bin").stderr,
      /^bytes\.bin: Cannot find any message in the recording \[ERR_JSON\]\n {2}It begins with ".*"\. It contains no object\./,
    );
    assert.match(
      judged("wide.jsonl").stdout,
      /^wide\.jsonl {3}dap [\d.]+, wire profile {3}1 message {3}no findings\n[^]*decoded from UTF-16LE\n/,
    );
    assert.deepEqual(judged("packed.jsonl.gz"), {
      status: 2,
      stdout: "",
      stderr:
        "packed.jsonl.gz: Cannot find any message in the recording [ERR_JSON]\n  It is compressed with gzip: decompress it first\n",
    });
    assert.deepEqual(
      runCommand(folder, ["lint", "-"], `\ufeff${request}\r\n${response}`),
      clean("<stdin>"),
    );
    assert.deepEqual(runCommand(folder, ["lint", "-"], ""), nothing("<stdin>"));
  });
});

test(
  "lint reads a recording from a named pipe",
  { skip: process.platform === "win32" && "Windows has no such pipes in folders" },
  async () => {
    await withFolder((folder) => {
      execFileSync("mkfifo", [join(folder, "pipe")]);
      writeFiles(folder, { "session.jsonl": `${request}\n${response}\n` });
      const { status, stdout, stderr } = spawnSync(
        "sh",
        ["-c", 'cat session.jsonl > pipe & exec "$0" "$1" lint pipe', process.execPath, cli],
        { cwd: folder, encoding: "utf8", timeout: 30_000 },
      );
      assert.deepEqual({ status, stdout, stderr }, clean("pipe"));
    });
  },
);

test(
  "lint exits with status 2 and an error if the report cannot be written",
  { skip: !existsSync("/dev/full") && "there is no /dev/full" },
  () => {
    for (const format of ["text", "json", "html", "github", "sarif"]) {
      const full = openSync("/dev/full", "w");
      try {
        const { status, stderr } = spawnSync(
          process.execPath,
          [cli, "lint", "-", "--format", format],
          // The second response causes a finding, for which lint alone would exit with status 1.
          {
            input: `${request}\n${response}\n${response}\n`,
            encoding: "utf8",
            stdio: ["pipe", full, "pipe"],
          },
        );
        assert.deepEqual(
          { status, stderr },
          {
            status: 2,
            stderr: "Cannot write the output: no space is left on the device [ERR_OUTPUT]\n",
          },
        );
      } finally {
        closeSync(full);
      }
    }
  },
);
