import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createEncoder } from "../../../generated/dap/index.js";
import { connect } from "../../../generated/dap/connection.js";
import { connectTcp, nodeTransport, spawnAdapter } from "../../../generated/dap/node.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { newestDap } from "../../../tools/shared/dap-versions.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { until } from "../../support/scripted-connection.js";

const cli = fromRoot("build/generator/cli.js");
const adapter = fromRoot("build/examples/adapter.js");

type Line = Readonly<Record<string, unknown>> & {
  readonly message?: Readonly<Record<string, unknown>>;
};

/** The lines of a recording without times, which are checked to grow. */
function readRecording(path: string): readonly Line[] {
  const lines = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  for (const session of new Set(lines.slice(1).map((line) => line["session"]))) {
    const times = lines
      .slice(1)
      .flatMap((line) => (line["session"] === session ? [Number(line["time"])] : []));
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
  }
  return lines.map(({ time: _time, began, ...rest }) =>
    began === undefined ? rest : { ...rest, began: typeof began },
  );
}

/** Runs `wirewright tap` on a program that says and hears bytes. */
function tap(
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): { readonly status: number | null; readonly stdout: Buffer; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "tap", ...args], {
    input,
    timeout: 60_000,
    maxBuffer: 1 << 28,
    env: { ...process.env, FORCE_COLOR: "0" },
  });
  return { status, stdout, stderr: stderr.toString() };
}

const program = (code: string): readonly string[] => ["--", process.execPath, "-e", code];

test("a session goes through unchanged, and is recorded and shown", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "session.jsonl");
    let shown = "";
    const {
      connection: client,
      process: child,
      exited,
    } = await spawnAdapter(
      process.execPath,
      [cli, "tap", "--out", out, "--", process.execPath, adapter],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
    child.stderr!.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    const ready = client.once("initialized");
    await client.request("initialize", { adapterID: "größe" });
    await ready;
    await client.request("launch", {});
    await assert.rejects(client.request("evaluate", { expression: "no" }), /There is no no/);
    await client.request("disconnect");
    assert.equal(await exited, 0);
    const [head, ...lines] = readRecording(out);
    assert.deepEqual(head, {
      recording: "wirewright",
      form: 1,
      protocol: "dap",
      version: newestDap,
      roles: ["client", "adapter"],
      began: "string",
    });
    assert.deepEqual(
      lines.map(({ from, offset, message, how }) => [
        from,
        offset,
        message?.["command"] ?? message?.["event"] ?? how,
      ]),
      [
        ["client", 0, "initialize"],
        ["adapter", 0, "initialize"],
        ["adapter", 215, "initialized"],
        ["client", 107, "launch"],
        ["adapter", 283, "launch"],
        ["client", 189, "evaluate"],
        ["adapter", 382, "evaluate"],
        ["client", 290, "disconnect"],
        ["adapter", 618, "disconnect"],
        ["adapter", undefined, "exited with 0"],
      ],
    );
    assert.deepEqual(lines[0]!.message, {
      seq: 1,
      type: "request",
      command: "initialize",
      arguments: { adapterID: "größe" },
    });
    const plain = shown
      .replaceAll(/\d+(\.\d+)? (ms|s)\b/g, "T ms")
      .replaceAll(/\d+\.\d+s/g, "Ts")
      .trim()
      .split(/\n */);
    assert.deepEqual(plain, [
      "Ts → request 1 initialize  adapter größe  107 B",
      "Ts ← response 1 initialize  ok after T ms  215 B",
      "Ts ← event initialized  68 B",
      "Ts → request 2 launch  82 B",
      "Ts ← response 2 launch  ok after T ms  99 B",
      "Ts → request 3 evaluate  no  101 B",
      'Ts ← response 3 evaluate  failed: "There is no no" after T ms  236 B',
      "Ts → request 4 disconnect  71 B",
      "Ts ← response 4 disconnect  ok after T ms  103 B",
      "Ts ← the adapter exited with 0",
    ]);
  });
});

/** What a program says that damages everything it can. */
const damaged = Buffer.concat([
  Buffer.from("printed by somebody\n"),
  Buffer.from(createEncoder().encode({ seq: 1, type: "event", event: "initialized" })),
  Buffer.from('Content-Length: 5\r\n\r\n{"a":Content-Length: x\r\n\r\n'),
  Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d]),
  Buffer.from(createEncoder().encode({ seq: 2, type: "event", event: "terminated" })),
  Buffer.from("Content-Length: 2147483647\r\n\r\n{"),
]);

