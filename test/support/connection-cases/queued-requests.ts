import assert from "node:assert/strict";
import { connect as connectAcp } from "@wirewright/acp-breakpoints/connection";
import {
  request,
  response,
  scripted,
  ScriptedTransport,
  turn,
  until,
  type Fields,
} from "../scripted-connection.js";
import type { ConnectionCase } from "./case.js";
import { gatedHandlers, numbersOf, requests } from "./overload.js";

/**
 * Cases covering requests that wait for a handler: their order, how they are cancelled, and what
 * happens to them when the connection ends.
 */
export const queuedCases: readonly ConnectionCase[] = [
  {
    name: "one handler at a time that sends a request back, after a hundred thousand requests",
    async run() {
      const { transport, connection, codes } = scripted("adapter", {
        maxAnswering: 1,
        handlers: {
          launch: async () => {
            await connection.request("runInTerminal", { args: [], cwd: "/" });
          },
          threads: () => ({ threads: [] }),
        },
      });
      await transport.sayAll([
        request(100_001, "launch", {}),
        ...requests(100_000),
        response(1, { body: { processId: 1 } }),
      ]);
      await until(() => transport.written.length === 100_002);
      assert.deepEqual(transport.written[0]!["command"], "runInTerminal");
      assert.deepEqual(transport.written[1]!["request_seq"], 100_001);
      assert.ok(transport.written.slice(1).every(({ success }) => success === true));
      assert.deepEqual(codes(), []);
    },
  },
  {
    name: "a cancel request for a queued request whose refusal a middleware does not send",
    async run() {
      const { handler, waiting } = gatedHandlers();
      const { transport, codes } = scripted("adapter", {
        maxAnswering: 1,
        handlers: { threads: handler },
        middleware: [
          {
            beforeSend: (message) => {
              if ((message as Fields)["request_seq"] === 2) throw new Error("oops");
              return message;
            },
          },
        ],
      });
      await transport.say(...requests(2), request(3, "cancel", { requestId: 2 }));
      waiting.shift()!();
      await turn();
      assert.deepEqual(
        transport.written.map((each) => [each["request_seq"], each["success"]]),
        [
          [2, false],
          [3, true],
          [1, true],
        ],
      );
      assert.deepEqual([codes(), waiting], [["ERR_REQUEST_HANDLER"], []]);
    },
  },
  {
    name: "one handler at a time that waits for an event",
    async run() {
      const { transport, connection } = scripted("adapter", {
        maxAnswering: 1,
        handlers: {
          launch: () =>
            new Promise((resolve) => {
              const off = connection.onCustom("go", () => {
                off();
                resolve();
              });
            }),
          threads: () => ({ threads: [] }),
        },
      });
      await transport.say(request(1, "launch"), request(2, "threads"), {
        seq: 3,
        type: "event",
        event: "go",
      });
      await turn();
      assert.deepEqual(numbersOf(transport.written), [1, 2]);
    },
  },
  {
    name: "cancel requests for one running request and two queued ones",
    async run() {
      const cancelled: unknown[] = [];
      const { transport } = scripted("adapter", {
        maxAnswering: 1,
        handlers: {
          threads: (_, { signal }) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason as Error)),
            ),
          cancel: async (parameters) => void cancelled.push(parameters?.requestId),
        },
      });
      await transport.say(...requests(4));
      for (const requestId of [3, 1, 2, 9])
        await transport.say(request(10 + requestId, "cancel", { requestId }));
      await turn();
      assert.deepEqual(cancelled, [3, 1, 2, 9]);
      assert.deepEqual(
        transport.written
          .filter(({ command }) => command === "threads")
          .map((each) => [each["request_seq"], each["message"]]),
        [
          [3, "cancelled"],
          [1, "cancelled"],
          [2, "cancelled"],
        ],
      );
      assert.deepEqual(numbersOf(transport.written), [1, 2, 3, 11, 12, 13, 19]);
      await transport.say(request(20, "cancel", { requestId: 4 }));
      await turn();
      assert.deepEqual(
        transport.responsesTo(4).map(({ message }) => message),
        ["cancelled"],
      );
    },
  },
  {
    name: "a cancellation that is an event, with one handler at a time",
    async run() {
      const transport = new ScriptedTransport();
      const answers: Fields[] = [];
      transport.onWrite = (bytes) => void answers.push(JSON.parse(Buffer.from(bytes).toString()));
      connectAcp("agent", transport, {
        maxAnswering: 1,
        handlers: {
          "session/prompt": (_, { signal }) =>
            new Promise((resolve) =>
              signal.addEventListener("abort", () => resolve({ stopReason: "cancelled" })),
            ),
        },
      });
      const line = (message: object): string =>
        `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
      const prompt = (id: number): string =>
        line({ id, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
      const cancel = (requestId: number): string =>
        line({ method: "$/cancel_request", params: { requestId } });
      await transport.onBytes(Buffer.from(prompt(1) + prompt(2) + cancel(2) + cancel(1)));
      await turn();
      assert.deepEqual(answers, [
        { jsonrpc: "2.0", id: 2, error: { code: -32800, message: "cancelled" } },
        { jsonrpc: "2.0", id: 1, result: { stopReason: "cancelled" } },
      ]);
    },
  },
  {
    name: "handlers that respond immediately, and receive further requests as they do",
    async run() {
      let depth = 0;
      let deepest = 0;
      const { transport } = scripted("adapter", {
        maxAnswering: 1,
        handlers: {
          threads: () => {
            deepest = Math.max(deepest, ++depth);
            if (transport.written.length < 5) void transport.say(request(50, "threads"));
            depth--;
            return { threads: [] };
          },
        },
      });
      await transport.say(...requests(6));
      await turn();
      assert.equal(deepest, 1);
      assert.ok(transport.written.length >= 6);
      assert.ok(transport.written.every(({ success }) => success === true));
    },
  },
  {
    name: "requests that are queued when the connection is closed",
    async run() {
      let count = 0;
      const { transport, connection } = scripted("adapter", {
        maxAnswering: 1,
        handlers: {
          terminate: async () => {
            void connection.close();
          },
          threads: () => {
            count++;
            return { threads: [] };
          },
        },
      });
      await transport.say(request(1, "terminate"), request(2, "threads"));
      await connection.closed;
      assert.deepEqual([count, numbersOf(transport.written)], [0, [1]]);
    },
  },
];
