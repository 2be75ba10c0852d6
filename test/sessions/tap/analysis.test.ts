import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createEncoder, type OutputEvent } from "@wirewright/dap";
import { withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { until } from "../../support/scripted-connection.js";

const cli = fromRoot("build/cli/main.js");

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
 * A module that makes the analysis hang when it parses a certain text. The analysis runs in the
 * only thread besides the main one.
 */
const planted = `import { isMainThread } from "node:worker_threads";
const { parse } = JSON;
if (!isMainThread)
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

test("a decoder that never returns does not stop the session, and the recording is complete", async () => {
  await withFolder((folder) => {
    const sent = Buffer.concat([
      outputFrame(1, "begin"),
      outputFrame(2, "PLANTED"),
      ...Array.from({ length: 2_000 }, (_, seq) => outputFrame(seq + 3, "x".repeat(1_000))),
    ]);
    const hang = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "planted.mjs")).href}` };
    const out = join(folder, "session.jsonl");
    const recorded = tap(folder, sent, ["--out", out], hang);
    assert.equal(recorded.status, 7);
    assert.deepEqual(recorded.stdout, sent);
    assert.match(
      recorded.stderr,
      /Cannot complete the recording .*session\.jsonl: the whole session is in .*session\.jsonl\.bytes \[ERR_OUTPUT\]\n {2}wirewright convert/,
    );
    const shown = tap(folder, sent, [], hang);
    assert.equal(shown.status, 7);
    assert.deepEqual(shown.stdout, sent);
    assert.match(shown.stderr, /The end of the session is not shown/);
    // Runs the command that tap suggests for an incomplete recording.
    const converted = spawnSync(process.execPath, [cli, "convert", `${out}.bytes`, "--out", out], {
      encoding: "utf8",
    });
    assert.equal(converted.status, 0, converted.stderr);
    const lines = linesOf(out).slice(1);
    assert.equal(lines.filter(({ kind }) => kind === "message").length, 2_002);
    assert.deepEqual(
      lines.filter(({ kind }) => kind === "stderr").map(({ from, text }) => [from, text]),
      [
        ["adapter", "it prints"],
        ["adapter", "this"],
      ],
    );
  });
});

test("a failed analysis does not end the session", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "broken.mjs": planted.replace(
        "for (;;)",
        "process.nextTick(() => { throw new Error('broken') })",
      ),
    });
    const sent = Buffer.concat([outputFrame(1, "PLANTED"), outputFrame(2, "end")]);
    const { status, stdout, stderr } = tap(folder, sent, ["--out", join(folder, "s.jsonl")], {
      NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "broken.mjs")).href}`,
    });
    assert.equal(status, 7);
    assert.deepEqual(stdout, sent);
    assert.match(
      stderr,
      /Messages are no longer shown or checked, but the session continues: broken/,
    );
    assert.match(stderr, /the whole session is in .*s\.jsonl\.bytes/);
  });
});

test("messages that cannot be shown in time are recorded, and no temporary files remain", async () => {
  await withFolder((folder) => {
    const part = Array.from({ length: 1_000 }, (_, seq) => outputFrame(seq + 1, "y".repeat(1_000)));
    const sent = Buffer.concat(Array.from({ length: 30 }, () => part).flat());
    const out = join(folder, "session.jsonl");
    const bytes = join(folder, "session.bytes");
    const { status, stdout, stderr } = tap(folder, sent, ["--out", out, "--bytes", bytes]);
    assert.equal(status, 7);
    assert.ok(stdout.equals(sent));
    assert.equal(linesOf(out).filter(({ kind }) => kind === "message").length, 30_000);
    // Tap summarises equal findings instead of printing all 30,000.
    assert.ok(stderr.split("\n").filter((line) => line.includes("number.order")).length < 10);
    // lint reads the file written with `--bytes` without conversion.
    const { status: judged, stdout: report } = spawnSync(process.execPath, [cli, "lint", bytes], {
      encoding: "utf8",
    });
    assert.equal(judged, 0);
    assert.match(report, /session\.bytes {3}dap .* 30000 messages/);
    assert.ok(existsSync(bytes));
    assert.ok(!existsSync(`${out}.bytes`));
    assert.match(stderr, /^it prints\nthis$/m);
  });
});

test("with redaction, secrets are never written to disk", async () => {
  await withFolder((folder) => {
    const out = join(folder, "session.jsonl");
    const sent = outputFrame(1, "/home/somebody/secret");
    const { status } = tap(folder, sent, ["--quiet", "--redact", "--out", out]);
    assert.equal(status, 7);
    assert.ok(!existsSync(`${out}.bytes`));
    const [, ...lines] = linesOf(out);
    assert.deepEqual(
      lines.flatMap(({ message }) => (message === undefined ? [] : [message.body.output])),
      ["/home/user-1/secret"],
    );
  });
});

/**
 * Starts a tap for a program that sends the same message ten times a second until its input ends.
 */
function startTalking(args: readonly string[]): ChildProcess {
  const program = `const frame = Buffer.from("${outputFrame(1, "hello").toString("base64")}", "base64");
    process.stdin.resume().on("end", () => process.exit(0));
    setInterval(() => process.stdout.write(frame), 100);`;
  return spawn(process.execPath, [cli, "tap", ...args, "--", process.execPath, "-e", program], {
    stdio: ["pipe", "pipe", "pipe"],
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
