import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, response as answer, scriptedClient } from "../../support/scripted-connection.js";

test("events reach all listeners, even if one throws", async () => {
  const unhandled: object[] = [];
  const { client, say, problems } = scriptedClient({
    onUnhandled: (message) => unhandled.push(message),
  });
  const heard: unknown[] = [];
  client.on("output", () => {
    throw new Error("oops");
  });
  const off = client.on("output", ({ output }, { event }) => void heard.push(output, event));
  client.onCustom("vendor/heat", (body) => void heard.push(body));
  const stopped = client.once("stopped");
  const terminated = failure(client.once("terminated", { timeoutMs: 5 }));
  const event = (name: string, body: object): object => ({
    seq: 0,
    type: "event",
    event: name,
    body,
  });
  await say(
    event("output", { output: "é" }),
    event("vendor/heat", { celsius: 1 }),
    event("stopped", { reason: "step" }),
    event("thread", { reason: "started", threadId: 1 }),
  );
  off();
  await say(event("output", { output: "again" }));
  assert.deepEqual(heard, ["é", "output", { celsius: 1 }]);
  assert.deepEqual(await stopped, { reason: "step" });
  assert.equal(await terminated, 'ERR_TIMEOUT: Timed out after 5 ms waiting for "terminated"');
  assert.deepEqual(unhandled, [event("thread", { reason: "started", threadId: 1 })]);
  assert.deepEqual(problems, ["ERR_EVENT_HANDLER", "ERR_EVENT_HANDLER"]);
});

test("pending calls reject when the adapter exits, even in mid-response", async () => {
  const { client, raw, end, problems } = scriptedClient();
  const asked = failure(client.request("threads"));
  const awaited = failure(client.once("stopped"));
  await raw('Content-Length: 90\r\n\r\n{"seq":1,"type":"respo');
  end();
  const closed =
    "the connection is closed, having received no message, only 44 bytes: " +
    'Content-Length: 90\\r\\n\\r\\n{"seq":1,"type":"respo';
  assert.equal(await asked, `ERR_CONNECTION_CLOSED: Cannot get a response to "threads": ${closed}`);
  assert.equal(await awaited, `ERR_CONNECTION_CLOSED: Cannot wait for "stopped": ${closed}`);
  await client.closed;
  assert.equal(client.isClosed, true);
  assert.equal(
    await failure(client.request("threads")),
    `ERR_CONNECTION_CLOSED: Cannot get a response to "threads": ${closed}`,
  );
  assert.deepEqual(problems, ["ERR_TRUNCATED"]);
});

test("noise, damaged frames and bodies that are not messages do not end the connection", async () => {
  const { client, raw, say, problems } = scriptedClient();
  const asked = client.request("threads");
  await raw("printed by somebody\n");
  await raw("Content-Length: 3\r\n\r\n[1]Content-Length: x\r\n\r\n");
  await say(answer(1, { body: { threads: [] } }));
  assert.deepEqual(await asked, { threads: [] });
  assert.deepEqual(problems, ["ERR_NOISE", "ERR_NOT_OBJECT", "ERR_LENGTH_INVALID"]);
});

test("a connection applies its limits and its handling of invalid UTF-8", async () => {
  const small = scriptedClient({ limits: { maxBodyBytes: 100 } });
  await small.say({ seq: 0, type: "event", event: "output", body: { output: "x".repeat(100) } });
  assert.deepEqual(small.problems, ["ERR_BODY_TOO_LONG"]);
  const latin = (text: string): Buffer => Buffer.from(text, "latin1");
  const heard: unknown[] = [];
  const body = '{"seq":0,"type":"event","event":"output","body":{"output":"\u00e9"}}';
  for (const invalidUtf8 of ["error", "replace", undefined] as const) {
    const { client, raw, problems } = scriptedClient(
      invalidUtf8 === undefined ? {} : { invalidUtf8 },
    );
    client.on("output", ({ output }) => void heard.push(output));
    await raw(latin(`Content-Length: ${body.length}\r\n\r\n${body}`) as never);
    assert.deepEqual(problems, invalidUtf8 === "error" ? ["ERR_UTF8"] : []);
  }
  assert.deepEqual(heard, ["\ufffd", "\ufffd"]);
});

test("an event whose last listener was removed goes to onUnhandled", async () => {
  const unhandled: object[] = [];
  const { client, say } = scriptedClient({ onUnhandled: (message) => unhandled.push(message) });
  const event = { seq: 0, type: "event", event: "output", body: { output: "x" } };
  const off = client.on("output", () => undefined);
  await say(event);
  off();
  await say(event);
  assert.deepEqual(unhandled, [event]);
});

test("middleware sees messages and bytes, and can change or drop messages", async () => {
  const log: string[] = [];
  const { client, written, say } = scriptedClient({
    middleware: [
      {
        beforeSend: (message) =>
          (message as { command?: string }).command === "pause" ? null : { ...message, mark: 1 },
        afterSend: (message, bytes) =>
          void log.push(`> ${Object.keys(message).length} ${bytes.length}`),
        afterReceive: (message, bytes) => {
          log.push(`< ${Buffer.from(bytes).toString().slice(0, 18)}`);
          return (message as { event?: string }).event === "output" ? null : message;
        },
      },
    ],
  });
  const heard: unknown[] = [];
  client.on("output", () => void heard.push("output"));
  void client.request("pause", { threadId: 1 }).catch(() => undefined);
  const asked = client.request("threads");
  await say({ seq: 0, type: "event", event: "output", body: { output: "x" } }, answer(2));
  await asked;
  assert.deepEqual(written, [{ seq: 2, type: "request", command: "threads", mark: 1 }]);
  assert.deepEqual(heard, []);
  assert.deepEqual(log, ["> 4 77", "< Content-Length: 63", "< Content-Length: 71"]);
});
