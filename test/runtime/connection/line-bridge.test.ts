/**
 * Tests bridges for protocols other than DAP whose messages are on separate lines and whose
 * responses repeat the request's id.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bridge as agentBridge } from "@wirewright/acp-breakpoints/connection";
import { bridge as sqlBridge } from "@wirewright/sqltools/connection";
import type { Transport } from "@wirewright/dap/connection";
import { until } from "../../support/scripted-connection.js";

/** A bridge's client or peer, played by the test. */
class Peer implements Transport {
  onBytes: (bytes: Uint8Array) => void | Promise<void> = () => undefined;
  end: (error?: unknown) => void = () => undefined;
  text = "";

  read(onBytes: Peer["onBytes"], onEnd: Peer["end"]): void {
    this.onBytes = onBytes;
    this.end = onEnd;
  }

  write(bytes: Uint8Array): void {
    this.text += Buffer.from(bytes).toString();
  }

  close(): void {}

  say(text: string): void {
    void this.onBytes(Buffer.from(text));
  }

  /** Returns the text written since the last call. */
  take(): string {
    const { text } = this;
    this.text = "";
    return text;
  }
}

type Open = (
  client: Transport,
  other: Transport,
  options: {
    readonly middleware?: readonly object[];
    readonly onProblem: (problem: { readonly code: string; readonly side: string }) => void;
  },
) => ReturnType<typeof agentBridge>;

interface Case {
  readonly open: Open;
  readonly other: "agent" | "service";
  readonly hook: string;
  /** Encodes a message the way it appears on the wire. */
  frame(body: string): string;
}

