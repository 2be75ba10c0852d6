/** Runs sessions with third-party adapters as processes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tcpTransport, spawnAdapter, terminalProcesses } from "@wirewright/dap/node";
import { launch, type ChildRequest, type DebugSession } from "@wirewright/dap/session";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";

/** As of version 1.8, debugpy asks the client to start child sessions. */
const version = /^1\.(\d+)/.exec(
  String(python && spawnSync(python, ["-m", "debugpy", "--version"]).stdout),
)?.[1];
const skipChildren =
  skipWithoutDebugpy === false && Number(version) < 8 ? "needs debugpy 1.8" : skipWithoutDebugpy;
const settings = { timeoutMs: 30_000 };

async function lineOf(session: DebugSession): Promise<number | undefined> {
  return (await session.snapshot()).frames[0]?.line;
}

test("a session debugs with an adapter that uses the official library", async () => {
  const adapter = fromRoot("build/test/fixtures/official-adapter.js");
  for (let round = 0; round < 2; round++) {
    const spawned = await spawnAdapter(process.execPath, [adapter], settings);
    const session = await launch(spawned, {
      arguments: {},
      breakpoints: { "/a.txt": [{ line: 7, condition: "line == 7" }] },
    });
    const stop = await session.waitForStop();
    assert.equal(stop.kind === "stopped" && stop.reason, "breakpoint");
    assert.equal((await session.waitForOutput(/F.*\n/))[0], "Füße 😀\n");
    const { frames } = await session.snapshot();
    assert.deepEqual(frames[0]!.scopes, [
      {
        name: "Locals",
        variablesReference: 1000,
        variables: [{ name: "a", value: "é", variablesReference: 0 }],
      },
    ]);
    await session.next();
    assert.equal(await lineOf(session), 8);
    assert.equal((await session.terminate()).reason, "closed");
    assert.notEqual(spawned.process.exitCode ?? spawned.process.signalCode, null);
  }
});

test("a session debugs an entire program with debugpy", { skip: skipWithoutDebugpy }, async () => {
  await withFolder(async (folder) => {
    const program = join(folder, "program.py");
    writeFileSync(
      program,
      "def f(n):\n    items = list(range(n))\n    return sum(items)\n\nprint(f(300))\n",
    );
    const session = await launch(() => spawnAdapter(python!, ["-m", "debugpy.adapter"], settings), {
      arguments: { program, python: [python], console: "internalConsole" },
      breakpoints: { [program]: [3] },
    });
    assert.deepEqual(
      session.breakpoints.of(program).map(({ verified, line }) => [verified, line]),
      [[true, 3]],
    );
    const stop = await session.waitForStop();
    assert.equal(stop.kind === "stopped" && stop.reason, "breakpoint");
    assert.equal(await lineOf(session), 3);
    const { frames } = await session.snapshot({ items: 50 });
    const names = frames[0]!.scopes[0]!.variables.map(({ name }) => name);
    assert.deepEqual([names.includes("items"), names.includes("n")], [true, true]);
    assert.ok(JSON.stringify(frames).includes('"reason":"items"'));
    assert.equal((await session.stepOut()).kind, "stopped");
    const again = await session.restart();
    assert.equal((await again.waitForStop()).kind, "stopped");
    const end = await again.continue();
    assert.equal(end.kind, "ended");
    await again.waitForOutput("44850");
    assert.equal(again.exitCode ?? 0, 0);
    await again.disconnect();
  });
});

test(
  "a session debugs a child process in a terminal with debugpy",
  { skip: skipChildren },
  async () => {
    await withFolder(async (folder) => {
      const [parent, child] = [join(folder, "parent.py"), join(folder, "child.py")];
      writeFileSync(child, "x = 1\ny = x + 1\n");
      writeFileSync(
        parent,
        `import subprocess, sys\nsubprocess.run([sys.executable, ${JSON.stringify(child)}])\nz = 3\n`,
      );
      const failures: unknown[] = [];
      const run = terminalProcesses({ stdio: "ignore" });
      let terminals = 0;
      const session = await launch(
        await spawnAdapter(python!, ["-m", "debugpy.adapter"], settings),
        {
          arguments: {
            program: parent,
            python: [python],
            console: "integratedTerminal",
            subProcess: true,
          },
          breakpoints: { [child]: [2], [parent]: [3] },
          connection: settings,
          connectChild: ({ configuration }: ChildRequest) => {
            const { host, port } = configuration["connect"] as { host: string; port: number };
            return tcpTransport(port, { host });
          },
          onChildFailure: (error) => void failures.push(error),
          runInTerminal: (parameters, own) => {
            terminals++;
            return run(parameters, own);
          },
        },
      );
      const stop = await session.waitForStop();
      assert.ok(stop.kind === "stopped", JSON.stringify(failures));
      assert.equal(stop.session.parent, session);
      assert.equal(await lineOf(stop.session), 2);
      assert.equal(terminals, 1);
      assert.equal((await stop.session.continue()).kind, "ended");
      const next = await session.waitForStop();
      assert.equal(next.kind === "stopped" && next.session, session);
      assert.equal(await lineOf(session), 3);
      await session.terminate();
      assert.deepEqual([session.children, failures], [[], []]);
    });
  },
);
