import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { spawnAdapter, tcpTransport } from "@wirewright/dap/node";
import { attach, launch, type DebugSession, type StartOptions } from "@wirewright/dap/session";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { until } from "../../support/scripted-connection.js";

const mux = fromRoot("build/examples/mux.js");
const timeoutMs = 30_000;

/** Starts the leader, and returns a function with which others join. */
async function lead(
  adapter: readonly string[],
  options: Omit<StartOptions<"launch">, "timeoutMs">,
): Promise<{ leader: DebugSession; join: (more?: object) => Promise<DebugSession> }> {
  let errors = "";
  const spawned = await spawnAdapter(process.execPath, [mux, "0", ...adapter], {
    timeoutMs,
    process: { stdio: ["pipe", "pipe", "pipe"] },
  });
  spawned.process.stderr!.on("data", (chunk: Buffer) => (errors += String(chunk)));
  const leader = await launch(spawned, { ...options, timeoutMs });
  await until(() => /on port \d+/.test(errors));
  const port = Number(/on port (\d+)/.exec(errors)![1]);
  return {
    leader,
    join: async (more = {}) =>
      attach(await tcpTransport(port), { arguments: {}, timeoutMs, ...more }),
  };
}

async function lineOf(session: DebugSession): Promise<unknown> {
  const { frames } = await session.snapshot({ timeoutMs });
  return [frames[0]?.name, frames[0]?.line];
}

test("clients that join late follow the leader's session, and cannot change it", () =>
  withFolder(async (folder) => {
    writeFiles(folder, { "text.txt": "first\nsecond\nthird\nfourth\n" });
    const program = join(folder, "text.txt");
    const adapter = [process.execPath, fromRoot("build/examples/text-adapter.js")];
    const { leader, join: joinSession } = await lead(adapter, {
      arguments: { program },
      breakpoints: { [program]: [2, 4] },
    });
    await leader.waitForStop({ timeoutMs });

    const viewer = await joinSession({ breakpoints: { [program]: [2, 3] } });
    assert.deepEqual(viewer.breakpoints.of(program), [
      { verified: true, line: 2 },
      { verified: false, message: "Only the leading client sets breakpoints" },
    ]);
    const stop = await viewer.waitForStop({ timeoutMs });
    assert.deepEqual([stop.kind, stop.reason], ["stopped", "breakpoint"]);
    assert.equal(viewer.output.text(), "first\n");
    assert.deepEqual(await lineOf(viewer), ["text", 2]);
    for (const refused of [
      () => viewer.next({ timeoutMs }),
      () => viewer.continue({ timeoutMs }),
      () => viewer.request("pause", { threadId: 1 }),
      () => viewer.request("evaluate", { expression: "1" }),
    ])
      await assert.rejects(refused, {
        code: "ERR_REQUEST_FAILED",
        message: /^This client may only read: "\w+" is up to the leading client$/,
      });
    // The positions of a client that counts from 0 are converted.
    const other = await joinSession({ initialize: { linesStartAt1: false } });
    await other.waitForStop({ timeoutMs });
    assert.deepEqual(await lineOf(other), ["text", 1]);
    await other.disconnect();

    await leader.continue({ timeoutMs });
    await until(
      () => viewer.output.text() === "first\nsecond\nthird\n" && viewer.stop !== undefined,
    );
    assert.deepEqual(
      [await lineOf(viewer), await lineOf(leader)],
      [
        ["text", 4],
        ["text", 4],
      ],
    );
    await leader.continue({ timeoutMs });
    const end = await viewer.waitForEnd({ timeoutMs });
    assert.equal(end.reason, "terminated");
    // Even a client that joins after the end receives the output.
    const last = await joinSession();
    assert.equal((await last.waitForEnd({ timeoutMs })).reason, "terminated");
    assert.equal(last.output.text(), "first\nsecond\nthird\nfourth\n");
    await leader.terminate();
    // The session has ended, so the others' connections end as well.
    await Promise.all([viewer.connection.closed, last.connection.closed]);
  }));

test(
  "two clients follow a Python program that a third one debugs",
  { skip: skipWithoutDebugpy },
  () =>
    withFolder(async (folder) => {
      writeFiles(folder, {
        "program.py": "def add(a):\n    b = a + 1\n    return b\nprint('begin')\nprint(add(41))\n",
      });
      const program = join(folder, "program.py");
      const { leader, join: joinSession } = await lead([python!, "-m", "debugpy.adapter"], {
        arguments: { program, python: [python], console: "internalConsole" },
        breakpoints: { [program]: [2] },
      });
      await leader.waitForStop({ timeoutMs });
      const viewers = await Promise.all([joinSession(), joinSession()]);
      for (const viewer of viewers) {
        await viewer.waitForStop({ timeoutMs });
        const [frame] = (await viewer.snapshot({ timeoutMs })).frames;
        const { name, value } = frame!.scopes[0]!.variables[0]!;
        assert.deepEqual([frame?.name, frame?.line, name, value], ["add", 2, "a", "41"]);
        assert.equal(viewer.output.text("stdout"), "begin\n");
      }
      await leader.next({ timeoutMs });
      for (const viewer of viewers) {
        await until(() => viewer.stop?.reason === "step");
        assert.deepEqual(await lineOf(viewer), ["add", 3]);
      }
      await leader.continue({ timeoutMs });
      for (const viewer of viewers) {
        await viewer.waitForEnd({ timeoutMs });
        assert.equal(viewer.output.text("stdout"), "begin\n42\n");
      }
      await leader.terminate();
    }),
);

test("the multiplexer prints its usage if no adapter is given", () => {
  for (const args of [[], ["4711"], ["python3", "-m", "debugpy.adapter"]]) {
    const { status, stderr } = spawnSync(process.execPath, [mux, ...args], { encoding: "utf8" });
    assert.deepEqual([status, stderr], [2, "usage: mux PORT ADAPTER [ARGUMENT...]\n"]);
  }
});
