import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createEncoder, type OutputEvent } from "@wirewright/dap";
import { withFolder, writeFiles } from "../../support/compile.js";
import { until } from "../../support/scripted-connection.js";
import { cli } from "../../support/run-command.js";

/** Encodes an output event as a frame. */
const outputFrame = (seq: number, output: string): Buffer =>
  Buffer.from(
    createEncoder().encode({
      seq,
      type: "event",
      event: "output",
      body: { output },
    } satisfies OutputEvent),
  );

/**
 * A module that makes the viewer hang when it parses a certain text. The viewer is the only process
 * with a channel.
 */
const planted = `const { parse } = JSON;
if (process.send !== undefined)
  JSON.parse = (text, ...more) => {
    if (String(text).includes("PLANTED")) for (;;);
    return parse(text, ...more);
  };
`;

interface Run {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs `wirewright tap` on a program that sends a file's contents. */
function tap(folder: string, sent: Uint8Array, args: readonly string[], env = {}): Run {
  writeFiles(folder, { "program.mjs": sender });
  const bytes = join(folder, "sent.bin");
  writeFiles(folder, { "planted.mjs": planted });
  writeFileSync(bytes, sent);
  const program = [process.execPath, join(folder, "program.mjs"), bytes];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, "tap", ...args, "--", ...program],
    { timeout: 60_000, maxBuffer: 1 << 28, env: { ...process.env, FORCE_COLOR: "0", ...env } },
  );
  return { status, stdout, stderr: stderr.toString() };
}

const sender = `import { createReadStream } from "node:fs";
createReadStream(process.argv[2]).pipe(process.stdout);
console.error("it prints\\nthis");
process.on("exit", () => (process.exitCode = 7));
`;

const linesOf = (path: string): readonly Readonly<Record<string, any>>[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const messagesIn = (path: string): number =>
  linesOf(path).filter(({ kind }) => kind === "message").length;

test("a viewer that hangs does not stop the session, and the recording is complete", async () => {
  await withFolder((folder) => {
    const sent = Buffer.concat([
      outputFrame(1, "begin"),
      outputFrame(2, "PLANTED"),
      ...Array.from({ length: 2_000 }, (_, seq) => outputFrame(seq + 3, "x".repeat(1_000))),
    ]);
    const hang = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "planted.mjs")).href}` };
    const out = join(folder, "session.jsonl");
    const { status, stdout, stderr } = tap(folder, sent, ["--out", out], hang);
    assert.equal(status, 7);
    assert.deepEqual(stdout, sent);
    assert.match(stderr, /The end of the session is not shown, because that would take too long/);
    assert.equal(messagesIn(out), 2_002);
    assert.deepEqual(
      linesOf(out)
        .filter(({ kind }) => kind === "stderr")
        .map(({ from, text }) => [from, text]),
      [
        ["adapter", "it prints"],
        ["adapter", "this"],
      ],
    );
  });
});

test("a viewer that fails does not end the session, and the recording is complete", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "broken.mjs": planted.replace("for (;;)", "throw new Error('broken')"),
    });
    const sent = Buffer.concat([outputFrame(1, "PLANTED"), outputFrame(2, "end")]);
    const out = join(folder, "session.jsonl");
    const { status, stdout, stderr } = tap(folder, sent, ["--out", out], {
      NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "broken.mjs")).href}`,
    });
    assert.equal(status, 7);
    assert.deepEqual(stdout, sent);
    // The session may be over before the viewer reads the message.
    assert.match(
      stderr,
      /^(?:Messages are no longer shown or checked, but the session continues|The end of the session is not shown): broken$/m,
    );
    assert.equal(messagesIn(out), 2);
  });
});

test("long sessions are recorded both as lines and as bytes", async () => {
  await withFolder((folder) => {
    const part = Array.from({ length: 1_000 }, (_, seq) => outputFrame(seq + 1, "y".repeat(1_000)));
    const sent = Buffer.concat(Array.from({ length: 30 }, () => part).flat());
    const out = join(folder, "session.jsonl");
    const bytes = join(folder, "session.bytes");
    const { status, stdout, stderr } = tap(folder, sent, ["--out", out, "--bytes", bytes]);
    assert.equal(status, 7);
    assert.ok(stdout.equals(sent));
    assert.equal(messagesIn(out), 30_000);
    // Tap summarises equal findings instead of printing all 30,000.
    assert.ok(stderr.split("\n").filter((line) => line.includes("number.order")).length < 10);
    // lint reads the file written with `--bytes` without conversion.
    const { status: judged, stdout: report } = spawnSync(process.execPath, [cli, "lint", bytes], {
      encoding: "utf8",
    });
    assert.equal(judged, 0);
    assert.match(report, /session\.bytes {3}dap .* 30000 messages/);
    assert.match(stderr, /^it prints\nthis$/m);
  });
});

