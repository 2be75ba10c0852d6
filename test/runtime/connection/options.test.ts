import assert from "node:assert/strict";
import { test } from "node:test";
import {
  connect,
  inlineTransports,
  Refusal,
  RequestError,
  type Transport,
} from "@wirewright/dap/connection";

const unused: Transport = { read: () => undefined, write: () => undefined, close: () => undefined };

test("a connection refuses unknown roles, transports and options", () => {
  const cases: readonly (readonly [
    side: string,
    transport: object,
    options: object,
    text: RegExp,
  ])[] = [
    ["clinet", unused, {}, /"side" must be one of "client", "adapter" \(did you mean "client"\?\)/],
    [
      "client",
      {},
      {},
      /^TypeError: connect: a transport must have the functions read, write and close/,
    ],
    ["client", unused, { timeout: 5 }, /unknown option "timeout"\. Did you mean "timeoutMs"\?/],
    [
      "client",
      unused,
      { unannounced: "refused" },
      /"unannounced" must be one of "refuse", "warn", "send"/,
    ],
    ["client", unused, { limits: { maxBodyByte: 1 } }, /did you mean "maxBodyBytes"\?/],
  ];
  for (const [side, transport, options, text] of cases)
    assert.throws(() => connect(side as "client", transport as Transport, options), text);
});

test("a second handler is refused until the first one is removed", async () => {
  const [near, far] = inlineTransports();
  const client = connect("client", near);
  const adapter = connect("adapter", far);
  const remove = adapter.handle("threads", () => ({ threads: [] }));
  assert.throws(
    () => adapter.handle("threads", () => ({ threads: [{ id: 1, name: "other" }] })),
    /^TypeError: Cannot handle "threads": it already has a handler/,
  );
  assert.deepEqual(await client.request("threads"), { threads: [] });
  remove();
  adapter.handle("threads", () => ({ threads: [{ id: 1, name: "other" }] }));
  assert.deepEqual(await client.request("threads"), { threads: [{ id: 1, name: "other" }] });
  await client.close();
});

test("events() yields incoming events, and ends with the connection or the signal", async () => {
  const [near, far] = inlineTransports();
  const client = connect("client", near);
  const adapter = connect("adapter", far);
  const controller = new AbortController();
  const all = client.events("output");
  const some = client.events("output", { signal: controller.signal });
  for (const output of ["a", "b"]) adapter.notify("output", { output });
  assert.deepEqual(await some.next(), { done: false, value: { output: "a" } });
  assert.deepEqual(await some.next(), { done: false, value: { output: "b" } });
  const next = some.next();
  controller.abort(new Error("enough"));
  await assert.rejects(next, /^Error: enough$/);
  assert.deepEqual(await some.next(), { done: true, value: undefined });
  await adapter.close();
  const seen: string[] = [];
  for await (const { output } of all) seen.push(output);
  assert.deepEqual(seen, ["a", "b"]);
});

test("a listener is removed when its signal is aborted", async () => {
  const [near, far] = inlineTransports();
  const client = connect("client", near);
  const adapter = connect("adapter", far);
  const controller = new AbortController();
  const seen: string[] = [];
  client.on("output", ({ output }) => void seen.push(output), { signal: controller.signal });
  adapter.notify("output", { output: "a" });
  await client.once("output");
  controller.abort();
  adapter.notify("output", { output: "b" });
  await client.once("output");
  assert.deepEqual(seen, ["a"]);
  await client.close();
});

test("requestCustom() checks its result with the given validator and requires no capability", async () => {
  const [near, far] = inlineTransports();
  const client = connect("client", near, { unannounced: "refuse" });
  const adapter = connect("adapter", far);
  adapter.handleCustom("vendor/count", () => ({ count: 5 }));
  adapter.handle("stepBack", () => undefined);
  const result = (value: unknown) =>
    typeof value === "number"
      ? ({ ok: true, value, deviations: [] } as const)
      : ({ ok: false, issues: [] } as const);
  await assert.rejects(client.requestCustom("vendor/count", {}, { result }), (error: unknown) => {
    assert.ok(error instanceof RequestError);
    assert.deepEqual([error.code, error.command], ["ERR_RESULT", "vendor/count"]);
    return true;
  });
  assert.deepEqual(await client.requestCustom("vendor/count"), { count: 5 });
  await assert.rejects(client.request("stepBack", { threadId: 1 }), {
    code: "ERR_REQUEST_NOT_ANNOUNCED",
  });
  assert.equal(await client.requestCustom("stepBack", { threadId: 1 }), undefined);
  await client.close();
});

test("a Refusal sends its error and fields, and keeps its cause", async () => {
  const [near, far] = inlineTransports();
  const client = connect("client", near);
  const cause = new Error("the disk is full");
  connect("adapter", far, {
    handlers: {
      evaluate: () => {
        throw new Refusal("Cannot read {name}", {
          error: { id: 7, variables: { name: "x" } },
          cause,
        });
      },
      threads: () => {
        throw new Refusal("no", { error: { showUser: true } });
      },
      scopes: () => {
        throw new Refusal("no scopes", { error: { id: 8, format: "no {what}" } });
      },
    },
  });
  const responseOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.catch(({ message, response }: RequestError) => [
      message,
      response?.message,
      response?.body,
    ]);
  assert.deepEqual(await responseOf(client.request("evaluate", { expression: "x" })), [
    "Cannot read x",
    "Cannot read x",
    { error: { id: 7, format: "Cannot read {name}", variables: { name: "x" } } },
  ]);
  assert.deepEqual(await responseOf(client.request("threads")), [
    "no",
    "no",
    { error: { id: 2, format: "{text}", variables: { text: "no" }, showUser: true } },
  ]);
  // A failure with its own format does not get the default format's variables.
  assert.deepEqual(await responseOf(client.request("scopes", { frameId: 1 })), [
    "no {what}",
    "no scopes",
    { error: { id: 8, format: "no {what}" } },
  ]);
  assert.throws(() => new Refusal("no", { body: {} } as object), /unknown option "body"/);
  await client.close();
});
