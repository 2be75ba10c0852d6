import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal, type RequestError } from "@wirewright/dap/connection";
import {
  failure,
  response as answer,
  scriptedClient,
  turns,
} from "../../support/scripted-connection.js";
import { dapRequest } from "../../support/dap-messages.js";

test("responses are matched to requests by id alone, in any order", async () => {
  const { client, written, say, problems } = scriptedClient();
  const threads = client.request("threads");
  const next = client.request("next", { threadId: 3 });
  assert.deepEqual(written, [
    { seq: 1, type: "request", command: "threads" },
    { seq: 2, type: "request", command: "next", arguments: { threadId: 3 } },
  ]);
  await say(answer(2, { command: "other" }), answer(1, { body: { threads: [] } }));
  assert.deepEqual([await threads, await next], [{ threads: [] }, undefined]);
  assert.equal(client.pending, 0);
  assert.deepEqual(problems, []);
});

test("a failure response becomes a single error with the best available text", async () => {
  const { client, say } = scriptedClient({ checkIncoming: "off" });
  const cases: readonly (readonly [object, string])[] = [
    [
      {
        message: "short",
        body: { error: { id: 1, format: "No {name} in {place} {}", variables: { name: "x" } } },
      },
      "No x in {place} {}",
    ],
    [{ message: "short", body: { error: { id: 1, format: 'a {"json": 1}' } } }, 'a {"json": 1}'],
    [{ message: "short", body: {} }, "short"],
    [{ body: { error: { id: 1, format: "No {name}", variables: null } } }, "No {name}"],
    [{ body: { error: { id: 1, format: "No {name}", variables: "name" } } }, "No {name}"],
    [{ message: "no {x}", body: { error: { id: 1, variables: { x: "x" } } } }, "no {x}"],
    [{ body: null }, 'The request "threads" failed'],
    [{ message: "", body: { error: { id: 1, format: "" } } }, 'The request "threads" failed'],
  ];
  for (const [index, [fields, text]] of cases.entries()) {
    const asked = client.request("threads");
    asked.catch(() => undefined);
    const response = answer(index + 1, { success: false, ...fields });
    await say(response);
    await assert.rejects(asked, (error: RequestError) => {
      assert.deepEqual(
        [error.code, error.command, error.message, error.response],
        ["ERR_REQUEST_FAILED", "threads", text, response],
      );
      return true;
    });
  }
});

test("duplicate, late and unsolicited responses are only reported as problems", async () => {
  const { client, say, problems } = scriptedClient();
  const asked = client.request("threads");
  await say(answer(9), answer(1), answer(1));
  await asked;
  const late = client.request("threads", undefined, { timeoutMs: 10 });
  assert.equal(
    await failure(late),
    'ERR_TIMEOUT: Timed out after 10 ms waiting for the response to "threads"',
  );
  await say(answer(2), { type: "odd" }, { seq: 1, type: "event", event: "terminated" });
  assert.deepEqual(problems, [
    "ERR_RESPONSE_UNSOLICITED",
    "ERR_RESPONSE_DOUBLE",
    "ERR_RESPONSE_LATE",
    "ERR_MESSAGE_KIND",
  ]);
});

test("an aborted signal rejects its request, and cancel is sent if the adapter supports it", async () => {
  const { client, written, say, problems } = scriptedClient();
  const controller = new AbortController();
  const asked = client.request("evaluate", { expression: "a" }, { signal: controller.signal });
  controller.abort();
  const { signal } = controller;
  const isReason = (error: unknown): boolean => error === signal.reason;
  await assert.rejects(asked, isReason);
  await assert.rejects(client.request("threads", undefined, { signal }), isReason);
  await say(answer(1));
  assert.deepEqual(
    written.map(({ command }) => command),
    ["evaluate"],
  );
  assert.deepEqual(problems.splice(0), ["ERR_RESPONSE_LATE"]);

  const initialized = client.request("initialize", { adapterID: "a" });
  await say(answer(2, { body: { supportsCancelRequest: true } }));
  await initialized;
  const again = new AbortController();
  const other = client.request("evaluate", { expression: "b" }, { signal: again.signal });
  again.abort();
  await failure(other);
  await say(answer(3, { success: false, message: "cancelled" }), answer(4));
  assert.deepEqual(written.at(-1), {
    seq: 4,
    type: "request",
    command: "cancel",
    arguments: { requestId: 3 },
  });
  assert.deepEqual(problems, []);
});

