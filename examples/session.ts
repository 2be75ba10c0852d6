/**
 * A client that uses a session to debug a program from its first breakpoint to its end, and prints
 * each step. Run it with `node build/examples/session.js`. It starts the example adapter.
 */
import { fileURLToPath } from "node:url";
import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";

const path = fileURLToPath(new URL("./adapter.js", import.meta.url));
const session = await launch(await spawnAdapter(process.execPath, [path], { timeoutMs: 10_000 }), {
  arguments: {},
  breakpoints: { "/program": [2, 9] },
});
for (const { verified, message } of session.breakpoints.of("/program"))
  console.log(verified ? "set" : message);

const stop = await session.waitForStop();
if (stop.kind === "stopped") {
  const { frames } = await session.snapshot();
  const [frame] = frames;
  console.log(`stopped: ${stop.reason}, line ${frame?.line}`);
  for (const { variables } of frame?.scopes ?? [])
    for (const { name, value } of variables) console.log(`${name} = ${value}`);
  await session.continue();
}
console.log((await session.waitForOutput(/Σ = \d+/))[0]);
await session.terminate();
