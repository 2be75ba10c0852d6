import assert from "node:assert/strict";
import { test } from "node:test";
import { protocol as dap } from "../generated/dap/index.js";
import { AnsweredRequest } from "../runtime/answered-request.js";
import { ConnectionCore } from "../runtime/connection.js";
import type { ConnectionSettings } from "../runtime/connection-settings.js";
import { RequestsAtWork } from "../runtime/requests-at-work.js";
import { request, ScriptedTransport, turn } from "./support/scripted-connection.js";

const { failures, announcements } = dap.conversation;

/** A protocol whose failures say what they are given, by all that its templates may hold. */
function connected(
  settings: ConnectionSettings,
  cancel?: { readonly message: string; readonly id: string },
): ScriptedTransport {
  const transport = new ScriptedTransport();
  const template = (what: string): object => ({
    message: what,
    body: { name: "$name", text: "$text", both: ["$name: $text", 1, null, "", { no: "$names" }] },
  });
  const conversation = {
    ...(cancel === undefined ? {} : { cancel }),
    failures: {
      ...failures,
      unknown: template("unknown") as never,
      failed: template("failed") as never,
      cancelled: template("cancelled") as never,
    },
    announcements,
  };
  new ConnectionCore(
    { protocol: { ...dap, conversation } as never, requests: {} },
    "adapter",
    transport,
    settings,
  );
  return transport;
}

const failed = (request_seq: number, command: string, message: string, text: string): object => ({
  type: "response",
  request_seq,
  command,
  success: false,
  message,
  body: {
    name: command,
    text,
    both: [`${command}: ${text}`, 1, null, "", { no: `${command}s` }],
  },
});
const unnumbered = (messages: readonly object[]): readonly object[] =>
  messages.map((message) => {
    const { seq: _, ...rest } = message as { seq?: unknown };
    return rest;
  });

test("the names and texts of failures stand where the protocol wants them", async () => {
  const transport = connected(
    {
      handlers: {
        fail: () => {
          throw new Error("no $name");
        },
        wait: (_parameters, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          ),
        stay: (_parameters, { signal }) =>
          new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      },
      maxAnswering: 2,
    },
    { message: "cancel", id: "requestId" },
  );
  await transport.say(
    request(1, "mine"),
    request(2, "fail"),
    request(3, "wait"),
    request(4, "stay"),
    request(5, "wait"),
    request(6, "cancel", { requestId: 5 }),
    request(7, "cancel", { requestId: 3 }),
    request(8, "cancel", { requestId: 4 }),
  );
  await turn();
  const done = (request_seq: number): object => ({
    ...{ type: "response", request_seq, command: "cancel", success: true },
  });
  assert.deepEqual(unnumbered(transport.written), [
    failed(1, "mine", "unknown", ""),
    failed(2, "fail", "failed", "no $name"),
    failed(5, "wait", "cancelled", "cancelled"),
    done(6),
    done(7),
    done(8),
    failed(3, "wait", "cancelled", "aborted"),
    failed(4, "stay", "cancelled", "cancelled"),
  ]);
});

test("where requests cannot be cancelled, a cancel is a request like others", async () => {
  const transport = connected({});
  await transport.say(request(1, "cancel", { requestId: 1 }), request(2, undefined));
  assert.deepEqual(unnumbered(transport.written), [
    failed(1, "cancel", "unknown", ""),
    failed(2, "undefined", "unknown", ""),
  ]);
});

test("a request that comes when there is room again is behind those that wait", () => {
  const answered: unknown[] = [];
  let isBacklogged = true;
  const atWork = new RequestsAtWork({
    maxAnswering: 10,
    maxQueuedBytes: 10_000,
    answer: ({ id }) => void answered.push(id),
    answerCancelled: () => undefined,
    refuse: () => undefined,
    isBacklogged: () => isBacklogged,
    onStalled: () => undefined,
  });
  const take = (id: number): void => atWork.take(new AnsweredRequest({}, "threads", id, 10), false);
  take(1);
  take(2);
  isBacklogged = false;
  take(3);
  assert.deepEqual(answered, []);
  atWork.pump();
  take(4);
  assert.deepEqual(answered, [1, 2, 3, 4]);
});