test("no temporary recording remains, even if the tap is killed", async () => {
  await withFolder(async (folder) => {
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    const env = { TMPDIR: temporary, TEMP: temporary };
    assert.equal(tap(folder, outputFrame(1, "hello"), [], env).status, 7);
    assert.deepEqual(readdirSync(temporary), []);
    // On Windows, an open file keeps its name.
    if (process.platform === "win32") return;
    const child = startTalking([], env);
    const closed = once(child, "close");
    let shown = "";
    child.stderr!.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    await until(() => shown.includes("event output"));
    assert.deepEqual(readdirSync(temporary), []);
    child.kill("SIGKILL");
    // The viewer ends too: otherwise, it would keep the output open.
    await closed;
  });
});

test(
  "a full disk stops the recording, but neither the session nor the display",
  { skip: existsSync("/dev/full") ? false : "there is no /dev/full" },
  async () => {
    await withFolder((folder) => {
      const sent = outputFrame(1, "hello");
      const { status, stdout, stderr } = tap(folder, sent, ["--out", "/dev/full"]);
      assert.equal(status, 7);
      assert.deepEqual(stdout, sent);
      assert.match(
        stderr,
        /^Recording stopped, but the session continues: no space is left on the device \[ERR_OUTPUT\]$/m,
      );
      assert.match(stderr, /← event output {2}hello/);
    });
  },
);

test("with redaction, secrets are never written to disk", async () => {
  await withFolder((folder) => {
    const out = join(folder, "session.jsonl");
    const sent = outputFrame(1, "/home/somebody/secret");
    const { status } = tap(folder, sent, ["--quiet", "--redact", "--out", out]);
    assert.equal(status, 7);
    const [, ...lines] = linesOf(out);
    assert.deepEqual(
      lines.flatMap(({ message }) => (message === undefined ? [] : [message.body.output])),
      ["/p1/p2/f1"],
    );
  });
});

/**
 * Starts a tap for a program that sends the same message ten times a second until its input ends.
 */
function startTalking(args: readonly string[], env = {}): ChildProcess {
  const program = `const frame = Buffer.from("${outputFrame(1, "hello").toString("base64")}", "base64");
    process.stdin.resume().on("end", () => process.exit(0));
    setInterval(() => process.stdout.write(frame), 100);`;
  return spawn(process.execPath, [cli, "tap", ...args, "--", process.execPath, "-e", program], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
}

test(
  "the display can be paused while the session continues",
  { skip: process.platform === "win32" ? "there is no such signal" : false },
  async () => {
    const child = startTalking(["--no-lint"]);
    let [passed, shown] = [0, ""];
    child.stdout!.on("data", (chunk: Buffer) => (passed += chunk.length));
    child.stderr!.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    const size = outputFrame(1, "hello").length;
    const count = (): number => shown.split("event output").length - 1;
    await until(() => count() > 0);
    child.kill("SIGUSR2");
    await until(() => shown.includes("paused: send SIGUSR2 to continue"));
    const atPause = count();
    const then = passed;
    await until(() => passed > then + 10 * size);
    assert.ok(count() <= atPause + 1, "nothing is printed during a pause");
    child.kill("SIGUSR2");
    await until(() => count() > atPause + 10);
    child.stdin!.end();
    const status = await new Promise((resolve) => child.on("exit", resolve));
    assert.equal(status, 0);
    assert.equal(count(), passed / size);
  },
);

test("a session continues and ends even if nobody reads the display", async () => {
  await withFolder(async (folder) => {
    const sent = Buffer.concat(
      Array.from({ length: 20_000 }, (_, seq) => outputFrame(seq + 1, "z".repeat(50))),
    );
    writeFileSync(join(folder, "sent.bin"), sent);
    writeFiles(folder, { "program.mjs": sender.replace(/^console.*$/m, "") });
    const child = spawn(
      process.execPath,
      [cli, "tap", "--", process.execPath, join(folder, "program.mjs"), join(folder, "sent.bin")],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    // Leave stderr unread: the tap must still forward all output.
    let length = 0;
    for await (const chunk of child.stdout!) length += (chunk as Buffer).length;
    assert.equal(length, sent.length);
    const status = await new Promise((resolve) => child.on("exit", resolve));
    assert.equal(status, 7);
    child.stderr!.destroy();
  });
});
