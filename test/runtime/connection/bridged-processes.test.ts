import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bridge, connect, recordMessages } from "@wirewright/dap/connection";
import { spawnAdapter, spawnTransport } from "@wirewright/dap/node";
import { LintSession, openProtocol } from "../../../cli/index.js";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder } from "../../support/compile.js";
import { ScriptedTransport } from "../../support/scripted-connection.js";
import { pair } from "../../support/transport-ends.js";

const echo = "process.stdin.pipe(process.stdout)";

test("a bridge accepts the result of spawnTransport and refuses the result of spawnAdapter", async () => {
  const near = new ScriptedTransport();
  const spawned = await spawnTransport(process.execPath, ["-e", echo]);
  const own = bridge(near, spawned);
  const frame = { seq: 1, type: "request", command: "threads" };
  const arrived = new Promise<void>((resolve) => {
    near.onWrite = () => resolve();
  });
  void near.say(frame);
  await arrived;
  assert.deepEqual(near.written, [frame]);
  await own.close();
  assert.equal(await spawned.exited, 0);

  const used = await spawnAdapter(process.execPath, ["-e", echo]);
  const refusal =
    /^bridge: a connection already uses this transport\. Start the process with spawnTransport$/;
  assert.throws(() => bridge(new ScriptedTransport(), used as never), {
    name: "TypeError",
    message: refusal,
  });
  await used.connection.close();
});

test(
  "a bridged debugpy session causes no problems at the client",
  { skip: skipWithoutDebugpy },
  () =>
    withFolder(async (folder) => {
      const program = join(folder, "program.py");
      writeFileSync(program, "total = 1\nprint(total)\n");
      const lines: string[] = [];
      const spawned = await spawnTransport(python!, ["-m", "debugpy.adapter"]);
      const [near, far] = pair();
      const problems: string[] = [];
      const own = bridge(far, spawned, {
        middleware: [{ fromAdapter: (message) => message }],
        onProblem: ({ message }) => void problems.push(message),
      });
      const client = connect("client", near, {
        middleware: [recordMessages("client", (line) => void lines.push(line))],
      });
      const ready = client.once("initialized");
      await client.request("initialize", { adapterID: "debugpy", pathFormat: "path" });
      // After the bridge has sent a request of its own, it renumbers all messages.
      const { threads: early } = await own
        .request("adapter", "threads")
        .catch(() => ({ threads: [] }));
      assert.deepEqual(early, []);
      const launched = client.request("launch", {
        program,
        python: [python],
        console: "internalConsole",
      });
      await ready;
      const source = { path: program };
      await client.request("setBreakpoints", { source, breakpoints: [{ line: 2 }] });
      const stopped = client.once("stopped");
      await client.request("configurationDone");
      await launched;
      const { threadId } = await stopped;
      const { stackFrames } = await client.request("stackTrace", { threadId: threadId! });
      assert.equal(stackFrames[0]!.line, 2);
      const terminated = client.once("terminated");
      await client.request("continue", { threadId: threadId! });
      await terminated;
      await client.request("disconnect", {});
      await client.close();
      await own.closed;
      assert.deepEqual(problems, []);
      const errors: string[] = [];
      const lint = new LintSession(await openProtocol("dap"), {
        onFinding: ({ severity, rule, message }) =>
          void (severity === "error" && errors.push(`${rule} ${message}`)),
      });
      for (const line of lines) lint.push(JSON.parse(line) as never);
      lint.end();
      assert.deepEqual(errors, []);
      assert.ok(lint.messages > 15, String(lint.messages));
    }),
);
