import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { StoppedEvent } from "@wirewright/dap";
import type { Connection, RequestError } from "@wirewright/dap/connection";
import { spawnAdapter, type SpawnedAdapter } from "@wirewright/dap/node";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";

const officialAdapter = fromRoot("build/test/fixtures/official-adapter.js");
const countingAdapter = fromRoot("build/examples/adapter.js");

/** Arguments for a whole session with an adapter, and the expected results. */
interface Session {
  readonly launch: object;
  readonly path: string;
  readonly breakpoint: { readonly line: number; readonly condition?: string };
  /** The program's line after a step. */
  readonly afterStep: number;
  readonly variable: readonly [name: string, value: string];
  readonly wrong: string;
  /**
   * An expression that takes a long time to evaluate, used for a request to cancel. Absent if the
   * adapter cannot cancel.
   */
  readonly slow?: string;
}

/**
 * Debugs a program from start to finish. Returns its output, and the error for the invalid
 * expression.
 */
async function debug(
  client: Connection<"client">,
  session: Session,
): Promise<{ readonly output: string; readonly error: string }> {
  let output = "";
  client.on("output", ({ category, output: text }) => {
    if (category === "stdout") output += text;
  });
  const ready = client.once("initialized");
  const capabilities = await client.request("initialize", {
    adapterID: "test",
    clientID: "wirewright",
    linesStartAt1: true,
    columnsStartAt1: true,
    pathFormat: "path",
  });
  assert.deepEqual(client.capabilities, capabilities);
  const launched = client.request("launch", session.launch);
  await ready;
  const { breakpoints } = await client.request("setBreakpoints", {
    source: { path: session.path },
    breakpoints: [session.breakpoint],
  });
  assert.deepEqual(
    breakpoints.map(({ verified, line }) => [verified, line]),
    [[true, session.breakpoint.line]],
  );
  const stopped = client.once("stopped");
  await client.request("configurationDone");
  await launched;
  const { threadId, reason } = await stopped;
  assert.equal(reason, "breakpoint");
  const { threads } = await client.request("threads");
  assert.ok(threads.some(({ id }) => id === threadId));
  const frameOf = async (): Promise<{ id: number; line: number }> => {
    const { stackFrames } = await client.request("stackTrace", { threadId: threadId!, levels: 1 });
    return stackFrames[0]!;
  };
  const { id: frameId, line } = await frameOf();
  assert.equal(line, session.breakpoint.line);
  const { scopes } = await client.request("scopes", { frameId });
  const { variables } = await client.request("variables", scopes[0]!);
  const [name, value] = session.variable;
  assert.equal(variables.find((each) => each.name === name)?.value, value);
  assert.equal((await client.request("evaluate", { expression: name, frameId })).result, value);
  const error = await client
    .request("evaluate", { expression: session.wrong, frameId, context: "watch" })
    .then(
      () => "none",
      ({ code, message }: RequestError) => `${code} ${message}`,
    );
  if (session.slow !== undefined) {
    const controller = new AbortController();
    const slow = client.request(
      "evaluate",
      { expression: session.slow, frameId },
      { signal: controller.signal },
    );
    // Adapters do not report when an evaluation begins, so wait for a moment.
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(slow, { name: "AbortError" });
  }
  const stepped = client.once("stopped");
  await client.request("next", { threadId: threadId! });
  assert.equal(((await stepped) as StoppedEvent["body"]).reason, "step");
  assert.equal((await frameOf()).line, session.afterStep);
  return { output, error };
}

async function withAdapter(
  command: string,
  args: readonly string[],
  use: (spawned: SpawnedAdapter, problems: string[]) => Promise<void>,
): Promise<void> {
  const problems: string[] = [];
  const spawned = await spawnAdapter(command, args, {
    timeoutMs: 20_000,
    onProblem: ({ code }) => void problems.push(code),
  });
  try {
    await use(spawned, problems);
  } finally {
    spawned.process.kill();
    await spawned.exited;
  }
}

