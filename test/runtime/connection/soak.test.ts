import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connect, type Connection } from "@wirewright/dap/connection";
import { tcpTransport, nodeTransport } from "@wirewright/dap/node";

const rounds = 1_000;
/** How many requests each side sends per round. All rounds together send a hundred thousand. */
const atOnce = 50;

/** Returns how many bytes are in use after garbage collection. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("a hundred thousand requests in both directions over a socket do not leak memory", async (context) => {
  const accepted: Connection<"adapter">[] = [];
  const server = createServer((socket) =>
    accepted.push(
      connect("adapter", nodeTransport(socket, socket), {
        handlers: { evaluate: ({ expression }) => ({ result: expression, variablesReference: 0 }) },
        onProblem: ({ code, message }) => assert.fail(`${code} ${message}`),
      }),
    ),
  );
  context.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = await tcpTransport((server.address() as AddressInfo).port);
  const client = connect("client", transport, {
    handlers: { runInTerminal: async ({ args }) => ({ processId: args.length }) },
    onProblem: ({ code, message }) => assert.fail(`${code} ${message}`),
  });
  await client.request("evaluate", { expression: "first" });
  const adapter = accepted[0]!;
  let before = 0;
  for (let round = 0; round < rounds; round++) {
    const asked = Array.from({ length: atOnce }, (_, index) =>
      Promise.all([
        client.request("evaluate", { expression: `${round}/${index}` }),
        adapter.request("runInTerminal", { args: Array<string>(index).fill("é"), cwd: "/" }),
      ]),
    );
    for (const [index, [{ result }, { processId }]] of (await Promise.all(asked)).entries())
      assert.deepEqual([result, processId], [`${round}/${index}`, index]);
    if (round === 200) before = heapUsed();
  }
  const grown = heapUsed() - before;
  assert.ok(grown < 2_000_000, `the heap grew by ${grown} bytes`);
  assert.deepEqual([client.pending, adapter.pending], [0, 0]);
  await client.close();
  await adapter.closed;
});
