import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { adapterName, recordingName } from "../../../cli/recording-name.js";
import { withFolder } from "../../support/compile.js";
import { framed } from "../../support/framed-text.js";
import { runCommand, cli } from "../../support/run-command.js";
import { program, tap } from "../../support/run-tap.js";

const request = (seq: number): string =>
  framed(`{"seq":${seq},"type":"request","command":"threads"}`).toString();

/** An adapter that never responds, and exits at the end of its input. */
const silent = program(`process.stdin.resume()`);

test("placeholders in a recording's name are replaced with the process id, the time and the adapter", () => {
  const began = new Date("2026-01-31T12:34:56.789Z");
  assert.equal(
    recordingName("logs/{adapter}-{time}-{pid}.jsonl", { began, adapter: "lldb-dap" }),
    `logs/lldb-dap-20260131T123456Z-${process.pid}.jsonl`,
  );
  assert.throws(() => recordingName("{date}.jsonl", { began, adapter: "a" }), {
    code: "ERR_ARGUMENT",
    hint: "Known: {pid}, {time}, {adapter}",
  });
  const name = (...command: string[]): string => adapterName(undefined, command);
  assert.equal(name("/usr/bin/lldb-dap", "--x"), "lldb-dap");
  assert.equal(name("C:\\dbg\\netcoredbg.exe"), "netcoredbg");
  assert.equal(name("python3", "-m", "debugpy.adapter", "--log"), "debugpy.adapter");
  assert.equal(name("python3.12", "-u", "my adapter.py"), "my-adapter");
  assert.equal(name("node", "--inspect", "out/dap.js", "-m", "x"), "dap");
  assert.equal(name("node"), "node");
  assert.equal(adapterName("127.0.0.1:4711", []), "127.0.0.1-4711");
});

test("tap replaces placeholders in the name of its recording", async () => {
  await withFolder((folder) => {
    const { status, stderr } = tap(
      ["--quiet", "--out", join(folder, "{adapter}-{time}-{pid}.jsonl"), ...silent],
      Buffer.from(request(1)),
    );
    assert.deepEqual([status, stderr], [0, ""]);
    const names = readdirSync(folder);
    assert.equal(names.length, 1);
    assert.match(names[0]!, /^node-\d{8}T\d{6}Z-\d+\.jsonl$/);
    const wrong = tap(["--out", join(folder, "{date}.jsonl"), ...silent]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /^Cannot use \{date\} in the name of a recording/);
  });
});

test("--append adds sessions under a single first line, and lint judges them separately", async () => {
  await withFolder((folder) => {
    const out = join(folder, "all.jsonl");
    const opening = framed(
      `{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"a"}}`,
    );
    for (const extra of [[], ["--redact"], []]) {
      const { status, stderr } = tap(
        ["--quiet", "--append", "--out", out, ...extra, ...silent],
        Buffer.concat([opening, Buffer.from(request(2))]),
      );
      assert.deepEqual([status, stderr], [0, ""]);
    }
    const lines = readFileSync(out, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { recording?: string; kind?: string });
    assert.equal(lines.filter(({ recording }) => recording !== undefined).length, 1);
    assert.equal(lines.filter(({ kind }) => kind === "message").length, 6);
    assert.deepEqual(readdirSync(folder), ["all.jsonl"]);
    const { stdout } = runCommand(folder, ["lint", "all.jsonl", "--format", "json"]);
    assert.equal((JSON.parse(stdout) as { sessions: unknown[] }).sessions.length, 3);
    // Files that are not recordings are refused and left unchanged.
    writeFileSync(join(folder, "notes.txt"), "mine\n");
    const wrong = tap(["--append", "--out", join(folder, "notes.txt"), ...silent]);
    assert.equal(wrong.status, 2);
    assert.match(
      wrong.stderr,
      /notes\.txt: Cannot append to the file: it is not a recording of dap/,
    );
    assert.equal(readFileSync(join(folder, "notes.txt"), "utf8"), "mine\n");
    assert.match(tap(["--append", ...silent]).stderr, /^Cannot use --append without --out/);
  });
});

for (const extra of [[], ["--redact"]])
  test(`SIGKILL loses nothing that was forwarded before ${extra.join("")}`, async () => {
    await withFolder(async (folder) => {
      const out = join(folder, "session.jsonl");
      const args = [cli, "tap", "--quiet", ...extra, "--out", out];
      // The program responds with the number of bytes that it has received.
      const child = spawn(
        process.execPath,
        [
          ...args,
          ...program(`let n = 0;
process.stdin.on("data", (bytes) => console.error((n += bytes.length)))`),
        ],
        { stdio: ["pipe", "ignore", "pipe"] },
      );
      const count = 2_000;
      const sent = Buffer.from(Array.from({ length: count }, (_, at) => request(at + 1)).join(""));
      let received = 0;
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        received = Math.max(received, ...text.trim().split("\n").map(Number));
      });
      for (let at = 0; at < sent.length; at += 1_000) {
        child.stdin.write(sent.subarray(at, at + 1_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const from = Date.now(); received < sent.length; await sleep(10))
        assert.ok(Date.now() - from < 60_000, `${received} of ${sent.length}`);
      // Lines are written while the session continues.
      const isWritten = (): boolean => readFileSync(out, "utf8").includes(`"seq":${count},`);
      for (const from = Date.now(); !isWritten(); await sleep(20))
        assert.ok(Date.now() - from < 60_000, "it is not written");
      child.kill("SIGKILL");
      await once(child, "close");
      assert.deepEqual(readdirSync(folder), ["session.jsonl"]);
      const seqs = readFileSync(out, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { message?: { seq: number } })
        .flatMap(({ message }) => (message === undefined ? [] : [message.seq]));
      assert.deepEqual(
        seqs,
        Array.from({ length: count }, (_, at) => at + 1),
      );
    });
  });