test('depending on "unannounced", requests whose capability was not announced are sent, reported or refused', async () => {
  const capabilities = { supportsStepBack: true };
  const outcome = async (unannounced: "send" | "warn" | "refuse"): Promise<unknown> => {
    const { client, say, problems, written } = scriptedClient({ unannounced });
    const initialized = client.request("initialize", { adapterID: "a" });
    await say(answer(1, { body: capabilities }));
    await initialized;
    assert.deepEqual(client.capabilities, capabilities);
    void client.request("stepBack", { threadId: 1 }).catch(() => undefined);
    const refused = failure(client.request("goto", { threadId: 1, targetId: 1 }));
    await turns();
    await say({
      seq: 0,
      type: "event",
      event: "capabilities",
      body: { capabilities: { supportsGotoTargetsRequest: true } },
    });
    void client.request("goto", { threadId: 1, targetId: 1 }).catch(() => undefined);
    await turns();
    const sent = written.map(({ command }) => command);
    await client.close();
    return [sent, problems, (await refused).slice(0, 60)];
  };
  const closed = 'ERR_CONNECTION_CLOSED: Cannot get a response to "goto": the connection';
  assert.deepEqual(await outcome("send"), [
    ["initialize", "stepBack", "goto", "goto"],
    [],
    closed.slice(0, 60),
  ]);
  assert.deepEqual(await outcome("warn"), [
    ["initialize", "stepBack", "goto", "goto"],
    ["ERR_NOT_ANNOUNCED"],
    closed.slice(0, 60),
  ]);
  assert.deepEqual(await outcome("refuse"), [
    ["initialize", "stepBack", "goto"],
    [],
    'ERR_REQUEST_NOT_ANNOUNCED goto: Cannot send "goto": the adapter has not announced it'.slice(
      0,
      60,
    ),
  ]);
});

test("every incoming request gets exactly one response, whatever its handler does", async () => {
  const { say, written, problems } = scriptedClient({
    handlers: {
      runInTerminal: ({ cwd }) => {
        if (cwd === "/throw") throw new Error("no terminal {here}");
        if (cwd === "/refuse")
          throw new Refusal("short", {
            error: { id: 9, format: "long" },
            fields: { message: "notStopped" },
          });
        if (cwd === "/unwritable") return { processId: 1n as never };
        return { processId: 5 };
      },
    },
  });
  const run = (seq: number, cwd: string): object =>
    dapRequest(seq, "runInTerminal", { args: [], cwd });
  await say(
    run(7, "/"),
    run(8, "/throw"),
    run(9, "/refuse"),
    run(10, "/unwritable"),
    dapRequest(11, "startDebugging", {}),
    dapRequest(12, "mine"),
    dapRequest(12, "cancel", { requestId: 99 }),
  );
  const failed = (
    seq: number,
    request_seq: number,
    command: string,
    message: string,
    error: object,
  ): object => ({
    seq,
    type: "response",
    request_seq,
    command,
    success: false,
    message,
    body: { error },
  });
  const unknown = (name: string): object => ({
    id: 1,
    format: 'The {role} does not support the request "{name}"',
    variables: { name, role: "client" },
  });
  assert.deepEqual(written, [
    {
      seq: 1,
      type: "response",
      request_seq: 7,
      command: "runInTerminal",
      success: true,
      body: { processId: 5 },
    },
    failed(2, 8, "runInTerminal", "no terminal {here}", {
      id: 2,
      format: "{text}",
      variables: { text: "no terminal {here}" },
    }),
    failed(3, 9, "runInTerminal", "notStopped", {
      id: 9,
      format: "long",
    }),
    failed(5, 10, "runInTerminal", "Cannot send a BigInt, at /body/processId", {
      id: 2,
      format: "{text}",
      variables: { text: "Cannot send a BigInt, at /body/processId" },
    }),
    failed(6, 11, "startDebugging", "unknown request: startDebugging", unknown("startDebugging")),
    failed(7, 12, "mine", "unknown request: mine", unknown("mine")),
    { seq: 8, type: "response", request_seq: 12, command: "cancel", success: true },
  ]);
  assert.deepEqual(problems, ["ERR_REQUEST_HANDLER", "ERR_REQUEST_HANDLER"]);
});

test("a response without a result omits the result field", async () => {
  const sent: object[] = [];
  const { say } = scriptedClient({
    middleware: [{ beforeSend: (message) => (sent.push(message), message) }],
    handlers: { runInTerminal: () => undefined as never },
  });
  await say({
    seq: 3,
    type: "request",
    command: "runInTerminal",
    arguments: { args: [], cwd: "/" },
  });
  assert.deepEqual(sent, [
    { seq: 1, type: "response", request_seq: 3, command: "runInTerminal", success: true },
  ]);
});

test("a request that the protocol does not define reaches the handler for its name", async () => {
  const { client, say, written } = scriptedClient();
  client.handleCustom("vendor/heat", (parameters) => ({ celsius: parameters }));
  await say({ seq: 3, type: "request", command: "vendor/heat", arguments: { at: 1 } });
  assert.deepEqual(written, [
    {
      seq: 1,
      type: "response",
      request_seq: 3,
      command: "vendor/heat",
      success: true,
      body: { celsius: { at: 1 } },
    },
  ]);
});
