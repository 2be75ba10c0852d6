/**
 * A client that debugs a program from its first breakpoint to its end, and prints each step. Run it
 * with `node build/examples/client.js`. It starts the example adapter.
 */
import { fileURLToPath } from "node:url";
import { RequestError, type Connection } from "@wirewright/dap/connection";
import { spawnAdapter } from "@wirewright/dap/node";

const path = fileURLToPath(new URL("./adapter.js", import.meta.url));
const { connection: client, exited } = await spawnAdapter(process.execPath, [path], {
  timeoutMs: 10_000,
  onProblem: ({ code, message }) => console.error(`${code}: ${message}`),
});
client.on("output", ({ output }) => process.stdout.write(output));

const capabilities = await client.request("initialize", { adapterID: "count" });
// An adapter may answer `launch` before or after the configuration, so do not wait for the response
// yet.
const ready = client.once("initialized");
const launched = client.request("launch", {});
await ready;
const { breakpoints } = await client.request("setBreakpoints", {
  source: { path: "/program" },
  breakpoints: [{ line: 2 }, { line: 9 }],
});
console.log(breakpoints.map(({ verified, message }) => (verified ? "set" : message)).join(", "));
const stopped = client.once("stopped");
if (capabilities?.supportsConfigurationDoneRequest) await client.request("configurationDone");
await launched;
console.log(`stopped: ${(await stopped).reason}, line ${await currentLine(client)}`);

const { scopes } = await client.request("scopes", { frameId: 1 });
const { variables } = await client.request("variables", scopes[0]!);
console.log(variables.map(({ name, value }) => `${name} = ${value}`).join(", "));
try {
  await client.request("evaluate", { expression: "nonsense" });
} catch (error) {
  if (error instanceof RequestError) console.log(`${error.command}: ${error.message}`);
}

const controller = new AbortController();
const slow = client.request("evaluate", { expression: "sleep" }, { signal: controller.signal });
controller.abort();
await slow.catch(({ name }: Error) => console.log(name));

const ended = client.once("terminated");
await client.request("continue", { threadId: 1 });
await ended;
await client.request("disconnect");
console.log(`exit ${await exited}`);

async function currentLine(connection: Connection<"client">): Promise<number> {
  const { stackFrames } = await connection.request("stackTrace", { threadId: 1 });
  return stackFrames[0]!.line;
}
