/** Tests the test client and golden recordings with adapters that run as processes. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tcpTransport, spawnAdapter } from "@wirewright/dap/node";
import type { AdapterTarget } from "@wirewright/dap/session";
import {
  recordGolden,
  replay,
  SessionAssertionError,
  testClient,
  withFaults,
  type GoldenOptions,
} from "@wirewright/dap/testing";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { readMessagesOf, recordedSessions } from "../../support/recorded-sessions.js";
import { startServer } from "../../support/adapter-server.js";
import { cli } from "../../support/run-command.js";

const officialAdapter = fromRoot("build/test/fixtures/official-adapter.js");
const exampleAdapter = fromRoot("build/examples/adapter.js");

test("testClient() tests an adapter that uses the official library", async ({ signal }) => {
  for (let round = 0; round < 2; round++) {
    const client = testClient(await spawnAdapter(process.execPath, [officialAdapter]), { signal });
    await client.hitBreakpoint(
      { path: "/a.txt", line: 7, condition: "line == 7" },
      { arguments: {}, expected: { name: "größe" } },
    );
    await client.assertOutput("Füße 😀", { category: "stdout" });
    await client.session.next();
    await client.assertStoppedAt({ path: "/a.txt", line: 8, reason: "step" });
    await client.stop();
  }
});

test("the message of a failed assertion contains the last lines of the adapter's error output", async () => {
  const program = `console.error("starting"); console.error("no license"); setTimeout(() => process.exit(3), 50)`;
  const client = testClient(
    await spawnAdapter(process.execPath, ["--eval", program], {
      process: { stdio: ["pipe", "pipe", "pipe"] },
    }),
  );
  await assert.rejects(client.launch({ arguments: {} }), (error: unknown) => {
    assert.ok(error instanceof SessionAssertionError);
    assert.match(error.message, /^Cannot launch: .*exit code 3/);
    assert.match(error.message, /Adapter error output:\n {2}starting\n {2}no license$/);
    return true;
  });
});

test("testClient() tests our adapter over standard streams and over TCP", async ({ signal }) => {
  const server = await startServer(exampleAdapter);
  for (const target of [
    () => spawnAdapter(process.execPath, [exampleAdapter]),
    () => tcpTransport(server.port),
  ])
    for (let round = 0; round < 2; round++) {
      const client = testClient(target, { signal });
      await client.hitBreakpoint(
        { path: "/program", line: 2 },
        { arguments: {}, expected: { path: undefined } },
      );
      await client.session.continue();
      await client.assertOutput(/Σ = (\d+)/);
      await client.assertEnded(0);
      await client.stop();
    }
  await server.stop();
});

/** Debugs a program with debugpy and records the session. */
async function debugPython(folder: string, options: GoldenOptions): Promise<string> {
  const program = join(folder, "program.py");
  writeFileSync(program, "def f(n):\n    x = n + 1\n    return x\n\nprint(f(41))\n");
  const recorder = recordGolden(options);
  const target = await spawnAdapter(python!, ["-m", "debugpy.adapter"], {
    middleware: [recorder.middleware],
  });
  const client = testClient(target, { signal: AbortSignal.timeout(60_000) });
  const parameters = { program, python: [python], console: "internalConsole" };
  await client.hitBreakpoint(
    { path: program, line: 3 },
    { arguments: parameters, expected: { name: "f" } },
  );
  const { frames } = await client.session.snapshot();
  assert.equal(frames[0]!.scopes[0]!.variables.find(({ name }) => name === "x")?.value, "42");
  await client.session.continue();
  await client.assertOutput("42");
  await client.assertEnded(0);
  await client.stop();
  return recorder.text;
}