test("what is wrong is said while the session goes on, under the message", () => {
  const said = [
    { seq: 1, type: "event", event: "stopped", body: { reason: "pause", threadId: "1" } },
    { seq: 2, type: "event", event: "exited", body: { exitCode: 4294967295 } },
    { seq: 2, type: "response", request_seq: 9, success: true, command: "\u001b[31m" },
  ].map((each) => Buffer.from(createEncoder().encode(each as never)).toString());
  const code = `process.stdout.write(${JSON.stringify(said.join(""))})`;
  const read = (...args: readonly string[]): readonly string[] =>
    tap([...args, ...program(code)])
      .stderr.trim()
      .split("\n")
      .filter((line) => line.startsWith("     "))
      .filter((line) => /^ +(error|warning) /.test(line))
      .map((line) => line.trim().split(":")[0]!);
  const found = [
    "error schema.issue event stopped /body/threadId",
    "warning opening.early event stopped",
    "warning schema.deviation event exited /body/exitCode",
    "warning opening.early event exited",
    "warning number.order response 9 \\u001b[31m /seq",
    "error response.unmatched response 9 \\u001b[31m /request_seq",
    "error initialized.missing event stopped",
  ];
  assert.deepEqual(read(), found);
  assert.deepEqual(
    read("--host", "visual-studio").filter((line) => line.includes("VS-G7")),
    ["error VS-G7 event exited /body/exitCode"],
  );
  assert.deepEqual(read("--no-lint"), []);
});

test("bytes that are no messages go through, are told of, and the status of the program is ours", async () => {
  await withFolder((folder) => {
    const out = join(folder, "session.jsonl");
    const code = `const b = Buffer.from("${damaged.toString("base64")}", "base64");
      let at = 0;
      const next = () => at < b.length ? process.stdout.write(b.subarray(at, at += 7), () => setTimeout(next)) : process.exit(7);
      next();`;
    const { status, stdout, stderr } = tap(["--out", out, ...program(code)]);
    assert.deepEqual(stdout, damaged);
    assert.equal(status, 7);
    const [, ...lines] = readRecording(out);
    assert.deepEqual(
      lines
        .filter(({ from }) => from === "adapter")
        .map(({ kind, code: fault, message, how }) => fault ?? message?.["event"] ?? how ?? kind),
      [
        ...["noise", "initialized", "ERR_JSON", "ERR_LENGTH_INVALID", "noise", "terminated"],
        ...["ERR_BODY_TOO_LONG", "noise", "exited with 7"],
      ],
    );
    assert.ok(
      !stderr.includes("\u001b"),
      "no control character of the program reaches the terminal",
    );
  });
});

test("what the client says reaches the program byte for byte, however it is cut", async () => {
  await withFolder((folder) => {
    const received = join(folder, "received.bin");
    const code = `const { createWriteStream } = require("node:fs");
      process.stdin.pipe(createWriteStream(${JSON.stringify(received)}));`;
    const { status, stderr } = tap(["--quiet", ...program(code)], damaged);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.deepEqual(readFileSync(received), damaged);
  });
});

