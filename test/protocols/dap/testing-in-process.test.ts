import assert from "node:assert/strict";
import { test } from "node:test";
import { defineAdapter } from "@wirewright/dap/adapter";
import { launch } from "@wirewright/dap/session";
import {
  inProcess,
  recordGolden,
  scriptAdapter,
  testClient,
  withFaults,
} from "@wirewright/dap/testing";

const adapter = defineAdapter({
  session: () => ({ line: 1 }),
  handlers: {
    launch(_, { connection, configured }) {
      void configured.then(() => connection.notify("stopped", { reason: "entry", threadId: 1 }));
    },
    stackTrace: (_, { session: { line } }) => ({
      stackFrames: [{ id: 1, name: "main", line, column: 1 }],
    }),
    next(_, { session, connection }) {
      session.line++;
      void connection.notify("stopped", { reason: "step", threadId: 1 });
    },
  },
});

test("inProcess() opens an adapter without starting a process", async () => {
  for (let round = 0; round < 2; round++) {
    await using client = testClient(inProcess(adapter));
    await client.launch({ arguments: {} });
    await client.assertStoppedAt({ line: 1, reason: "entry" });
    await client.session.next();
    await client.assertStoppedAt({ line: 2, reason: "step" });
  }
});

test("withFaults() works with an in-process adapter, and stop() shuts the adapter down", async () => {
  const lost = withFaults(inProcess(adapter), [{ do: "drop", name: "stopped", number: 1 }]);
  const client = testClient(lost, { signal: AbortSignal.timeout(100) });
  await client.launch({ arguments: {} });
  await assert.rejects(client.assertStoppedAt({ line: 1 }), /the program to stop was aborted/);
  await client.stop();
  const dying = testClient(withFaults(inProcess(adapter), [{ do: "die", name: "launch" }]));
  await assert.rejects(dying.launch({ arguments: {} }), /Cannot launch/);
  await dying.stop();
  await dying.stop();
});

test("recordGolden() writes the same recording twice for an in-process adapter", async () => {
  const record = async (): Promise<string> => {
    const recorder = recordGolden();
    const connection = { middleware: [recorder.middleware] };
    const client = testClient(inProcess(adapter), { connection });
    await client.launch({ arguments: {} });
    await client.assertStoppedAt({ line: 1, reason: "entry" });
    await client.stop();
    return recorder.text;
  };
  const text = await record();
  assert.match(text, /"event":"stopped"/);
  assert.equal(await record(), text);
});

test("scriptAdapter() can reproduce an adapter's mistakes", async () => {
  const adapter = scriptAdapter({
    initialize(request, own) {
      own.event("initialized"); // A mistake: the `initialized` event must not precede the response.
      own.answer(request, {});
      own.send({ seq: 1, type: "event", event: "output", body: { output: 7 } });
    },
    setExceptionBreakpoints: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return {};
    },
    threads: (request, own) => own.refuse(request, "no threads", { error: { id: 1, format: "" } }),
  });
  const session = await launch(adapter, { arguments: {}, breakpoints: { "/a.c": [2] } });
  assert.deepEqual(session.breakpoints.of("/a.c"), [{ id: 1, verified: true, line: 2 }]);
  await assert.rejects(session.request("threads"), { message: "no threads" });
  assert.deepEqual(
    adapter.received.map(({ command }) => command),
    ["initialize", "launch", "setBreakpoints", "setExceptionBreakpoints", "threads"],
  );
  assert.equal((await session.disconnect()).reason, "closed");
});
