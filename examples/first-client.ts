import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";

const adapter = await spawnAdapter("lldb-dap", [], { timeoutMs: 10_000 });
const program = { arguments: { program: "a.out" }, breakpoints: { "a.c": [3] } };
const session = await launch(adapter, program);
const stop = await session.waitForStop(); // or until the program ends
if (stop.kind === "stopped") console.log(stop.reason, await session.snapshot());
else console.log(stop.reason, session.breakpoints); // a refused breakpoint includes the reason
await session.terminate(); // also shuts down the adapter
