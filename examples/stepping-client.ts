import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";

const session = await launch(await spawnAdapter("lldb-dap", [], { timeoutMs: 10_000 }), {
  arguments: { program: "a.out" },
  breakpoints: { "a.c": [3, { line: 9, condition: "x > 1" }] },
});
let state = await session.waitForStop();
while (state.kind === "stopped") {
  const { frames } = await session.snapshot({ items: 50 });
  console.log(state.reason, frames[0]?.name, frames[0]?.line);
  state = await session.next();
}
console.log(state.reason, session.exitCode, session.output.text("stdout"));
await session.terminate();
