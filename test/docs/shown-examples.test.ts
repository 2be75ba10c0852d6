/** Runs the programs in README.md and the guides the way a reader would. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { tcpTransport, spawnAdapter } from "@wirewright/dap/node";
import { testClient, type ExpectedStop } from "@wirewright/dap/testing";
import { python } from "../support/debugpy.js";
import { startServer } from "../support/adapter-server.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { documentationPages } from "../support/markdown-page.js";
import { fromRoot } from "../support/paths.js";

const example = (name: string): string => fromRoot(`build/examples/${name}.js`);

test("a code block with a file name has the same content as that file", () => {
  const shown = documentationPages().flatMap(({ path, blocks }) =>
    blocks.flatMap(({ file, text }) =>
      file?.startsWith("examples/") === true ? [[path, file, text] as const] : [],
    ),
  );
  for (const [path, file, text] of shown) {
    const source = readFileSync(fromRoot(file), "utf8");
    const imported = source.replace(
      /"(?:\.\.\/)+generated\/([a-z-]+)\/([a-z]+)\.js"/g,
      (_, protocol: string, entry: string) =>
        `"@wirewright/${protocol}${entry === "index" ? "" : `/${entry}`}"`,
    );
    assert.equal(text, imported, `${path}: ${file}`);
  }
  assert.deepEqual(shown.map(([path, file]) => `${path} ${file}`).sort(), [
    "README.md examples/first-client.ts",
    "README.md examples/text-adapter.ts",
    "docs/guides/adapter.md examples/stepping-adapter.ts",
    "docs/guides/client.md examples/stepping-client.ts",
    "docs/guides/from-debugadapter.md examples/moving/adapter-after.ts",
    "docs/guides/from-debugadapter.md examples/moving/adapter-before.ts",
    "docs/guides/from-vscode-jsonrpc.md examples/moving/json-rpc-after.ts",
    "docs/guides/from-vscode-jsonrpc.md examples/moving/json-rpc-before.ts",
    "docs/guides/proxy.md examples/proxy.ts",
    "docs/guides/testing.md examples/adapter-test.ts",
    "protocols/dap/README.md examples/first-client.ts",
    "protocols/dap/README.md examples/stepping-adapter.ts",
  ]);
});

/** Command lines for real adapters by name; undefined if the adapter is not installed. */
const adapters: Readonly<Record<string, readonly string[] | undefined>> = {
  "the official library's adapter": [
    process.execPath,
    fromRoot("build/test/fixtures/official-adapter.js"),
  ],
  debugpy: python === undefined ? undefined : [python, "-m", "debugpy.adapter"],
  "an adapter that sends initialized in the same chunk": [
    process.execPath,
    fromRoot("build/test/fixtures/mock-adapter.js"),
    "together",
  ],
  "an adapter that responds late to launch": [
    process.execPath,
    fromRoot("build/test/fixtures/mock-adapter.js"),
    "late",
  ],
};

