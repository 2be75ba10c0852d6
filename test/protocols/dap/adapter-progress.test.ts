import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineAdapter } from "@wirewright/dap/adapter";
import { request } from "../../support/scripted-connection.js";
import { open, initialize, answer } from "../../support/opened-adapter.js";
import { event } from "../../support/scripted-adapter.js";

describe("progress", () => {
  const ids: string[] = [];
  const adapter = defineAdapter({
    handlers: {
      async launch(_, { progress }) {
        const loading = progress("Loading", { cancellable: true, percentage: -5 });
        ids.push(loading.id);
        loading.update("half", 50);
        await new Promise((resolve) => loading.signal.addEventListener("abort", resolve));
        loading.update(undefined, 200);
      },
    },
  });
  const supported = initialize({ supportsProgressReporting: true });
  const progressId = "progress-1";
  const start = { title: "Loading", requestId: 2, cancellable: true, percentage: 0 };

  test("progress is shown, can be cancelled by its id, and ends before the response", async () => {
    const { say } = open(adapter);
    await say(supported);
    ids.length = 0;
    assert.deepEqual(await say(request(2, "launch", {})), [
      event("progressStart", { progressId, ...start }),
      event("progressUpdate", { progressId, message: "half", percentage: 50 }),
    ]);
    assert.deepEqual(ids, [progressId]);
    assert.deepEqual(await say(request(3, "cancel", { progressId })), [
      answer(3, "cancel"),
      event("progressUpdate", { progressId, percentage: 100 }),
      event("progressEnd", { progressId }),
      answer(2, "launch"),
    ]);
  });

  test("progress is cancelled along with its request", async () => {
    const { say } = open(adapter);
    await say(supported, request(2, "launch", {}));
    const written = await say(request(3, "cancel", { requestId: 2 }));
    assert.deepEqual(written.at(-1), {
      type: "response",
      request_seq: 2,
      command: "launch",
      success: false,
      message: "cancelled",
      body: {},
    });
    assert.deepEqual(written.at(-2), event("progressEnd", { progressId }));
  });

  test("progress is not shown to a client that does not support it", async () => {
    const { say } = open(adapter);
    await say(initialize());
    assert.deepEqual(await say(request(2, "launch", {})), []);
    const written = await say(request(3, "cancel", { progressId }));
    assert.deepEqual(written, [answer(3, "cancel"), answer(2, "launch")]);
  });

  test("progress can be shown without a request", async () => {
    const { say, connection, transport } = open(adapter);
    await say(supported);
    const indexing = connection.progress("Indexing", { message: "a" });
    indexing.end("done");
    indexing.end("again");
    indexing.update("late");
    assert.deepEqual(
      transport.written.slice(2).map(({ event, body }) => [event, body]),
      [
        ["progressStart", { progressId, title: "Indexing", message: "a" }],
        ["progressEnd", { progressId, message: "done" }],
      ],
    );
  });
});
