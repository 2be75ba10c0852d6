import assert from "node:assert/strict";
import { test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { fromRoot } from "../../support/paths.js";

test("the official library's client debugs a program with our adapter", async () => {
  const client = new DebugClient(process.execPath, fromRoot("build/examples/adapter.js"), "count");
  client.defaultTimeout = 20_000;
  await client.start();
  try {
    // Start waiting for the event before sending the request, because the library does not keep
    // events.
    const initialized = client.waitForEvent("initialized");
    const { body: capabilities } = await client.initializeRequest();
    assert.deepEqual(capabilities, {
      supportsConfigurationDoneRequest: true,
      supportsEvaluateForHovers: true,
      supportsCancelRequest: true,
    });
    await initialized;
    const launched = client.launchRequest({} as never);
    const set = await client.setBreakpointsRequest({
      source: { path: "/program" },
      breakpoints: [{ line: 2 }, { line: 9 }],
    });
    assert.deepEqual(
      set.body.breakpoints.map(({ verified }) => verified),
      [true, false],
    );
    const stopped = client.waitForEvent("stopped");
    await Promise.all([client.configurationDoneRequest(), launched]);
    assert.equal((await stopped).body.reason, "breakpoint");
    const { body: stack } = await client.stackTraceRequest({ threadId: 1 });
    assert.deepEqual(
      stack.stackFrames.map(({ name, line }) => [name, line]),
      [["zählen", 2]],
    );
    const evaluated = await client.evaluateRequest({ expression: "total" });
    assert.equal(evaluated.body.result, "10");
    await assert.rejects(
      client.evaluateRequest({ expression: "nonsense" }),
      /There is no nonsense/,
    );
    await assert.rejects(client.send("vendor/unknown"), /unknown request: vendor\/unknown/);
    const slow = client.evaluateRequest({ expression: "sleep" });
    const cancelled = assert.rejects(slow, /cancelled/);
    await client.send("cancel", {
      requestId: (client as unknown as { sequence: number }).sequence - 1,
    });
    await cancelled;
    const stepped = client.waitForEvent("stopped");
    await client.nextRequest({ threadId: 1 });
    assert.equal((await stepped).body.reason, "step");
    const [output] = await Promise.all([
      client.waitForEvent("output"),
      client.waitForEvent("terminated"),
      client.continueRequest({ threadId: 1 }),
    ]);
    assert.equal(output.body.output, "Σ = 100 😀\n");
  } finally {
    // stop() sends disconnect. A second disconnect would wait forever, because requests in the
    // library outlive their connection.
    await client.stop();
  }
});
