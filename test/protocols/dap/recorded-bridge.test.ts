import assert from "node:assert/strict";
import { test } from "node:test";
import { bridge, recordMessages } from "@wirewright/dap/connection";
import { isRequest } from "@wirewright/dap";
import { lint } from "../../../sessions/judge/lint.js";
import { ScriptedTransport, turn } from "../../support/scripted-connection.js";

const request = (seq: number, command: string, more: object = {}): object => ({
  seq,
  type: "request",
  command,
  ...more,
});
const success = (seq: number, request_seq: number, command: string, body?: object): object => ({
  seq,
  type: "response",
  request_seq,
  success: true,
  command,
  ...(body === undefined ? {} : { body }),
});

test("both of a bridge's recordings contain all messages and cause no false findings", async () => {
  const client = new ScriptedTransport();
  const adapter = new ScriptedTransport();
  const lines: Record<"client" | "adapter", string[]> = { client: [], adapter: [] };
  const session = bridge(client, adapter, {
    middleware: [
      {
        fromClient(message, context) {
          if (isRequest(message, "proxy/hello")) context.answer({ version: 1 });
          if (isRequest(message, "proxy/bad")) context.fail("no");
        },
      },
      recordMessages("client", (line) => lines.client.push(line)),
      recordMessages("adapter", (line) => lines.adapter.push(line)),
    ],
  });
  void client.say(request(1, "initialize", { arguments: { adapterID: "a" } }));
  void adapter.say(success(1, 1, "initialize", {}));
  void client.say(request(2, "proxy/hello"), request(3, "proxy/bad"));
  const threads = session.request("adapter", "threads");
  void adapter.say(success(2, 2, "threads", { threads: [] }));
  await threads;
  void client.say(request(4, "threads"));
  void adapter.say(success(3, adapter.written.at(-1)!["seq"], "threads", { threads: [] }));
  await turn();
  void client.end();
  void adapter.end();
  await session.closed;
  const found: string[] = [];
  const counts: number[] = [];
  for (const [name, all] of Object.entries(lines)) {
    counts.push(all.length);
    const chunks = [Buffer.from(all.join("\n"))];
    for await (const { rule, index } of lint({ name, chunks }, { protocol: "dap" }))
      found.push(`${name} ${rule} #${index}`);
  }
  assert.deepEqual(counts, [8, 6]);
  assert.deepEqual(found, ["client message.custom #3", "client message.custom #4"]);
});