/** Runs a client from the documentation with the given adapter in place of `lldb-dap`. */
function runClient(name: string, folder: string, adapter: readonly string[]): string {
  const command = adapter.map((each) => `'${each}'`).join(" ");
  writeFiles(folder, {
    "lldb-dap": `#!/bin/sh\nexec ${command}\n`,
    // The documented clients debug `a.out`. For debugpy, `a.out` is a Python program that runs
    // `a.c`.
    "a.out": "import os, runpy\nrunpy.run_path(os.path.abspath('a.c'))\n",
    "a.c": "x = 1\ny = 2\nprint(x + y)\n",
  });
  chmodSync(join(folder, "lldb-dap"), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, [example(name)], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` },
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

describe(
  "the clients in the documentation run",
  { skip: process.platform === "win32" && "lldb-dap is a shell script here" },
  () => {
    for (const [what, command] of Object.entries(adapters)) {
      const skip = command === undefined && "debugpy is not installed";
      test(
        `the clients in the documentation run with ${what}, in two rounds`,
        { skip },
        async () => {
          for (let round = 0; round < 2; round++)
            await withFolder((folder) => {
              const first = runClient("first-client", folder, command!);
              assert.match(first, /^breakpoint \{\n {2}threadId: 1,\n {2}frames: \[/);
            });
        },
      );
    }

    test("the clients in the documentation report the end of the session, and why a breakpoint was not set", async () => {
      const adapter = [
        process.execPath,
        fromRoot("build/test/fixtures/mock-adapter.js"),
        "refuses",
      ];
      await withFolder((folder) => {
        const output = runClient("first-client", folder, adapter);
        assert.equal(
          output,
          "exited { 'a.c': [ { verified: false, message: 'no code in line 3' } ] }\n",
        );
      });
    });

    test("the clients in the documentation step through a program", async () => {
      await withFolder((folder) => {
        const output = runClient(
          "stepping-client",
          folder,
          adapters["an adapter that responds late to launch"]!,
        );
        assert.equal(output, "breakpoint main 3\nstep main 4\nstep main 5\nexited 0 done\n\n");
      });
    });
  },
);

const text = "one\ntwo\nthree\n";

/** Debugs a program with our client and with the official client, over stdio or a port. */
async function debugText(program: string, adapter: string, port?: number): Promise<void> {
  const open = () =>
    port === undefined ? spawnAdapter(process.execPath, [adapter]) : tcpTransport(port);
  const client = testClient(open, { signal: AbortSignal.timeout(30_000) });
  await client.hitBreakpoint(
    { path: program, line: 2 },
    { arguments: { program }, expected: { name: "text" } },
  );
  await client.assertOutput("one");
  await client.session.continue();
  await client.assertOutput("three");
  await client.assertEnded();
  await client.stop();
  const official = new DebugClient(process.execPath, adapter, "text");
  official.defaultTimeout = 30_000;
  await official.start(port);
  try {
    await official.hitBreakpoint({ program }, { path: program, line: 2 });
    await Promise.all([
      official.waitForEvent("terminated"),
      official.continueRequest({ threadId: 1 }),
    ]);
  } finally {
    await official.stop();
  }
}

describe("the adapters in the documentation run", { timeout: 120_000 }, () => {
  for (const name of ["text-adapter", "moving/adapter-after", "moving/adapter-before"])
    test(`our client and the official client debug with ${name}, over stdio and TCP`, async () => {
      await withFolder(async (folder) => {
        writeFiles(folder, { "text.txt": text });
        const program = join(folder, "text.txt");
        for (let round = 0; round < 2; round++) await debugText(program, example(name));
        // `moving/adapter-before` uses the official library, which cannot listen on a free port.
        if (name === "moving/adapter-before") return;
        const server = await startServer(example(name));
        for (let round = 0; round < 2; round++) await debugText(program, "", server.port);
        await server.stop();
      });
    });

  test("the adapter in the guide steps and evaluates", async () => {
    const client = testClient(await spawnAdapter(process.execPath, [example("stepping-adapter")]));
    await client.launch({ arguments: { program: "a" } });
    const at = (line: number, reason: string): ExpectedStop => ({ line, reason, name: "main" });
    await client.assertStoppedAt(at(1, "entry"));
    await client.session.next();
    await client.assertStoppedAt(at(2, "step"));
    const { result } = await client.session.request("evaluate", { expression: "x" });
    assert.equal(result, "x?");
    await client.stop();
  });
});

test("the proxy in the guide connects a client to an adapter that uses different paths", async () => {
  await withFolder(async (folder) => {
    writeFiles(folder, { "text.txt": text });
    const adapter = [process.execPath, example("text-adapter")];
    const proxy = [example("proxy"), "/elsewhere", folder, ...adapter];
    const client = testClient(
      await spawnAdapter(process.execPath, proxy, { process: { stdio: ["pipe", "pipe", "pipe"] } }),
    );
    const program = "/elsewhere/text.txt";
    await client.hitBreakpoint(
      { path: program, line: 2 },
      { arguments: { program }, expected: { name: "text" } },
    );
    await client.session.continue();
    await client.assertOutput("three");
    await client.assertEnded();
    await client.stop();
  });
});

test("the test in the guide passes", () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ["--test", example("adapter-test")], {
    encoding: "utf8",
    timeout: 60_000,
    env,
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^# pass 2$/m);
});

test("a service's clients print the same output with vscode-jsonrpc and with wirewright", async () => {
  await withFolder((folder) => {
    const service = `#!/bin/sh\nexec '${process.execPath}' '${fromRoot("build/test/fixtures/query-service.js")}'\n`;
    writeFiles(folder, { sqltoolsservice: service });
    chmodSync(join(folder, "sqltoolsservice"), 0o755);
    const run = (name: string, kind: string): unknown => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [example(name)], {
        encoding: "utf8",
        timeout: 30_000,
        env: { ...process.env, KIND: kind, PATH: `${folder}${delimiter}${process.env["PATH"]}` },
      });
      return { status, stdout, stderr };
    };
    for (const [kind, stdout] of [
      ["answers", "1 row\n1\n"],
      ["refuses", "1 row\n-32001 no such table\n"],
    ] as const)
      for (const name of ["before", "after"])
        assert.deepEqual(run(`moving/json-rpc-${name}`, kind), { status: 0, stdout, stderr: "" });
  });
});
