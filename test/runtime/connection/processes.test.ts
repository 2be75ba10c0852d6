import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test, type TestContext } from "node:test";
import type { Problem, RequestError } from "../../../generated/dap/connection.js";
import { connect } from "../../../generated/dap/connection.js";
import { connectTcp, ProcessEndedError, spawnAdapter } from "../../../generated/dap/node.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { until } from "../../support/scripted-connection.js";

const script = fromRoot("build/test/support/peer-process.js");
const timeout = 30_000;

type SpawnOptions = NonNullable<Parameters<typeof spawnAdapter>[2]>;

/** Starts a peer, and collects its problems and what it says on its error output. */
async function start(
  context: TestContext,
  peer: readonly string[],
  options: SpawnOptions = {},
): Promise<Awaited<ReturnType<typeof spawnAdapter>> & { problems: Problem[]; said: () => string }> {
  const problems: Problem[] = [];
  const spawned = await spawnAdapter(process.execPath, [script, ...peer], {
    onProblem: (problem) => void problems.push(problem),
    stdio: "pipe",
    ...options,
  });
  context.after(() => void spawned.process.kill("SIGKILL"));
  let said = "";
  spawned.process.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return { ...spawned, problems, said: () => said };
}

describe("closing ends a process", () => {
  test("by the end of its input", { timeout }, async (context) => {
    const { connection, process: child, exited, problems } = await start(context, ["adapter"]);
    await connection.request("threads");
    await connection.close();
    assert.deepEqual([child.exitCode, await exited, problems], [0, 0, []]);
  });

  test("by a signal, if it ignores the end of its input", { timeout }, async (context) => {
    const options = { exitGraceMs: 50, killGraceMs: 20_000 };
    const { connection, process: child, said } = await start(context, ["stubborn"], options);
    await connection.request("threads");
    await connection.close({ timeoutMs: 20_000 });
    assert.deepEqual([child.exitCode, said()], [0, "end of input\nSIGTERM\n"]);
  });

  test("by SIGKILL, if it ignores signals, too", { timeout }, async (context) => {
    const options = { exitGraceMs: 50, killGraceMs: 50 };
    const peer = ["stubborn", "SIGTERM"];
    const { connection, process: child, said, exited } = await start(context, peer, options);
    await connection.request("threads");
    await connection.close({ timeoutMs: 20_000 });
    assert.deepEqual([child.signalCode, await exited], ["SIGKILL", null]);
    assert.equal(said(), "end of input\nSIGTERM\n");
  });

  test("by SIGKILL when the time for closing is over", { timeout }, async (context) => {
    const { connection, process: child } = await start(context, ["stubborn"], {
      exitGraceMs: Infinity,
    });
    await connection.request("threads");
    await connection.close({ timeoutMs: 50 });
    assert.equal(child.signalCode, "SIGKILL");
  });

  test("also if it is stopped, and does not read", { timeout }, async (context) => {
    const options = { exitGraceMs: 50, killGraceMs: 50 };
    const { connection, process: child } = await start(context, ["adapter"], options);
    await connection.request("threads");
    child.kill("SIGSTOP");
    const asked = connection.request("threads");
    const sent = connection.notifyCustom("large", "x".repeat(4_000_000));
    await connection.close({ timeoutMs: 500 });
    assert.equal(child.signalCode, "SIGKILL");
    await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
    await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
  });

  test("with the signal and at the times that are asked for", { timeout }, async (context) => {
    const options = { exitGraceMs: 0, killGraceMs: 20_000, killSignal: "SIGUSR2" as const };
    const { connection, process: child } = await start(context, ["stubborn"], options);
    await connection.request("threads");
    await connection.close({ timeoutMs: 20_000 });
    assert.equal(child.signalCode, "SIGUSR2");
    for (const [graces, option] of [
      [{ exitGraceMs: NaN }, "exitGraceMs NaN"],
      [{ killGraceMs: -1 }, "killGraceMs -1"],
    ] as const)
      await assert.rejects(spawnAdapter("never-started", [], graces), {
        code: "ERR_OUT_OF_RANGE",
        message: `Cannot use ${option}: expected a number of milliseconds from 0`,
      });
  });
});

test("options that are refused leave no process behind", { timeout }, async () => {
  const processes = (): number =>
    process.getActiveResourcesInfo().filter((each) => each === "ProcessWrap").length;
  // Those of the tests before are gone a moment after their end.
  await until(() => processes() === 0);
  await assert.rejects(
    spawnAdapter(process.execPath, [script, "stubborn", "SIGTERM"], { timeoutMs: NaN }),
    { code: "ERR_OUT_OF_RANGE" },
  );
  await until(() => processes() === 0);
});

