import assert from "node:assert/strict";
import { test } from "node:test";
import { bridge, recordMessages } from "@wirewright/dap/connection";
import { isRequest } from "@wirewright/dap";
import { lint } from "../../../sessions/judge/lint.js";
import { dapRequest, dapResponse } from "../../support/dap-messages.js";
import { ScriptedTransport, turn } from "../../support/scripted-connection.js";

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
  void client.say(dapRequest(1, "initialize", { adapterID: "a" }));
  void adapter.say(dapResponse(1, 1, "initialize", {}));
  void client.say(dapRequest(2, "proxy/hello"), dapRequest(3, "proxy/bad"));
  const threads = session.request("adapter", "threads");
  void adapter.say(dapResponse(2, 2, "threads", { threads: [] }));
  await threads;
  void client.say(dapRequest(4, "threads"));
  void adapter.say(dapResponse(3, adapter.written.at(-1)!["seq"], "threads", { threads: [] }));
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