const cases: Readonly<Record<string, Case>> = {
  "messages on lines": {
    open: agentBridge as unknown as Open,
    other: "agent",
    hook: "fromAgent",
    frame: (body) => `${body}\n`,
  },
  "JSON-RPC with headers": {
    open: sqlBridge as unknown as Open,
    other: "service",
    hook: "fromService",
    frame: (body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  },
};

for (const [name, { open, other, hook, frame }] of Object.entries(cases))
  describe(`a bridge forwards ${name} messages`, () => {
    function bridged(middleware: readonly object[] = []) {
      const client = new Peer();
      const peer = new Peer();
      const problems: string[] = [];
      const own = open(client, peer, {
        middleware,
        onProblem: ({ code, side }) => void problems.push(`${code} ${side}`),
      });
      return { client, peer, problems, own };
    }

    const bodies = [
      '{"jsonrpc":"2.0","id":1,"method":"session/é","params":{"a":[1.0,1e2]}}',
      '{"jsonrpc":"2.0","method":"note"}',
      '{ "jsonrpc": "2.0", "id": "text", "method": "other" }',
      '{"jsonrpc":"2.0","id":7,"result":null}',
    ];

    test("a bridge forwards the same bytes no matter how they are split, even with a middleware that changes nothing", () => {
      const bytes = Buffer.from(bodies.map(frame).join(""));
      for (const middleware of [[], [{ fromClient: (same: object) => same }]])
        for (let cut = 0; cut <= bytes.length; cut++) {
          const { client, peer, problems } = bridged(middleware);
          void client.onBytes(bytes.subarray(0, cut));
          void client.onBytes(bytes.subarray(cut));
          assert.equal(peer.take(), bytes.toString(), String(cut));
          assert.deepEqual(problems, []);
        }
    });

    test("a bridge drops and reports text that is not a message", () => {
      const { client, peer, problems } = bridged([{ fromClient: (same: object) => same }]);
      client.say(frame("{no}"));
      client.say(`printed\n${frame(bodies[0]!)}`);
      assert.equal(peer.take(), frame(bodies[0]!));
      assert.deepEqual(problems, ["ERR_JSON client", "ERR_NOISE client"]);
    });

    test("a middleware can change and drop messages, and answer requests", () => {
      const { client, peer } = bridged([
        {
          fromClient: (
            message: { readonly method?: string },
            context: { answer(result: unknown): void; fail(text: string): void },
          ) => {
            if (message.method === "ask") return void context.answer({ é: 1 });
            if (message.method === "refuse") return void context.fail("not here");
            return message.method === "drop" ? null : { ...message, more: "é" };
          },
        },
      ]);
      for (const method of ["ask", "refuse", "drop", "change"])
        client.say(frame(`{"jsonrpc":"2.0","id":3,"method":"${method}"}`));
      assert.equal(peer.take(), frame('{"jsonrpc":"2.0","id":3,"method":"change","more":"é"}'));
      const [answered, refused] = [
        '{"jsonrpc":"2.0","id":3,"result":{"é":1}}',
        '{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"not here"}}',
      ];
      assert.equal(client.take(), frame(answered) + frame(refused));
    });

    test("a hook gets the messages from its side", () => {
      const { client, peer } = bridged([
        { [hook]: (message: object) => ({ ...message, seen: 1 }) },
      ]);
      peer.say(frame('{"jsonrpc":"2.0","method":"note"}'));
      assert.equal(client.take(), frame('{"jsonrpc":"2.0","method":"note","seen":1}'));
    });

    test("a bridge renumbers requests, responses and cancellations once it has sent requests of its own", async () => {
      const { client, peer, own, problems } = bridged();
      const ask = own.request as (to: string, name: string) => Promise<unknown>;
      client.say(frame('{"jsonrpc":"2.0","id":1,"method":"a"}'));
      const answer = ask.call(own, other, "mine");
      client.say(frame('{"jsonrpc":"2.0","id":2,"method":"é"}'));
      const cancel = (id: number): string =>
        frame(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${id}}}`);
      client.say(cancel(2));
      // sqltools has no cancellation, so the bridge treats `$/cancel_request` as an ordinary
      // notification.
      assert.equal(
        peer.take(),
        frame('{"jsonrpc":"2.0","id":1,"method":"a"}') +
          frame('{"id":2,"jsonrpc":"2.0","method":"mine"}') +
          frame('{"jsonrpc":"2.0","id":3,"method":"é"}') +
          cancel(other === "agent" ? 3 : 2),
      );
      peer.say(frame('{"jsonrpc":"2.0","id":3,"result":"é"}'));
      peer.say(frame('{"jsonrpc":"2.0","id":2,"result":{"mine":true}}'));
      peer.say(frame('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'));
      assert.deepEqual(await answer, { mine: true });
      assert.equal(
        client.take(),
        frame('{"jsonrpc":"2.0","id":2,"result":"é"}') +
          frame('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'),
      );
      // The peer's requests keep their ids, because the bridge has not sent requests of its own to
      // the client.
      peer.say(frame('{"jsonrpc":"2.0","id":2,"method":"back"}'));
      client.say(frame('{"jsonrpc":"2.0","id":2,"result":1}'));
      assert.equal(client.take(), frame('{"jsonrpc":"2.0","id":2,"method":"back"}'));
      assert.equal(peer.take(), frame('{"jsonrpc":"2.0","id":2,"result":1}'));
      assert.deepEqual(problems, []);
    });

    test("a request sent by the bridge rejects if the peer refuses it or when the bridge ends", async () => {
      const { client, peer, own } = bridged();
      const ask = own.request as (to: string, name: string) => Promise<unknown>;
      const refused = ask.call(own, other, "mine");
      peer.say(frame('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'));
      await assert.rejects(refused, { code: "ERR_REQUEST_FAILED", message: "no" });
      const lost = ask.call(own, other, "mine");
      // The last line does not need a line ending.
      client.say(frame(bodies[1]!).trimEnd());
      client.end();
      await assert.rejects(lost, { code: "ERR_CONNECTION_CLOSED" });
      assert.equal((await own.closed).side, "client");
      await until(() => peer.text.endsWith(bodies[1]!) || peer.text.endsWith(`${bodies[1]!}\n`));
    });

    test("a bridge reports a peer that prints text instead of messages", async () => {
      const { peer, own, problems } = bridged();
      peer.say("usage: program [options]\n");
      const { message } = await own.close();
      assert.deepEqual(problems, [`ERR_NO_MESSAGE ${other}`]);
      assert.equal(message, "the connection is closed");
      const ended = bridged();
      ended.peer.say("usage: program [options]\n");
      ended.peer.end();
      const end = await ended.own.closed;
      assert.equal(
        end.message,
        "the connection is closed, having received no message, only 25 bytes: usage: program [options]\\n",
      );
    });
  });
