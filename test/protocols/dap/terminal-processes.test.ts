import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { terminalProcesses } from "@wirewright/dap/node";

test("a process that ignores the signal is killed after a grace period", async () => {
  let started: ChildProcess | undefined;
  const run = terminalProcesses({
    stdio: ["ignore", "pipe", "ignore"],
    killGraceMs: 100,
    onProcess: (child) => (started = child),
  });
  const program = `process.on("SIGTERM", () => undefined); setInterval(() => {}, 1e6); console.log("on");`;
  let end: (value: unknown) => void = () => undefined;
  const closed = new Promise((resolve) => (end = resolve));
  await run({ args: [process.execPath, "-e", program], cwd: "" }, { connection: { closed } });
  await once(started!.stdout!, "data");
  const exited = once(started!, "exit");
  end(undefined);
  assert.deepEqual(await exited, [null, "SIGKILL"]);
});
