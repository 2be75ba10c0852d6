import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { spawnAdapter } from "@wirewright/dap/node";
import { testClient } from "@wirewright/dap/testing";
import { withFolder, writeFiles } from "../support/compile.js";
import { compilePage } from "../support/guide-programs.js";

/** A session in which the adapter uses a custom stop reason and the client makes a mistake. */
const recording = [
  { from: "client", message: { seq: 1, type: "request", command: "initialize", arguments: {} } },
  {
    from: "adapter",
    message: { seq: 1, type: "response", request_seq: 1, command: "initialize", success: true },
  },
  { from: "adapter", message: { seq: 2, type: "event", event: "initialized" } },
  {
    from: "client",
    message: { seq: 2, type: "request", command: "launch", arguments: { program: "a.txt" } },
  },
  {
    from: "adapter",
    message: { seq: 3, type: "response", request_seq: 2, command: "launch", success: true },
  },
  {
    from: "adapter",
    message: {
      seq: 4,
      type: "event",
      event: "stopped",
      body: { reason: "as recorded", threadId: 1 },
    },
  },
];

test(
  "the ten programs in docs/guides/programs.md compile, run, and have at most 15 lines",
  { timeout: 300_000 },
  async () => {
    await withFolder(async (folder) => {
      const { programs, complaints } = compilePage(folder, "docs/guides/programs.md");
      assert.equal(complaints, "");
      assert.deepEqual(
        Object.entries(programs).filter(([, text]) => text.trim().split("\n").length > 15),
        [],
      );
      writeFiles(join(folder, "out"), {
        "session.jsonl": recording.map((line) => `${JSON.stringify(line)}\n`).join(""),
      });
      const ran = new Set<string>();
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const run = (name: string, args: readonly string[] = [], input = "") => {
        ran.add(`${name}.ts`);
        return new Promise<unknown>((resolve) => {
          const child = execFile(
            process.execPath,
            [`${name}.js`, ...args],
            { cwd: join(folder, "out"), env, timeout: 60_000 },
            (error, stdout, stderr) => resolve([error?.code ?? 0, stdout, stderr]),
          );
          child.stdin!.end(input);
        });
      };

      assert.deepEqual(await run("client"), [0, "entry\nended\n", ""]);
      ran.add("adapter.ts");

      const event = { seq: 1, type: "event", event: "stopped", body: { threadId: 1 } };
      assert.deepEqual(await run("validate", [], JSON.stringify(event)), [
        0,
        "`/body/reason`: expected a string, received nothing\n",
        "",
      ]);
      const whole = JSON.stringify({ ...event, body: { reason: "step" } });
      assert.deepEqual(await run("validate", [], whole), [0, "a valid event\n", ""]);

      const server = createServer((socket) =>
        socket.end(`Content-Length: ${whole.length}\r\n\r\n${whole}`),
      ).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      assert.deepEqual(await run("tcp", [String((server.address() as AddressInfo).port)]), [
        0,
        "known event stopped\n",
        "",
      ]);
      server.close();

      assert.match(String(await run("lint")), /^0,error schema\.issue /);
      assert.match(String(await run("diff")), /^0,\w+ [^]*\nneeds a minor version\n,$/);
      assert.match(String(await run("generate")), /^0,\d\d+ files written\n,$/);
      assert.ok(existsSync(join(folder, "out/src/dap/package.json")));
      assert.deepEqual(await run("replay"), [0, "as recorded\n", ""]);
      assert.match(String(await run("adapter.test")), /^0,[^]*# pass 1\n[^]*,$/);

      ran.add("proxy.ts");
      const proxy = ["proxy.js", process.execPath, "adapter.js"];
      const client = testClient(
        await spawnAdapter(process.execPath, proxy, { process: { cwd: join(folder, "out") } }),
      );
      await client.launch({ arguments: {} });
      await client.assertStoppedAt({ reason: "entry" });
      await client.session.continue();
      await client.assertEnded();
      await client.stop();
      assert.deepEqual(ran, new Set(Object.keys(programs)));
    });
  },
);
