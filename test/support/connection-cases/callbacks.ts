import assert from "node:assert/strict";
import { ConnectionClosedError, type ConnectOptions } from "@wirewright/dap/connection";
import { event, response, scripted, turn } from "../scripted-connection.js";
import type { ConnectionCase } from "./case.js";
import { oops } from "./middleware.js";

/** Callbacks that throw, reject, or return a thenable that rejects. */
const failing: readonly (readonly [name: string, act: () => any])[] = [
  ["throws", oops],
  ["rejects", async () => oops()],
  [
    "returns a thenable that rejects",
    () => ({ then: (_: unknown, fail: (e: unknown) => void) => fail(1) }),
  ],
];

const callbacks: readonly ConnectionCase[] = failing.flatMap(([name, act]) => [
  {
    name: `a listener that ${name}`,
    async run(): Promise<void> {
      const { transport, connection, codes } = scripted("client");
      let heard = 0;
      connection.on("initialized", act);
      connection.on("initialized", () => void heard++);
      await transport.say(event("initialized"), event("initialized"));
      await turn();
      assert.deepEqual([heard, codes()], [2, ["ERR_EVENT_HANDLER", "ERR_EVENT_HANDLER"]]);
    },
  },
  {
    name: `onUnhandled and onNoise that ${name.replace(/s\b/, "")}`,
    async run(): Promise<void> {
      const { transport, connection, codes } = scripted("client", {
        onUnhandled: act,
        onNoise: act,
      });
      const asked = connection.request("threads");
      await transport.onBytes(Buffer.from("printed\n"));
      await transport.say(event("initialized"), response(1));
      await asked;
      await turn();
      assert.deepEqual([...codes()].sort(), ["ERR_CALLBACK", "ERR_CALLBACK", "ERR_NOISE"]);
    },
  },
  {
    name: `an onProblem that ${name}`,
    async run(): Promise<void> {
      const options: ConnectOptions<"client"> = { onProblem: act };
      const { transport, connection } = scripted("client", options);
      const asked = connection.request("threads");
      await transport.onBytes(Buffer.from("printed\n"));
      await transport.say({ type: "odd" }, response(9), response(1));
      await asked;
      transport.end(new Error("gone"));
      assert.equal((await connection.closed)?.message, "gone");
    },
  },
]);

const ignored: readonly ConnectionCase[] = [
  {
    name: "an end of the connection that nobody handles",
    async run() {
      const { transport, connection } = scripted("client");
      transport.onWrite = () => new Promise(() => undefined);
      void connection.request("threads");
      void connection.requestCustom("mine", {}, { timeoutMs: 1_000 });
      void connection.once("stopped");
      connection.notifyCustom("mine");
      void connection.flushed();
      transport.end(new Error("gone"));
      void connection.request("threads");
      connection.notifyCustom("mine");
      void connection.flushed();
      void connection.once("stopped");
      void connection.close();
      await connection.closed;
      await turn();
      assert.equal(connection.pending, 0);
      const error: unknown = await connection.flushed().catch((cause: unknown) => cause);
      assert.ok(error instanceof ConnectionClosedError);
      assert.deepEqual(
        [error.code, error.message],
        ["ERR_CONNECTION_CLOSED", "Cannot send: the connection is closed: gone"],
      );
    },
  },
];

export const callbackCases: readonly ConnectionCase[] = [...callbacks, ...ignored];
