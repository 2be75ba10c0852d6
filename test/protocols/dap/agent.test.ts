/** Tests the example server for agents with the official SDK's client. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";

type Answer = Record<string, any>;
type Call = (tool: string, given?: object) => Promise<Answer>;

async function withAgent(
  folder: string,
  programs: object,
  use: (call: Call, client: Client) => Promise<void>,
): Promise<void> {
  writeFiles(folder, { "programs.json": JSON.stringify(programs) });
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fromRoot("build/examples/agent.js"), join(folder, "programs.json")],
    stderr: "ignore",
  });
  await client.connect(transport);
  try {
    await use(async (name, given = {}) => {
      const { content, isError } = (await client.callTool({
        name,
        arguments: given as Record<string, unknown>,
      })) as { content: { text: string }[]; isError?: boolean };
      const text = content[0]!.text;
      return isError === true ? { failure: text } : (JSON.parse(text) as Answer);
    }, client);
  } finally {
    await client.close();
  }
}

test("the example agent has at most 200 lines", () => {
  const lines = readFileSync(fromRoot("examples/agent.ts"), "utf8").trimEnd().split("\n");
  assert.ok(lines.length <= 200, `${lines.length} lines`);
});

test("an agent debugs a program with the example adapter", async () => {
  const count = { command: process.execPath, args: [fromRoot("build/examples/adapter.js")] };
  await withFolder((folder) =>
    withAgent(folder, { count, none: { command: join(folder, "none") } }, async (call, client) => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["launch", "set_breakpoints", "run", "evaluate", "output", "stop"],
      );
      assert.match(tools[0]!.description!, /Programs: count, none$/);
      for (const [tool, given] of [
        ["run", {}],
        ["evaluate", { expression: "1" }],
        ["output", {}],
      ] as const)
        assert.match(String((await call(tool, given))["failure"]), /call launch first/);
      // The server starts only programs that are on its list.
      const other = await call("launch", { program: "rm" });
      assert.match(String(other["failure"]), /program/);
      const failed = await call("launch", { program: "none" });
      assert.match(String(failed["failure"]), /^Cannot start "[^"]+": there is no such /);

      const breakpoints = { "/program": [2, { line: 9 }] };
      const { frames, ...stop } = await call("launch", { program: "count", breakpoints });
      assert.deepEqual(stop, {
        state: "stopped",
        reason: "breakpoint",
        threadId: 1,
        output: "",
        breakpoints: [
          { id: 1, verified: true, line: 2 },
          { id: 2, verified: false, line: 9, message: "The program has no such line" },
        ],
      });
      assert.deepEqual(
        [frames[0].line, frames[0].scopes[0].variables],
        [2, [{ name: "total", value: "10", variablesReference: 0 }]],
      );
      assert.deepEqual(await call("evaluate", { expression: "total" }), { result: "10" });
      assert.deepEqual(await call("evaluate", { expression: "nonsense" }), {
        failure: "There is no nonsense",
      });
      const set = await call("set_breakpoints", { path: "/program", lines: [4] });
      assert.deepEqual(set, { breakpoints: [{ id: 1, verified: true, line: 4 }] });
      assert.equal((await call("run", { how: "next" }))["frames"][0].line, 3);
      assert.equal((await call("run"))["frames"][0].line, 4);
      const ended = await call("run", { how: "continue" });
      assert.deepEqual([ended["state"], ended["exitCode"]], ["ended", 0]);
      assert.match(
        String(ended["output"]) + String((await call("output"))["output"]),
        /Σ = 100 😀/,
      );
      assert.equal((await call("stop"))["state"], "ended");
      assert.deepEqual(await call("stop"), { state: "none" });
      // Start the program again and leave it running. When the client exits, the server must shut
      // the adapter down.
      assert.equal((await call("launch", { program: "count", breakpoints }))["state"], "stopped");
    }),
  );
});

const python = ["python3", "/usr/bin/python3"].find(
  (each) => spawnSync(each, ["-m", "debugpy", "--version"]).status === 0,
);
const skip = python === undefined ? "debugpy is not installed" : false;

test("an agent debugs a Python program with debugpy", { skip }, async () => {
  await withFolder((folder) => {
    const program = join(folder, "program.py");
    writeFiles(folder, {
      "program.py":
        "import time\nitems = list(range(500))\nx = sum(items)\nprint(x)\nwhile True:\n    time.sleep(0.05)\n",
    });
    const launch = { program, python: [python], console: "internalConsole" };
    const sum = { command: python, args: ["-m", "debugpy.adapter"], launch };
    return withAgent(folder, { sum }, async (call) => {
      const breakpoints = { [program]: [{ line: 4, condition: "x > 1" }] };
      const stop = await call("launch", { program: "sum", breakpoints });
      assert.deepEqual([stop["state"], stop["frames"][0].line], ["stopped", 4]);
      // The variable holds a list that is too long for an agent to read.
      assert.ok(JSON.stringify(stop).length < 20_000, `${JSON.stringify(stop).length}`);
      assert.match(JSON.stringify(stop["frames"]), /"cut":\{"reason"/);
      assert.deepEqual(await call("evaluate", { expression: "len(items)" }), {
        result: "500",
        type: "int",
      });
      const running = await call("run", { seconds: 2 });
      assert.deepEqual([running["state"], String(running["output"]).trim()], ["running", "124750"]);
      const paused = await call("run", { how: "pause" });
      assert.deepEqual([paused["state"], paused["reason"]], ["stopped", "pause"]);
      assert.equal((await call("stop"))["state"], "ended");
    });
  });
});