describe("a process that dies", () => {
  const dying = async (
    context: TestContext,
    how: string,
    text: string,
    options?: SpawnOptions,
    peer = "dying",
  ): Promise<{ error: RequestError; closed: Error | undefined; problems: Problem[] }> => {
    const { connection, problems } = await start(context, [peer, how, text], options);
    const error: RequestError = await connection.request("threads").then(
      () => assert.fail("answered"),
      (cause: RequestError) => cause,
    );
    return { error, closed: await connection.closed, problems };
  };

  test("is named with its exit code and its last words", { timeout }, async (context) => {
    const { error, closed, problems } = await dying(context, "3", "loading…\npanic: \x1b[31mno\n");
    const end =
      "the process ended with exit code 3; its error output ends with:\n  loading…\n  panic: \\u001b[31mno";
    assert.deepEqual(
      [error.code, error.message],
      [
        "ERR_CONNECTION_CLOSED",
        `Cannot get a response to "threads": the connection is closed: ${end}`,
      ],
    );
    assert.ok(closed instanceof ProcessEndedError);
    assert.equal(error.cause, closed);
    assert.deepEqual(
      [closed.code, closed.exitCode, closed.signal, closed.errorOutput, closed.message],
      ["ERR_PROCESS_ENDED", 3, null, "loading…\npanic: \x1b[31mno", end],
    );
    assert.deepEqual(
      problems.map(({ code, text, cause }) => [code, text, cause === closed]),
      [["ERR_TRANSPORT", `The transport failed: ${end}`, true]],
    );
  });

  test("is named with the signal that ended it", { timeout }, async (context) => {
    const { error, closed } = await dying(context, "SIGABRT", "");
    assert.equal(
      error.message,
      'Cannot get a response to "threads": the connection is closed: the process was ended by SIGABRT',
    );
    assert.deepEqual(
      [(closed as ProcessEndedError).exitCode, (closed as ProcessEndedError).signal],
      [null, "SIGABRT"],
    );
  });

  test("with exit code 0 is no problem, but for those who wait", { timeout }, async (context) => {
    const { error, closed, problems } = await dying(context, "0", "bye\n");
    assert.equal(
      error.message,
      'Cannot get a response to "threads": the connection is closed: the process ended with exit code 0; its error output ends with:\n  bye',
    );
    assert.deepEqual([closed, problems], [undefined, []]);
  });

  test("leaves its last lines only, however much it says", { timeout }, async (context) => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const { closed } = await dying(context, "1", lines.slice(0, 10_000).join("\n"));
    assert.equal((closed as ProcessEndedError).errorOutput, lines.slice(9_990, 10_000).join("\n"));
    const long = await dying(context, "1", "é".repeat(30_000));
    assert.ok((long.closed as ProcessEndedError).errorOutput.length <= 8_192);
  });

  test("is named with its last words, whoever reads them", { timeout }, async (context) => {
    const spawned = await spawnAdapter(process.execPath, [script, "dying", "6", "unread\n"], {
      stdio: "pipe",
    });
    context.after(() => void spawned.process.kill("SIGKILL"));
    await assert.rejects(spawned.connection.request("threads"), {
      message:
        'Cannot get a response to "threads": the connection is closed: the process ended with exit code 6; its error output ends with:\n  unread',
    });
  });

  test("is known to, though another one holds its output open", { timeout }, async (context) => {
    const began = performance.now();
    const { error } = await dying(context, "4", "", { stdio: "pipe" }, "leaving");
    assert.equal(
      error.message,
      'Cannot get a response to "threads": the connection is closed: the process ended with exit code 4; its error output ends with:\n  gone',
    );
    assert.ok(performance.now() - began < 5_000);
  });

  test("has not died if it has closed its input only", { timeout }, async (context) => {
    const { connection, said, problems } = await start(context, ["deaf"], { exitGraceMs: 20 });
    await until(() => said() === "deaf\n");
    await assert.rejects(connection.request("threads"), {
      code: "ERR_CONNECTION_CLOSED",
      message: 'Cannot get a response to "threads": the connection is closed: write EPIPE',
    });
    assert.deepEqual(
      problems.map(({ code, text }) => [code, text]),
      [["ERR_TRANSPORT", "The transport failed: write EPIPE"]],
    );
  });

  test("says nothing where its error output goes elsewhere", { timeout }, async (context) => {
    const { closed } = await dying(context, "2", "unheard\n", {
      stdio: ["pipe", "pipe", "ignore"],
    });
    assert.equal(closed?.message, "the process ended with exit code 2");
  });

  test("and its output before that is read", { timeout }, async (context) => {
    const { connection, process: child } = await start(context, ["adapter"]);
    await connection.request("threads");
    const asked = connection.request("threads");
    await asked;
    child.kill("SIGKILL");
    await connection.closed;
    await assert.rejects(connection.request("threads"), {
      message:
        'Cannot get a response to "threads": the connection is closed: the process was ended by SIGKILL',
    });
  });

  test("by ending its output, is ended", { timeout }, async (context) => {
    const { connection, process: child } = await start(context, ["mute"], { exitGraceMs: 20 });
    await assert.rejects(connection.request("threads"), {
      message:
        'Cannot get a response to "threads": the connection is closed: the process has closed its output',
    });
    await connection.closed;
    assert.equal(child.signalCode, "SIGTERM");
  });
});

