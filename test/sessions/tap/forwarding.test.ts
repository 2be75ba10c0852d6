import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createEncoder } from "@wirewright/dap";
import { spawnAdapter } from "@wirewright/dap/node";
import { withFolder } from "../../support/compile.js";
import { newestDap } from "../../support/dap-versions.js";
import { fromRoot } from "../../support/paths.js";
import { cli, readRecording, tap, program } from "../../support/run-tap.js";

const adapter = fromRoot("build/examples/adapter.js");

test("tap forwards a session unchanged, records it and shows it", async () => {
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
      { process: { stdio: ["pipe", "pipe", "pipe"] } },
    );
    child.stderr!.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    const ready = client.once("initialized");
    await client.request("initialize", { adapterID: "größe" });
    await ready;
    const launched = client.request("launch", {});
    await client.request("configurationDone");
    await launched;
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
        ["client", 189, "configurationDone"],
        ["adapter", 283, "configurationDone"],
        ["adapter", 393, "output"],
        ["adapter", 512, "exited"],
        ["adapter", 597, "terminated"],
        ["adapter", 664, "launch"],
        ["client", 267, "evaluate"],
        ["adapter", 763, "evaluate"],
        ["client", 368, "disconnect"],
        ["adapter", 975, "disconnect"],
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
      "Ts → request 3 configurationDone  78 B",
      "Ts ← response 3 configurationDone  ok after T ms  110 B",
      'Ts ← event output  stdout, "Σ = 100 😀\\n"  119 B',
      "Ts ← event exited  code 0  85 B",
      "Ts ← event terminated  67 B",
      "Ts ← response 2 launch  ok after T ms  99 B",
      "Ts → request 4 evaluate  no  101 B",
      'Ts ← response 4 evaluate  failed: "There is no no" after T ms  212 B',
      "Ts → request 5 disconnect  71 B",
      "Ts ← response 5 disconnect  ok after T ms  103 B",
      "Ts ← the adapter exited with 0",
    ]);
  });
});

/** The output of a program that damages its messages in every possible way. */
const damaged = Buffer.concat([
  Buffer.from("printed by somebody\n"),
  Buffer.from(createEncoder().encode({ seq: 1, type: "event", event: "initialized" })),
  Buffer.from('Content-Length: 5\r\n\r\n{"a":Content-Length: x\r\n\r\n'),
  Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d]),
  Buffer.from(createEncoder().encode({ seq: 2, type: "event", event: "terminated" })),
  Buffer.from("Content-Length: 2147483647\r\n\r\n{"),
]);

test("findings are shown below their message while the session continues", () => {
  const sent = [
    { seq: 1, type: "event", event: "stopped", body: { reason: "pause", threadId: "1" } },
    { seq: 2, type: "event", event: "exited", body: { exitCode: 4294967295 } },
    { seq: 2, type: "response", request_seq: 9, success: true, command: "\u001b[31m" },
  ].map((each) => Buffer.from(createEncoder().encode(each as never)).toString());
  const code = `process.stdout.write(${JSON.stringify(sent.join(""))})`;
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

test("bytes that are not messages are forwarded and reported, and tap exits with the program's status", async () => {
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
        "noise",
        "initialized",
        "ERR_JSON",
        "ERR_LENGTH_INVALID",
        "noise",
        "terminated",
        "ERR_BODY_TOO_LONG",
        "noise",
        "exited with 7",
      ],
    );
    assert.ok(
      !stderr.includes("\u001b"),
      "no control character of the program reaches the terminal",
    );
  });
});

test("tap forwards the client's bytes unchanged, however they are split", async () => {
  await withFolder((folder) => {
    const received = join(folder, "received.bin");
    const code = `const { createWriteStream } = require("node:fs");
      process.stdin.pipe(createWriteStream(${JSON.stringify(received)}));`;
    const { status, stderr } = tap(["--quiet", ...program(code)], damaged);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.deepEqual(readFileSync(received), damaged);
  });
});

test("tap shows sessions in protocols that do not use JSON", () => {
  const recording = fromRoot("test/fixtures/recordings/ruby-debug-ide/counter");
  const commands = [
    "break  counter.rb:7",
    "info break",
    "start",
    "where",
    "thread list",
    "var local",
    "eval  total",
    "pp  names",
    "help",
    "load  missing.rb",
    "delete  1",
    "quit",
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
  const sent = readFileSync(`${recording}.s2c.bin`);
  const code = `process.stdin.on("end", () => process.stdout.end(Buffer.from("${sent.toString("base64")}", "base64"))).resume()`;
  const { stdout, stderr } = tap(
    ["--protocol", "ruby-debug-ide", ...program(code)],
    readFileSync(`${recording}.c2s.bin`),
  );
  assert.deepEqual(stdout, sent);
  assert.deepEqual(
    stderr
      .trim()
      .split("\n")
      .map((line) => line.replace(/^ *\S+ /, "").replace(/ {2}\d+ B$/, "")),
    [
      ...commands.slice(0, -1).map((name) => `→ request ${name}`),
      // The client sends all commands before the first answer.
      "breakpoint.unknown request delete /arguments/breakpoints/0: Breakpoint 1 was never added",
      "→ request quit",
      "→ the frontend closed",
      ...elements.map((name) => `← element ${name}`),
      "← the debugger exited with 0",
    ],
  );
});