test("much goes through while nobody reads, and no more is kept than has to be", async () => {
  // The program says how much it got rid of. Nobody reads it: the tap must not read on either.
  const code = `const { Readable } = require("node:stream");
    const frame = Buffer.from(${JSON.stringify(`Content-Length: 60000\r\n\r\n{"a":"`)} + "x".repeat(59992) + '"}');
    let left = 2000;
    Readable.from((function* () { while (left-- > 0) { process.stderr.write("."); yield frame; } })()).pipe(process.stdout);`;
  const child: ChildProcess = spawn(process.execPath, [cli, "tap", "--quiet", ...program(code)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let sent = 0;
  child.stderr!.on("data", (chunk: Buffer) => (sent += chunk.length));
  // It has come to rest when nothing more was sent for a while.
  for (let before = -1; sent === 0 || before !== sent;) {
    before = sent;
    await sleep(300);
  }
  assert.ok(sent < 400, `${sent} of 2000 frames were taken`);
  let length = 0;
  for await (const chunk of child.stdout!) length += (chunk as Buffer).length;
  assert.equal(length, 2_000 * 60_025);
  child.stdin!.end();
});

test("a session goes on when nobody reads what is said of it", async () => {
  const frame = Buffer.from(
    createEncoder().encode({ seq: 1, type: "event", event: "output", body: { output: "x" } }),
  );
  const code = `let left = 400;
    const next = () => left-- > 0 && process.stdout.write(${JSON.stringify(frame.toString())}, () => setTimeout(next, 1));
    next();`;
  const child = spawn(process.execPath, [cli, "tap", ...program(code)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stderr.destroy();
  const over = new Promise<number | null>((resolve) => child.on("exit", resolve));
  let length = 0;
  for await (const chunk of child.stdout) length += (chunk as Buffer).length;
  assert.deepEqual([length, await over], [400 * frame.length, 0]);
});

test("a program that is killed, or cannot be started, is told as shells do", () => {
  const { status, stderr } = tap(program(`process.kill(process.pid, "SIGKILL")`));
  assert.equal(status, 137);
  assert.match(stderr, /← the adapter was ended by SIGKILL/);
  const missing = tap(["--", "/no/such/program"]);
  assert.deepEqual(
    [missing.status, missing.stderr],
    [2, 'Cannot start "/no/such/program": spawn /no/such/program ENOENT [ERR_ARGUMENT]\n'],
  );
});

test("over sockets, each client has a session of its own", async (context) => {
  const server = createServer((socket) => {
    connect("adapter", nodeTransport(socket, socket), {
      handlers: { threads: () => ({ threads: [] }) },
    });
  });
  context.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await withFolder(async (folder) => {
    const out = join(folder, "session.jsonl");
    const child = spawn(
      process.execPath,
      [cli, "tap", "--out", out, "--listen", "0", "--connect", `127.0.0.1:${port}`],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const over = new Promise<number | null>((resolve) => child.on("exit", resolve));
    let shown = "";
    const listening = new Promise<number>((resolve) =>
      child.stderr.on("data", (chunk: Buffer) => {
        shown += chunk.toString();
        const found = /listening on 127\.0\.0\.1:(\d+)/.exec(shown);
        if (found !== null) resolve(Number(found[1]));
      }),
    );
    const tapped = await listening;
    for (let count = 0; count < 2; count++) {
      const client = connect("client", await connectTcp(tapped));
      assert.deepEqual(await client.request("threads"), { threads: [] });
      await client.close();
    }
    // Both sides of both sessions have ended.
    await until(() => readFileSync(out, "utf8").split('"kind":"end"').length === 5);
    child.kill("SIGINT");
    assert.equal(await over, 0);
    const said = readRecording(out)
      .slice(1)
      .map(({ session, from, kind }) => [session, from, kind].join(" "));
    const session = (number: number): readonly string[] => [
      `${number} client message`,
      `${number} adapter message`,
      `${number} client end`,
      `${number} adapter end`,
    ];
    assert.deepEqual(said.sort(), [...session(1), ...session(2)].sort());
    assert.match(shown, /#2 +\d+\.\d+s ← response 1 threads {2}ok after/);
  });
});

test("calls that make no sense end with 2, a sentence and the hint", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "file.txt": "" });
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [
        [],
        /^Cannot tell what to stand in front of: give a command or --connect \[ERR_ARGUMENT\]\n {2}wirewright tap -- COMMAND/,
      ],
      [["--connect", "1", "--", "x"], /^Cannot tell what to stand in front of/],
      [
        ["--listen", "x", "--connect", "1"],
        /^Cannot use --listen "x" \[ERR_ARGUMENT\]\n {2}Give a port/,
      ],
      [
        ["--listen", "0", "--connect", "abc"],
        /^Cannot use --connect "abc" \[ERR_ARGUMENT\]\n {2}Give a port/,
      ],
      [["--connect", "127.0.0.1:1"], /^Cannot connect to 127\.0\.0\.1:1: connect ECONNREFUSED/],
      [["--protocol", "dop", "--", "x"], /Did you mean "dap"\?/],
      [["--out", join(folder, "file.txt/x"), "--", "x"], /^.*Cannot write the recording: ENOTDIR/],
    ];
    for (const [args, message] of cases) {
      const { status, stderr } = tap(args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    }
    assert.match(
      tap(["--help"]).stdout.toString(),
      /^Usage: wirewright tap \[options\] -- COMMAND/,
    );
  });
});

test("protocols that are not JSON are shown, too", () => {
  const recording = fromRoot("test/fixtures/recordings/ruby-debug-ide/counter");
  const commands = [
    ...["break  counter.rb:7", "info break", "start", "where", "thread list", "var local"],
    ...["eval  total", "pp  names", "help", "load  missing.rb", "delete  1", "quit"],
  ];
  const file = "/home/u/größe/counter.rb";
  const elements = [
    `breakpointAdded  breakpoint 1, ${file}:7`,
    "breakpoints  breakpoints 1",
    `breakpoint  ${file}, line 7, thread 1`,
    `frames  frames 2, ${file}, line 7`,
    "threads  threads 1",
    "variables  variables 0",
    'eval  total, "<é>"',
    String.raw`#text  "[\"a\",\n"`,
    String.raw`#text  " \"b\"]\n"`,
    "message  Unknown command: help",
    String.raw`error  "INTERNAL ERROR!!! cannot load such file\n"`,
    'error  ""',
    "breakpointDeleted  breakpoint 1",
    "message  finished",
  ];
  const said = readFileSync(`${recording}.s2c.bin`);
  const code = `process.stdin.on("end", () => process.stdout.end(Buffer.from("${said.toString("base64")}", "base64"))).resume()`;
  const { stdout, stderr } = tap(
    ["--protocol", "ruby-debug-ide", ...program(code)],
    readFileSync(`${recording}.c2s.bin`),
  );
  assert.deepEqual(stdout, said);
  assert.deepEqual(
    stderr
      .trim()
      .split("\n")
      .map((line) => line.replace(/^ *\S+ /, "").replace(/ {2}\d+ B$/, "")),
    [
      ...commands.map((name) => `→ request ${name}`),
      "→ the frontend closed",
      ...elements.map((name) => `← element ${name}`),
      "← the debugger exited with 0",
    ],
  );
});