test(
  "its error output is passed on, and kept, unless stdio says otherwise",
  { timeout },
  async (context) => {
    const asking = spawn(process.execPath, [script, "asking", "dying", "5", "last words\n"]);
    let stdout = "";
    let stderr = "";
    asking.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    asking.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(asking, "close")) as [number];
    assert.deepEqual(
      [code, stderr, stdout.split("\n").slice(-4)],
      [
        0,
        "last words\n",
        [
          'Cannot get a response to "threads": the connection is closed: the process ended with exit code 5; its error output ends with:',
          "  last words",
          "5",
          "",
        ],
      ],
    );

    const streams = async (stdio: SpawnOptions["stdio"]): Promise<boolean> => {
      const { process: child, connection } = await start(context, ["adapter"], { stdio });
      await connection.request("threads");
      await connection.close();
      return child.stderr !== null;
    };
    assert.deepEqual(
      [
        await streams("ignore"),
        await streams("inherit"),
        await streams("pipe"),
        await streams(["ignore", "ignore", "pipe"]),
        await streams(["pipe", "pipe", "ignore"]),
      ],
      [false, false, true, true, false],
    );
  },
);

/** Starts a client that starts a peer; resolves once both are at work, then once both are gone. */
async function startBoth(
  context: TestContext,
  ending: string,
  ...peer: readonly string[]
): Promise<{ readonly kill: () => void; readonly gone: Promise<unknown> }> {
  const client = spawn(process.execPath, [script, "client", ending, ...peer]);
  context.after(() => void client.kill("SIGKILL"));
  let said = "";
  client.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  // The peer has inherited it: it ends with the last of both.
  const gone = once(client.stderr, "end");
  await until(() => said.includes("started"));
  return { kill: () => void client.kill("SIGKILL"), gone };
}

test(
  "an adapter that talks does not outlive a client that is killed",
  { timeout },
  async (context) => {
    const { kill, gone } = await startBoth(context, "stay", "talkative");
    kill();
    await gone;
  },
);

for (const ending of ["exit", "throw"])
  test(
    `an adapter that ignores everything does not outlive a client's ${ending}`,
    { timeout },
    async (context) => {
      const { gone } = await startBoth(context, ending, "stubborn", "SIGTERM");
      await gone;
    },
  );

test("a TCP peer that is stopped, or killed", { timeout }, async (context) => {
  const server = spawn(process.execPath, [script, "server"]);
  context.after(() => void server.kill("SIGKILL"));
  const [printed] = (await once(server.stdout, "data")) as [Buffer];
  const port = Number(printed.toString());
  const first = await connectTcp(port);
  const client = connect("client", first);
  const problems: string[] = [];
  const other = connect("client", await connectTcp(port), {
    onProblem: ({ code }) => void problems.push(code),
  });
  await Promise.all([client.request("threads"), other.request("threads")]);

  server.kill("SIGSTOP");
  const asked = client.request("threads");
  const sent = client.notifyCustom("large", "x".repeat(20_000_000));
  await client.close({ timeoutMs: 200 });
  await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
  await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
  assert.equal(first.socket.destroyed, true);

  const lost = other.request("threads");
  server.kill("SIGKILL");
  await assert.rejects(lost, { code: "ERR_CONNECTION_CLOSED" });
  await other.closed;
  assert.ok(problems.length <= 1);
});

test("a TCP peer that never ends its side", { timeout }, async (context) => {
  const { createServer } = await import("node:net");
  const accepted: import("node:net").Socket[] = [];
  const server = createServer(
    { allowHalfOpen: true },
    (socket) => void accepted.push(socket.resume()),
  );
  context.after(() => {
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = await connectTcp((server.address() as { port: number }).port);
  const client = connect("client", transport);
  await client.close();
  assert.equal(transport.socket.destroyed, true);
});
