import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createEncoder } from "@wirewright/dap";
import { connect } from "@wirewright/dap/connection";
import { tcpTransport, nodeTransport } from "@wirewright/dap/node";
import { withFolder, writeFiles } from "../../support/compile.js";
import { until } from "../../support/scripted-connection.js";
import { readRecording, tap, program } from "../../support/run-tap.js";
import { cli } from "../../support/run-command.js";

test("tap forwards a lot of data to a slow reader and buffers no more than necessary", async () => {
  // The program prints a dot for each frame. As long as nobody reads tap's output, tap must stop
  // reading, too.
  const code = `const { Readable } = require("node:stream");
    const frame = Buffer.from(${JSON.stringify(`Content-Length: 60000\r\n\r\n{"a":"`)} + "x".repeat(59992) + '"}');
    let left = 2000;
    Readable.from((function* () { while (left-- > 0) { process.stderr.write("."); yield frame; } })()).pipe(process.stdout);`;
  const child: ChildProcess = spawn(process.execPath, [cli, "tap", "--quiet", ...program(code)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let sent = 0;
  child.stderr!.on("data", (chunk: Buffer) => (sent += chunk.length));
  // If the program has written nothing for a while, it is waiting.
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

test("a session continues even if nobody reads its display", async () => {
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

test("tap exits with status 137 if the program is killed, and with 2 if it cannot be started", () => {
  const { status, stderr } = tap(program(`process.kill(process.pid, "SIGKILL")`));
  assert.equal(status, 137);
  assert.match(stderr, /← the adapter was ended by SIGKILL/);
  const missing = tap(["--", "/no/such/program"]);
  assert.deepEqual(
    [missing.status, missing.stderr],
    [2, 'Cannot start "/no/such/program": there is no such file [ERR_ARGUMENT]\n'],
  );
});

test("the error about a missing adapter lists installed programs with similar names", () =>
  withFolder((folder) => {
    writeFileSync(join(folder, "lldb-dap-19"), "", { mode: 0o755 });
    const { status, stderr } = spawnSync(process.execPath, [cli, "tap", "--", "lldb-dap"], {
      encoding: "utf8",
      env: { PATH: folder },
    });
    const reason = "there is no such program in PATH. lldb-dap-19 is installed";
    assert.deepEqual([status, stderr], [2, `Cannot start "lldb-dap": ${reason} [ERR_ARGUMENT]\n`]);
  }));

test("each client that connects to the socket gets its own session", async (context) => {
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
      const client = connect("client", await tcpTransport(tapped));
      assert.deepEqual(await client.request("threads"), { threads: [] });
      await client.close();
    }
    // Both sides of both sessions have ended.
    await until(() => readFileSync(out, "utf8").split('"kind":"end"').length === 5);
    child.kill("SIGINT");
    assert.equal(await over, 0);
    const messages = readRecording(out)
      .slice(1)
      .map(({ session, from, kind }) => [session, from, kind].join(" "));
    const session = (number: number): readonly string[] => [
      `${number} client message`,
      `${number} adapter message`,
      `${number} client end`,
      `${number} adapter end`,
    ];
    assert.deepEqual(messages.sort(), [...session(1), ...session(2)].sort());
    assert.match(shown, /#2 +\d+\.\d+s ← response 1 threads {2}ok after/);
  });
});

test("tap exits with status 2, an error and a hint if arguments are invalid", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "file.txt": "" });
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [
        [],
        /^Cannot start: no server is given \[ERR_ARGUMENT\]\n {2}Call wirewright tap -- COMMAND/,
      ],
      [["--connect", "1", "--", "x"], /^Cannot start: two servers are given/],
      [
        ["--listen", "x", "--connect", "1"],
        /^Cannot use --listen "x" \[ERR_ARGUMENT\]\n {2}Give a port/,
      ],
      [
        ["--listen", "0", "--connect", "abc"],
        /^Cannot use --connect "abc" \[ERR_ARGUMENT\]\n {2}Give a port/,
      ],
      [["--connect", "127.0.0.1:1"], /^Cannot connect to 127\.0\.0\.1:1: nothing listens there/],
      [["--protocol", "dop", "--", "x"], /Did you mean "dap"\?/],
      [
        ["--out", join(folder, "file.txt/x"), "--", "x"],
        /^.*Cannot write the recording: a part of its path is a file/,
      ],
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