const official: Session = {
  launch: {},
  path: "/a.txt",
  breakpoint: { line: 7, condition: "line == 7" },
  afterStep: 8,
  variable: ["a", "é"],
  wrong: "b",
  slow: "wait",
};

test("our client debugs a program with an adapter that uses the official library", async () => {
  await withAdapter(process.execPath, [officialAdapter], async ({ connection }, problems) => {
    assert.deepEqual(await debug(connection, official), {
      output: "Füße 😀\n",
      error: "ERR_REQUEST_FAILED There is no b in scope",
    });
    await connection.request("disconnect");
    assert.equal(connection.pending, 0);
    assert.deepEqual(problems, []);
  });
});

test("every call settles if the adapter dies in mid-response", async () => {
  await withAdapter(
    process.execPath,
    [officialAdapter],
    async ({ connection, exited }, problems) => {
      await debug(connection, official);
      const asked = connection.request("evaluate", { expression: "die" });
      await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
      await connection.closed;
      assert.equal(await exited, 3);
      assert.equal(problems[0], "ERR_TRUNCATED");
      await assert.rejects(connection.request("threads"), { code: "ERR_CONNECTION_CLOSED" });
    },
  );
});

test("every call settles if the adapter is killed", async () => {
  await withAdapter(process.execPath, [officialAdapter], async ({ connection, process: child }) => {
    await debug(connection, official);
    const asked = connection.request("evaluate", { expression: "wait" });
    child.kill("SIGKILL");
    await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
  });
});

test("our client debugs a program with our adapter", async () => {
  await withAdapter(
    process.execPath,
    [countingAdapter],
    async ({ connection, exited }, problems) => {
      assert.deepEqual(
        await debug(connection, {
          launch: {},
          path: "/program",
          breakpoint: { line: 2 },
          afterStep: 3,
          variable: ["total", "10"],
          wrong: "nonsense",
          slow: "sleep",
        }),
        { output: "", error: "ERR_REQUEST_FAILED There is no nonsense" },
      );
      let output = "";
      connection.on("output", (body) => void (output += body.output));
      const ended = connection.once("terminated");
      await connection.request("continue", { threadId: 1 });
      await ended;
      assert.equal(output, "Σ = 100 😀\n");
      await connection.request("disconnect");
      assert.equal(await exited, 0);
      assert.deepEqual(problems, []);
    },
  );
});

test("our client debugs a program with debugpy", { skip: skipWithoutDebugpy }, async () => {
  await withFolder(async (folder) => {
    const program = join(folder, "programm.py");
    const lines = [
      "total = 0",
      "for number in range(5):",
      "    total += number",
      "print('Größe', total)",
    ];
    writeFileSync(program, `${lines.join("\n")}\n`);
    assert.equal(readFileSync(program, "utf8").split("\n").length, 5);
    await withAdapter(python!, ["-m", "debugpy.adapter"], async ({ connection }, problems) => {
      const { error } = await debug(connection, {
        launch: { program, console: "internalConsole", python: [python!] },
        path: program,
        breakpoint: { line: 3, condition: "number == 3" },
        afterStep: 2,
        variable: ["total", "3"],
        wrong: "nonsense",
      });
      assert.match(error, /^ERR_REQUEST_FAILED [^]*NameError: name 'nonsense' is not defined/);
      let output = "";
      connection.on("output", ({ category, output: text }) => {
        if (category === "stdout") output += text;
      });
      const ended = connection.once("terminated");
      await connection.request("setBreakpoints", { source: { path: program }, breakpoints: [] });
      const stopped = connection.on(
        "stopped",
        ({ threadId }) =>
          void connection.request("continue", { threadId: threadId! }).catch(() => undefined),
      );
      const { threads } = await connection.request("threads");
      await connection.request("continue", { threadId: threads[0]!.id });
      await ended;
      stopped();
      assert.equal(output, "Größe 10\n");
      await connection.request("disconnect", {}).catch(() => undefined);
      assert.deepEqual(problems, []);
    });
  });
});
