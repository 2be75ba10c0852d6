import assert from "node:assert/strict";
import { connect as connectAcp } from "@wirewright/acp-breakpoints/connection";
import {
  response,
  scripted,
  ScriptedTransport,
  turn,
  type Fields,
} from "../scripted-connection.js";
import type { ConnectionCase } from "./case.js";
import { activeTimers } from "./limits.js";

/**
 * Cases covering requests that are aborted or time out, and the cancel requests that this causes.
 */
export const cancelCases: readonly ConnectionCase[] = [
  {
    name: "a silent peer gets one cancel request for each abandoned request",
    async run() {
      const before = activeTimers();
      const { connection, transport } = await cancelling({ timeoutMs: 2 });
      const asked = Array.from({ length: 10 }, () => connection.request("threads"));
      for (const promise of asked) await assert.rejects(promise, { code: "ERR_TIMEOUT" });
      for (let count = 0; count < 5; count++) await turn();
      assert.deepEqual(
        transport.written.slice(10).map((each) => [each["command"], each["arguments"]]),
        Array.from({ length: 10 }, (_, index) => ["cancel", { requestId: index + 2 }]),
      );
      assert.deepEqual([connection.pending, activeTimers()], [0, before]);
    },
  },
  {
    name: "twenty thousand aborts while the peer is silent, before it finally answers",
    async run() {
      const { connection, transport, codes } = await cancelling();
      const controller = new AbortController();
      const { signal } = controller;
      const asked = Array.from({ length: 20_000 }, () =>
        connection.request("threads", undefined, { signal }),
      );
      assert.equal(connection.pending, 20_000);
      controller.abort();
      assert.equal(connection.pending, 0);
      const settled = await Promise.allSettled(asked);
      assert.ok(settled.every(({ status }) => status === "rejected"));
      assert.equal(transport.written.length, 40_000);
      const cancels = transport.written.slice(-1_000).map(({ seq }) => response(seq));
      await transport.say(...cancels);
      assert.deepEqual(codes(), []);
      await transport.say(cancels[0]!);
      assert.deepEqual(codes(), ["ERR_RESPONSE_DOUBLE"]);
    },
  },
  {
    name: "a cancel request sent by the program itself is not cancelled",
    async run() {
      const { connection, transport } = await cancelling();
      const asked = connection.request("cancel", { requestId: 1 }, { timeoutMs: 1 });
      await assert.rejects(asked, { code: "ERR_TIMEOUT" });
      assert.deepEqual(
        transport.written.map(({ command }) => command),
        ["cancel"],
      );
    },
  },
  {
    name: "a cancel request that cannot be sent",
    async run() {
      const { connection, transport, codes, problems } = await cancelling({
        middleware: [
          {
            beforeSend: (message) => {
              if ((message as Fields)["command"] === "cancel") throw new Error("oops");
              return message;
            },
          },
        ],
      });
      const controller = new AbortController();
      const asked = connection.request("threads", undefined, { signal: controller.signal });
      controller.abort();
      await assert.rejects(asked, { name: "AbortError" });
      assert.deepEqual(
        problems.map(({ code, message }) => [code, message]),
        [["ERR_MIDDLEWARE", 'Cannot cancel "threads": oops']],
      );
      assert.equal(transport.written.length, 1);
      await transport.say(response(2));
      assert.deepEqual(codes(), ["ERR_MIDDLEWARE", "ERR_RESPONSE_LATE"]);
    },
  },
  {
    name: "a cancel request that a middleware holds back",
    async run() {
      const { connection, transport, codes } = await cancelling({
        middleware: [
          {
            beforeSend: (message) => ((message as Fields)["command"] === "cancel" ? null : message),
          },
        ],
      });
      const asked = connection.request("threads", undefined, { timeoutMs: 1 });
      await assert.rejects(asked, { code: "ERR_TIMEOUT" });
      assert.deepEqual(
        transport.written.map(({ command }) => command),
        ["threads"],
      );
      // The peer does not know that the request was abandoned, so its response is reported as late.
      await transport.say(response(transport.written[0]!["seq"]));
      assert.deepEqual(codes(), ["ERR_RESPONSE_LATE"]);
    },
  },
  {
    name: "a cancellation that is an event and does not pass the check",
    async run() {
      const transport = new ScriptedTransport();
      const codes: string[] = [];
      const client = connectAcp("client", transport, {
        onProblem: ({ code }) => void codes.push(code),
        checkOutgoing: "strict",
        middleware: [
          {
            beforeSend: (message) =>
              (message as Fields)["method"] === "$/cancel_request"
                ? { ...message, params: {} }
                : message,
          },
        ],
      });
      const asked = client.requestCustom("mine", {}, { timeoutMs: 1 });
      await assert.rejects(asked, { code: "ERR_TIMEOUT" });
      assert.deepEqual(codes, ["ERR_MIDDLEWARE"]);
    },
  },
  {
    name: "responses after an abort",
    async run() {
      const untold = scripted("client");
      const told = await cancelling();
      for (const { connection, transport, codes } of [untold, told]) {
        const controller = new AbortController();
        const { signal } = controller;
        const asked = connection.request("threads", undefined, { signal });
        controller.abort();
        await assert.rejects(asked, { name: "AbortError" });
        const number = transport.written[0]!["seq"] as number;
        await transport.say(response(number), response(number), response(99));
        assert.deepEqual(
          codes(),
          transport === untold.transport
            ? ["ERR_RESPONSE_LATE", "ERR_RESPONSE_LATE", "ERR_RESPONSE_UNSOLICITED"]
            : ["ERR_RESPONSE_DOUBLE", "ERR_RESPONSE_UNSOLICITED"],
        );
      }
    },
  },
];

const announced = { body: { supportsCancelRequest: true } };

/** Connects a client to an adapter that supports cancellation. */
async function cancelling(
  options: Parameters<typeof scripted<"client">>[1] = {},
): Promise<ReturnType<typeof scripted<"client">>> {
  const all = scripted("client", options);
  const initialized = all.connection.request("initialize", { adapterID: "a" });
  await all.transport.say(response(1, announced));
  await initialized;
  all.transport.written.length = 0;
  return all;
}
