import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { withFolder } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { until } from "../../support/scripted-connection.js";

const multiplexer = fromRoot("build/examples/multiplexer.js");
const adapter = [process.execPath, fromRoot("build/examples/text-adapter.js")];

test("a client debugs two programs through the multiplexer", () =>
  withFolder(async (folder) => {
    const paths = ["one", "two"].map((name) => join(folder, `${name}.txt`));
    for (const path of paths) writeFileSync(path, "first\nsecond\nthird\n");
    const problems: string[] = [];
    const events: unknown[] = [];
    const spawned = await spawnAdapter(
      process.execPath,
      [multiplexer, "--", ...adapter, "--", ...adapter],
      {
        timeoutMs: 30_000,
        onProblem: ({ message }) => void problems.push(message),
      },
    );
    const session = await launch(spawned, {
      arguments: { launches: paths.map((program) => ({ program })) },
      breakpoints: { [paths[0]!]: [2] },
      onEvent: ({ event, body }) => {
        if (event !== "output")
          events.push([event, (body as { threadId?: number } | undefined)?.threadId]);
      },
    });
    assert.deepEqual(session.capabilities, {
      supportsCancelRequest: true,
      supportsConfigurationDoneRequest: true,
    });
    assert.deepEqual(session.breakpoints.all, [{ verified: true, line: 2 }]);
    await until(() => events.length === 3);
    const { threads } = await session.request("threads");
    assert.deepEqual(threads, [
      { id: 2, name: "main" },
      { id: 3, name: "main" },
    ]);
    for (const [index, threadId] of [2, 3].entries()) {
      const { frames } = await session.snapshot({ threadId });
      assert.deepEqual(
        frames.map(({ id, path, line }) => [id, path, line]),
        [[threadId, paths[index], 2]],
      );
      const { scopes } = await session.request("scopes", { frameId: threadId });
      assert.deepEqual(scopes, []);
    }
    await session.request("continue", { threadId: 3 });
    await session.request("continue", { threadId: 2 });
    const end = await session.waitForEnd();
    assert.deepEqual([end.kind, end.reason], ["ended", "terminated"]);
    const sorted = events.map((each) => JSON.stringify(each)).sort();
    assert.deepEqual(sorted, [
      '["initialized",null]',
      '["stopped",2]',
      '["stopped",3]',
      '["terminated",null]',
    ]);
    assert.equal(
      session.output.text().split("\n").sort().join(),
      ",first,first,second,second,third,third",
    );
    await session.terminate();
    assert.equal(await spawned.exited, 0);
    assert.deepEqual(problems, []);
  }));

test("the multiplexer prints its usage if no adapters are given", () => {
  for (const args of [[], ["--"], ["--", "a", "--"]]) {
    const { status, stderr } = spawnSync(process.execPath, [multiplexer, ...args], {
      encoding: "utf8",
    });
    assert.deepEqual([status, stderr.slice(0, 23)], [2, "usage: multiplexer -- A"]);
  }
});
