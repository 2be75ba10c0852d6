/** Tests the example server for agents with the official SDK's client. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";

/** Calls a tool, and returns its text. A failure starts with `failed: `. */
type Call = (tool: string, given?: object) => Promise<string>;

async function withAgent(
  folder: string,
  programs: object,
  use: (call: Call, client: Client) => Promise<void>,
): Promise<void> {
  writeFiles(folder, { "programs.json": JSON.stringify(programs) });
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fromRoot("build/examples/agent-debugger.js"), join(folder, "programs.json")],
    stderr: "ignore",
  });
  await client.connect(transport);
  try {
    await use(async (name, given = {}) => {
      const { content, isError } = (await client.callTool({
        name,
        arguments: given as Record<string, unknown>,
      })) as { content: { text: string }[]; isError?: boolean };
      return `${isError === true ? "failed: " : ""}${content[0]!.text}`;
    }, client);
  } finally {
    await client.close();
  }
}

test("an agent debugs a program with the example adapter", async () => {
  const count = { command: process.execPath, args: [fromRoot("build/examples/adapter.js")] };
  await withFolder((folder) =>
    withAgent(folder, { count, none: { command: join(folder, "none") } }, async (call, client) => {
      assert.equal(client.getInstructions(), "You can launch these programs: count, none");
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name, inputSchema: { required = [] } }) => [name, ...required]),
        [
          ["launch", "program"],
          ["set_breakpoints", "path", "breakpoints"],
          ["step", "how"],
          ["snapshot"],
          ["evaluate", "expression"],
          ["output"],
          ["stop"],
        ],
      );
      for (const [tool, given] of [
        ["step", { how: "next" }],
        ["snapshot", {}],
        ["evaluate", { expression: "1" }],
        ["set_breakpoints", { path: "/program", breakpoints: [] }],
      ] as const)
        assert.equal(
          await call(tool, given),
          "failed: No program is being debugged: call launch first",
        );
      await assert.rejects(client.callTool({ name: "toString" }), {
        code: -32602,
        message: 'MCP error -32602: There is no tool "toString"',
      });
      assert.equal(
        await call("step", { how: "jump", seconds: "2" }),
        'failed: Invalid: `/how`: expected one of "continue", "next", "stepIn", "stepOut", "pause", "wait", received "jump"; `/seconds`: expected a number from 0 to 60, received "2"',
      );
      // The server starts only programs that are on its list.
      assert.equal(
        await call("launch", { program: "rm" }),
        "failed: The programs are: count, none",
      );
      assert.match(
        await call("launch", { program: "none" }),
        /^failed: Cannot start "[^"]+": there is no such .*\(ERR_PROCESS_START\)$/s,
      );

      const lines = [2, 9].map((line) => ({ path: "/program", line }));
      const stop = ["stopped: breakpoint", "#0 zählen", "  Locals", "    total = 10"];
      assert.deepEqual(
        (await call("launch", { program: "count", breakpoints: lines })).split("\n"),
        ["/program:2 set in line 2", "/program:9 not set: The program has no such line", ...stop],
      );
      assert.deepEqual((await call("snapshot")).split("\n"), stop);
      assert.equal(await call("evaluate", { expression: "total" }), "10");
      assert.equal(
        await call("evaluate", { expression: "nonsense" }),
        "failed: There is no nonsense (ERR_REQUEST_FAILED)",
      );
      assert.equal(
        await call("evaluate", { expression: "total", frame: 7 }),
        "failed: There is no such frame: call snapshot",
      );
      assert.equal(
        await call("set_breakpoints", { path: "/program", breakpoints: [{ line: 4 }] }),
        "/program:4 set in line 4",
      );
      assert.match(await call("step", { how: "next" }), /^stopped: step\n.* total = 30$/s);
      assert.match(await call("step", { how: "continue" }), /^stopped: breakpoint\n.*= 60$/s);
      assert.equal(
        await call("step", { how: "continue" }),
        "ended: exited, exit code 0\noutput:\nΣ = 100 😀\n",
      );
      assert.match(await call("snapshot"), /^failed: The program is not stopped/);
      assert.equal(await call("output"), "");
      assert.equal(await call("stop"), "ended: exited, exit code 0");
      assert.equal(await call("stop"), "no program");
      // Start the program again and leave it running. When the client exits, the server must shut
      // the adapter down.
      assert.match(await call("launch", { program: "count", breakpoints: lines }), /stopped/);
    }),
  );
});

test("an agent debugs a Python program with debugpy", { skip: skipWithoutDebugpy }, async () => {
  await withFolder((folder) => {
    const program = join(folder, "program.py");
    writeFiles(folder, {
      "program.py":
        "import time\nitems = list(range(500))\nx = sum(items)\nprint(x)\nwhile True:\n    time.sleep(0.05)\n",
    });
    const launch = { program, python: [python], console: "internalConsole" };
    const sum = { command: python, args: ["-m", "debugpy.adapter"], launch };
    return withAgent(folder, { sum }, async (call) => {
      const breakpoints = [{ path: program, line: 4, condition: "x > 1" }];
      const [set, ...stop] = (await call("launch", { program: "sum", breakpoints })).split("\n");
      assert.equal(set, `${program}:4 set in line 4`);
      assert.deepEqual(stop.slice(0, 2), ["stopped: breakpoint", `#0 <module> ${program}:4`]);
      // `items` is a list that is too long for an agent to read.
      for (const characters of [200, 1_000, 5_000]) {
        const snapshot = await call("snapshot", { characters });
        assert.ok(snapshot.length <= characters, `${snapshot.length} of ${characters}`);
        assert.match(snapshot, /… \d+ more/);
      }
      assert.equal(await call("evaluate", { expression: "len(items)" }), "int: 500");
      assert.match(
        await call("evaluate", { expression: "unset" }),
        /^failed: .*NameError: name 'unset' is not defined.*\(ERR_REQUEST_FAILED\)$/s,
      );
      assert.equal(
        await call("step", { how: "continue", seconds: 2 }),
        "running\noutput:\n124750\n",
      );
      assert.match(await call("step", { how: "pause" }), /^stopped: pause\n/);
      assert.match(await call("stop"), /^ended: /);
    });
  });
});
