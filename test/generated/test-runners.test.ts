/** Runs adapter tests with popular test runners and the packed package. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { packDap } from "./packed-dap.js";
import { createApp, type App } from "../support/platforms/check-types.js";
import { writeFiles } from "../support/compile.js";
import { fromRoot, inPeers, skipWithoutPeer } from "../support/paths.js";

let app: App;

before(async () => {
  app = createApp((await packDap("test-runners")).tarballs);
});

after(() => rmSync(app.folder, { recursive: true, force: true }));

const bodies = `
import { writeFileSync } from "node:fs";
import { spawnAdapter } from "@wirewright/dap/node";
import { testClient } from "@wirewright/dap/testing";

const program = new URL("text.txt", import.meta.url).pathname;
writeFileSync(program, "one\\ntwo\\nthree\\n");
const adapter = ${JSON.stringify(fromRoot("build/examples/text-adapter.js"))};

async function withClient(signal, use) {
  const client = testClient(await spawnAdapter(process.execPath, [adapter]), { signal });
  try {
    await use(client);
  } finally {
    await client.stop();
  }
}

export const hits = (signal) =>
  withClient(signal, async (client) => {
    await client.hitBreakpoint({ path: program, line: 2 }, { arguments: { program } });
    await client.assertOutput("one");
    await client.session.continue();
    await client.assertOutput("three");
    await client.assertEnded();
  });
export const misses = (signal) =>
  withClient(signal, (client) =>
    client.hitBreakpoint({ path: program, line: 2 }, { arguments: { program }, expected: { line: 3 } }));
export const waits = () => {
  const waiting = new AbortController();
  return withClient(waiting.signal, async (client) => {
    await client.launch({ arguments: { program } });
    setTimeout(() => waiting.abort(), 100);
    await client.waitForEvent("module");
  });
};
`;

const runners: Readonly<
  Record<
    string,
    { readonly file: string; readonly suite: string; readonly command: readonly string[] }
  >
> = {
  "node:test": {
    file: "node.test.mjs",
    suite: `import { test } from "node:test";
import { hits, misses, waits } from "./bodies.mjs";
test("hits", { timeout: 30000 }, ({ signal }) => hits(signal));
test("misses", { timeout: 30000 }, ({ signal }) => misses(signal));
test("waits", waits);
`,
    command: ["--test"],
  },
  mocha: {
    file: "mocha.test.mjs",
    suite: `import { hits, misses, waits } from "./bodies.mjs";
it("hits", () => hits()).timeout(30000);
it("misses", () => misses()).timeout(30000);
it("waits", waits).timeout(30000);
`,
    command: [inPeers("mocha/bin/mocha.js")],
  },
  vitest: {
    file: "vitest.test.mjs",
    suite: `import { test } from "vitest";
import { hits, misses, waits } from "./bodies.mjs";
test("hits", { timeout: 30000 }, ({ signal }) => hits(signal));
test("misses", { timeout: 30000 }, ({ signal }) => misses(signal));
test("waits", { timeout: 30000 }, waits);
`,
    command: [inPeers("vitest/vitest.mjs"), "run"],
  },
};

for (const [name, { file, suite, command }] of Object.entries(runners)) {
  const skip = name === "node:test" ? false : skipWithoutPeer(name);
  test(`adapter tests run under ${name}, and their failures give the reason`, { skip }, () => {
    // Vitest must be loaded from the folder that contains the tests.
    writeFiles(app.folder, { "bodies.mjs": bodies, [file]: suite });
    const { status, stdout, stderr } = spawnSync(process.execPath, [...command, file], {
      cwd: app.folder,
      encoding: "utf8",
      timeout: 120_000,
      env: { PATH: process.env["PATH"], NO_COLOR: "1" },
    });
    const output = stdout + stderr;
    assert.notEqual(status, 0, output); // With mocha, the exit status is the number of failures.
    assert.match(output, /(ok 1 - hits|[✔✓] hits)/u);
    const place = `${app.folder}/text.txt`;
    const missed = `Expected a stop at ${place}:3 (breakpoint), but the program stopped at ${place}:2:1 in text (breakpoint)`;
    assert.ok(output.includes(missed), output);
    assert.match(output, /Waiting for the event "module" was aborted\s+Events:\s+initialized/);
    assert.match(output, /(# fail 2|2 failing|2 failed \| 1 passed)/);
  });
}