test(
  "recordGolden() writes the same debugpy recording in every run",
  { skip: skipWithoutDebugpy },
  async () => {
    /** Events that debugpy sends at unpredictable times or with machine-dependent values. */
    const noise = ["module", "process", "thread", "continued", "terminated"];
    const texts: string[] = [];
    for (let run = 0; run < 2; run++)
      await withFolder(async (folder) => {
        const skipped = (message: { readonly [field: string]: unknown }): boolean =>
          /^debugpy/.test(String(message["event"])) ||
          noise.includes(String(message["event"])) ||
          (message["event"] === "output" && JSON.stringify(message).includes("telemetry"));
        texts.push(await debugPython(folder, { paths: { [folder]: "/work" }, skip: skipped }));
      });
    assert.equal(texts[0], texts[1]);
    assert.doesNotMatch(texts[0]!, /wirewright-test-|0x[0-9a-f]{9,}/);
    const client = testClient(replay(texts[0]!));
    await client.hitBreakpoint(
      { path: "/work/program.py", line: 3 },
      { arguments: {}, expected: { name: "f" } },
    );
    await client.session.continue();
    await client.assertOutput("42");
    await client.assertEnded(0);
    await client.stop();
  },
);

test("recordGolden() writes the same recording of our adapter twice, and replay() can play it", async ({
  signal,
}) => {
  const record = async (): Promise<string> => {
    const recorder = recordGolden();
    const target = await spawnAdapter(process.execPath, [exampleAdapter], {
      middleware: [recorder.middleware],
    });
    const client = testClient(target, { signal });
    await client.hitBreakpoint(
      { path: "/program", line: 2 },
      { arguments: {}, expected: { path: undefined } },
    );
    await client.session.snapshot();
    await client.session.continue();
    await client.assertEnded(0);
    await client.stop();
    return recorder.text;
  };
  const text = await record();
  assert.equal(await record(), text);
  const client = testClient(replay(text), { signal });
  await client.hitBreakpoint(
    { path: "/program", line: 2 },
    { arguments: {}, expected: { path: undefined } },
  );
  const { frames } = await client.session.snapshot();
  assert.deepEqual(frames[0]!.scopes[0]!.variables[0]!.value, "10");
  await client.session.continue();
  await client.assertEnded(0);
  await client.stop();
});

test("withFaults() can make an adapter lose a message or die", async () => {
  const client = testClient(
    withFaults(replayOfExample(), [{ do: "drop", kind: "event", name: "stopped" }]),
    { signal: AbortSignal.timeout(300) },
  );
  await assert.rejects(client.hitBreakpoint({ path: "/program", line: 2 }, { arguments: {} }), {
    message: /^Waiting for the program to stop was aborted\nEvents:\n {2}initialized$/,
  });
  await client.stop();
  const other = testClient(withFaults(replayOfExample(), [{ do: "die", name: "stopped" }]));
  await assert.rejects(other.hitBreakpoint({ path: "/program", line: 2 }, { arguments: {} }), {
    message:
      /^Cannot launch: .*the connection is closed: The adapter died\nEvents:\n {2}initialized$/,
  });
  await other.stop();
});

function replayOfExample(): ReturnType<typeof replay> {
  const session = recordedSessions.find(({ name }) => name === "example-adapter")!;
  return replay(readMessagesOf(session));
}

test("replay() plays recordings written by tap and --log", async () => {
  await withFolder(async (folder) => {
    const [program, log, tapped] = ["text.txt", "log.jsonl", "tap.jsonl"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(program, "one\ntwo\nthree\n");
    const debug = async (target: AdapterTarget): Promise<void> => {
      const client = testClient(target, { signal: AbortSignal.timeout(30_000) });
      await client.hitBreakpoint(
        { path: program, line: 2 },
        { arguments: { program }, expected: { name: "text" } },
      );
      await client.session.continue();
      await client.assertOutput("three");
      await client.assertEnded();
      await client.stop();
    };
    const tap = [cli, "tap", "--quiet", "--out", tapped, "--"];
    const adapter = [process.execPath, fromRoot("build/examples/text-adapter.js"), `--log=${log}`];
    await debug(await spawnAdapter(process.execPath, [...tap, ...adapter]));
    for (const file of [log, tapped]) await debug(replay(readFileSync(file, "utf8")));
  });
});
