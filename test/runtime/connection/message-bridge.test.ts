import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bridge, type BridgeOptions } from "@wirewright/dap/connection";
import type { Validation } from "../../../runtime/validation/findings.js";
import { dapEvent, dapRequest, dapResponse } from "../../support/dap-messages.js";
import { framesOf, ScriptedTransport, turn } from "../../support/scripted-connection.js";

/** Creates a bridge between two peers, both played by the test. */
function bridged(options: BridgeOptions = {}) {
  const client = new ScriptedTransport();
  const adapter = new ScriptedTransport();
  const problems: string[] = [];
  const own = bridge(client, adapter, {
    ...options,
    onProblem: ({ code, side }) => void problems.push(`${code} ${side}`),
  });
  return { client, adapter, own, problems };
}

describe("a bridge", () => {
  test("a bridge can send requests that the protocol does not define", async () => {
    const { client, adapter, own } = bridged();
    const asked = own.requestCustom("adapter", "mine", { x: 1 });
    const checked = own.requestCustom("adapter", "mine", undefined, {
      result: (value): Validation<number> =>
        value === 7
          ? { ok: true, value, deviations: [] }
          : { ok: false, issues: [{ pointer: "", expected: "7", received: "8" }] as never },
    });
    assert.deepEqual(adapter.written, [dapRequest(1, "mine", { x: 1 }), dapRequest(2, "mine")]);
    void adapter.say(dapResponse(1, 1, "mine", { y: 2 }), dapResponse(2, 2, "mine", { y: 8 }));
    assert.deepEqual(await asked, { y: 2 });
    await assert.rejects(checked, { code: "ERR_RESULT", command: "mine" });
    await assert.rejects(own.requestCustom("adapter", "mine", {}, { wait: 1 } as never), TypeError);
    assert.deepEqual(client.written, []);
  });

  test("a bridge forwards the same bytes no matter how they are split", () => {
    const messages = [
      dapRequest(1, "initialize", { arguments: { adapterID: "é" }, own: [1.0, 1e2] }),
      dapRequest(2, "cancel", { requestId: 1 }),
      dapResponse(3, 9, "runInTerminal", {}),
    ];
    const bytes = framesOf(messages);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { client, adapter, problems } = bridged();
      const written: Uint8Array[] = [];
      adapter.onWrite = (chunk) => void written.push(chunk.slice());
      void client.onBytes(bytes.slice(0, cut));
      void client.onBytes(bytes.slice(cut));
      assert.deepEqual(Buffer.concat(written), Buffer.from(bytes), String(cut));
      assert.deepEqual([adapter.written, problems], [messages, []]);
    }
  });

  test("a bridge drops and reports noise and damaged frames", () => {
    const { client, adapter, problems } = bridged({ middleware: [{ fromClient: (same) => same }] });
    const text = (body: string): string => `Content-Length: ${body.length}\r\n\r\n${body}`;
    void client.onBytes(Buffer.from(`noise\n${text("{no}")}${text('{"seq":1,"type":"event"}')}`));
    assert.deepEqual(adapter.written, [{ seq: 1, type: "event" }]);
    assert.deepEqual(problems, ["ERR_NOISE client", "ERR_JSON client"]);
  });

  test("a middleware can change, drop and answer messages", async () => {
    const { client, adapter, problems } = bridged({
      middleware: [
        {
          fromClient(message, { answer, fail }) {
            if (message.type !== "request") return;
            if (message.command === "threads") answer({ threads: [] });
            if (message.command === "source") fail("not here");
            if (message.command === "next") return { ...message, arguments: { threadId: 7 } };
          },
          fromAdapter: (message) =>
            message.type === "event" && message.event === "output" ? null : message,
        },
      ],
    });
    void client.say(dapRequest(1, "threads"), dapRequest(2, "next"), dapRequest(3, "source"));
    assert.deepEqual(adapter.written, [dapRequest(2, "next", { threadId: 7 })]);
    void adapter.say(dapEvent(1, "output", { output: "x" }), dapResponse(2, 2, "next"));
    assert.deepEqual(client.written, [
      dapResponse(1, 1, "threads", { threads: [] }),
      {
        seq: 2,
        type: "response",
        request_seq: 3,
        command: "source",
        success: false,
        message: "not here",
        body: { error: { id: 2, format: "{text}", variables: { text: "not here" } } },
      },
      dapResponse(3, 2, "next"),
    ]);
    assert.deepEqual(problems, []);
  });

  test(
    "a bridge renumbers messages once it has sent requests of its own",
    { timeout: 10_000 },
    async () => {
      const { client, adapter, own, problems } = bridged();
      void client.say(dapRequest(1, "threads"));
      const asked = own.request("adapter", "threads");
      void client.say(dapRequest(2, "next", { threadId: 1 }));
      void client.say(dapRequest(3, "cancel", { requestId: 2 }));
      assert.deepEqual(adapter.written, [
        dapRequest(1, "threads"),
        dapRequest(2, "threads"),
        dapRequest(3, "next", { threadId: 1 }),
        dapRequest(4, "cancel", { requestId: 3 }),
      ]);
      void adapter.say(
        dapEvent(1, "progressStart", { progressId: "a", title: "t", requestId: 3 }),
        dapResponse(2, 2, "threads", { threads: [{ id: 1, name: "a" }] }),
        dapResponse(3, 3, "next"),
        dapResponse(4, 1, "threads"),
        dapResponse(5, 3, "next"),
      );
      assert.deepEqual(await asked, { threads: [{ id: 1, name: "a" }] });
      assert.deepEqual(client.written, [
        dapEvent(1, "progressStart", { progressId: "a", title: "t", requestId: 2 }),
        dapResponse(3, 2, "next"),
        dapResponse(4, 1, "threads"),
      ]);
      assert.deepEqual(problems, ["ERR_RESPONSE_UNSOLICITED adapter"]);
      const reverse = own.request("client", "runInTerminal", { cwd: "/", args: ["a"] });
      assert.deepEqual(client.written[3]!["seq"], 5);
      void adapter.say(dapRequest(6, "runInTerminal"), dapEvent(7, "output", { output: "x" }));
      assert.deepEqual(
        client.written.slice(4).map(({ seq }) => seq),
        [6, 7],
      );
      void client.say(dapResponse(4, 6, "runInTerminal"), dapResponse(5, 5, "runInTerminal", {}));
      assert.deepEqual(adapter.written.at(-1), dapResponse(5, 6, "runInTerminal"));
      assert.deepEqual(await reverse, {});
    },
  );

  test(
    "a bridge reads no faster than the other peer accepts data",
    { timeout: 10_000 },
    async () => {
      const { client, adapter } = bridged();
      let go = (): void => undefined;
      adapter.onWrite = () => new Promise<void>((resolve) => (go = resolve));
      const waiting = client.say(dapRequest(1, "threads"));
      assert.ok(waiting instanceof Promise);
      go();
      await waiting;
    },
  );

  test(
    "a bridge ends when either peer does, and reports the reason",
    { timeout: 20_000 },
    async () => {
      const gone = bridged();
      const asked = gone.own.request("adapter", "threads");
      gone.adapter.end(new Error("it died"));
      await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED", message: /it died/ });
      const { side, message, error } = await gone.own.closed;
      assert.deepEqual(
        [side, message, error?.message],
        ["adapter", "the connection is closed: it died", "it died"],
      );
      assert.deepEqual([gone.client.calls, gone.adapter.calls], [["close"], ["close"]]);
      const left = bridged();
      left.client.end();
      left.adapter.end();
      assert.equal((await left.own.closed).side, "client");
      const failing = bridged();
      failing.adapter.onWrite = () => {
        throw new Error("full");
      };
      void failing.client.say(dapRequest(1, "threads"));
      assert.equal((await failing.own.closed).error?.message, "full");
      const closed = bridged();
      assert.equal((await closed.own.close()).side, "bridge");
      await assert.rejects(closed.own.flushed("client"), { code: "ERR_CONNECTION_CLOSED" });
    },
  );

  test("a client that ends its stream still gets the adapter's responses", async () => {
    const { client, adapter, own } = bridged();
    void client.say(dapRequest(1, "initialize"));
    client.end();
    await turn();
    assert.deepEqual([client.calls, adapter.calls], [[], ["close"]]);
    void adapter.say(dapResponse(1, 1, "initialize", {}), dapEvent(2, "initialized", {}));
    adapter.end();
    const { side, error } = await own.closed;
    assert.deepEqual([side, error], ["client", undefined]);
    assert.deepEqual(client.written, [
      dapResponse(1, 1, "initialize", {}),
      dapEvent(2, "initialized", {}),
    ]);
    assert.deepEqual([client.calls, adapter.calls], [["close"], ["close"]]);
  });

  test("a bridge's close() disconnects an adapter that keeps running after the client has ended", async () => {
    const { client, own } = bridged();
    client.end();
    await turn();
    assert.deepEqual(client.calls, []);
    await own.close({ graceMs: 100 });
    assert.deepEqual(client.calls, ["close"]);
  });

  test("the problem for an asynchronous middleware mentions both the message and the promise", () => {
    const problems: string[] = [];
    const [client, adapter] = [new ScriptedTransport(), new ScriptedTransport()];
    bridge(client, adapter, {
      middleware: [{ fromClient: (async () => undefined) as never }],
      onProblem: ({ message }) => void problems.push(message),
    });
    void client.say(dapRequest(1, "next"));
    assert.equal(adapter.written.length, 1);
    assert.deepEqual(problems, [
      'A middleware failed: Cannot use the result of the middleware for "next": expected a message, null or undefined, received a promise',
    ]);
  });

  test("a message is unchanged if the middleware throws", () => {
    const { client, adapter, problems } = bridged({
      middleware: [
        {
          fromClient() {
            throw new Error("no");
          },
        },
      ],
    });
    void client.say(dapRequest(1, "threads"));
    assert.deepEqual(adapter.written, [dapRequest(1, "threads")]);
    assert.deepEqual(problems, ["ERR_MIDDLEWARE client"]);
  });
});
