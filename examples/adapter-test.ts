import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { spawnAdapter } from "@wirewright/dap/node";
import { testClient, type TestClient } from "@wirewright/dap/testing";

const adapter = fileURLToPath(new URL("./text-adapter.js", import.meta.url));
const program = join(mkdtempSync(join(tmpdir(), "text-")), "text.txt");
writeFileSync(program, "one\ntwo\nthree\n");

async function start(): Promise<TestClient> {
  const target = await spawnAdapter(process.execPath, [adapter]);
  return testClient(target, { signal: AbortSignal.timeout(10_000) });
}

test("stops at a breakpoint, and runs to the end", async (t) => {
  const client = await start();
  t.after(() => client.stop());
  await client.hitBreakpoint({ path: program, line: 2 }, { arguments: { program } });
  await client.assertOutput("one");
  await client.session.continue();
  await client.assertOutput("three");
  await client.assertEnded();
});

test("prints one line per event", async (t) => {
  const client = await start();
  t.after(() => client.stop());
  await client.launch({ arguments: { program } });
  const { output } = await client.waitForEvent("output", {
    where: (body) => body.output.startsWith("t"),
  });
  if (output !== "two\n") throw new Error(`It printed ${output}`);
});
