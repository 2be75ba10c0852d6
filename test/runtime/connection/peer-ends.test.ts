import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test, type TestContext } from "node:test";
import { type Problem, type RequestError, connect } from "@wirewright/dap/connection";
import { tcpTransport, ProcessEndedError, spawnAdapter } from "@wirewright/dap/node";
import { until } from "../../support/scripted-connection.js";
import { script, type SpawnOptions, start } from "../../support/scripted-process.js";

describe("the end of a process is reported", () => {
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

  test("the error for a process that died contains its exit code and the last lines of its error output", async (context) => {
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
      problems.map(({ code, message, cause }) => [code, message, cause === closed]),
      [["ERR_TRANSPORT", `The transport failed: ${end}`, true]],
    );
  });

  test("the error for a process that died contains the signal that ended it", async (context) => {
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

  test("a process that exits with code 0 rejects only pending calls", async (context) => {
    const { error, closed, problems } = await dying(context, "0", "bye\n");
    assert.equal(
      error.message,
      'Cannot get a response to "threads": the connection is closed: the process ended with exit code 0; its error output ends with:\n  bye',
    );
    assert.deepEqual([closed, problems], [undefined, []]);
  });

  test("the error for a process that died contains only the last lines, no matter how much it printed", async (context) => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const { closed } = await dying(context, "1", lines.slice(0, 10_000).join("\n"));
    assert.equal((closed as ProcessEndedError).errorOutput, lines.slice(9_990, 10_000).join("\n"));
    const long = await dying(context, "1", "é".repeat(30_000));
    assert.ok((long.closed as ProcessEndedError).errorOutput.length <= 8_192);
  });

  test("the error for a process that died contains its last lines, even if another reader reads them", async (context) => {
    const spawned = await spawnAdapter(process.execPath, [script, "dying", "6", "unread\n"], {
      process: { stdio: "pipe" },
    });
    context.after(() => void spawned.process.kill("SIGKILL"));
    await assert.rejects(spawned.connection.request("threads"), {
      message:
        'Cannot get a response to "threads": the connection is closed: the process ended with exit code 6; its error output ends with:\n  unread',
    });
  });

  test("the end of a process is detected even if another process holds its output open", async (context) => {
    const began = performance.now();
    const { error } = await dying(context, "4", "", { process: { stdio: "pipe" } }, "leaving");
    assert.equal(
      error.message,
      'Cannot get a response to "threads": the connection is closed: the process ended with exit code 4; its error output ends with:\n  gone',
    );
    assert.ok(performance.now() - began < 5_000);
  });

  test("a process that has merely closed its input is not reported as dead", async (context) => {
    const { connection, errorOutput, problems } = await start(context, ["deaf"], {
      exitGraceMs: 20,
    });
    await until(() => errorOutput() === "deaf\n");
    await assert.rejects(connection.request("threads"), {
      code: "ERR_CONNECTION_CLOSED",
      message: 'Cannot get a response to "threads": the connection is closed: write EPIPE',
    });
    assert.deepEqual(
      problems.map(({ code, message }) => [code, message]),
      [["ERR_TRANSPORT", "The transport failed: write EPIPE"]],
    );
  });

  test("the error for a process that died contains no lines if its error output is redirected", async (context) => {
    const { closed } = await dying(context, "2", "unheard\n", {
      process: { stdio: ["pipe", "pipe", "ignore"] },
    });
    assert.equal(closed?.message, "the process ended with exit code 2");
  });

  test("a process's output is read before its end is reported", async (context) => {
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

  test("a process that closes its output is terminated", async (context) => {
    const { connection, process: child } = await start(context, ["mute"], { exitGraceMs: 20 });
    await assert.rejects(connection.request("threads"), {
      message:
        'Cannot get a response to "threads": the connection is closed: the process has closed its output',
    });
    await connection.closed;
    assert.equal(child.signalCode, "SIGTERM");
  });
});

/**
 * Starts a client that starts a peer. Resolves once both are running. `gone` resolves once both
 * have exited.
 */
async function startBoth(
  context: TestContext,
  ending: string,
  ...peer: readonly string[]
): Promise<{ readonly kill: () => void; readonly gone: Promise<unknown> }> {
  const client = spawn(process.execPath, [script, "client", ending, ...peer]);
  context.after(() => void client.kill("SIGKILL"));
  let errorOutput = "";
  client.stderr.on("data", (chunk: Buffer) => (errorOutput += chunk.toString()));
  // The peer inherits this stream, so the stream ends once both processes have exited.
  const gone = once(client.stderr, "end");
  await until(() => errorOutput.includes("started"));
  return { kill: () => void client.kill("SIGKILL"), gone };
}

test("an adapter that prints does not outlive a client that is killed", async (context) => {
  const { kill, gone } = await startBoth(context, "stay", "talkative");
  kill();
  await gone;
});

for (const ending of ["exit", "throw"])
  test(`an adapter that ignores signals and the end of its input does not outlive a client's ${ending}`, async (context) => {
    const { gone } = await startBoth(context, ending, "stubborn", "SIGTERM");
    await gone;
  });

test("a connection ends if its TCP peer is stopped or killed", async (context) => {
  const server = spawn(process.execPath, [script, "server"]);
  context.after(() => void server.kill("SIGKILL"));
  const [printed] = (await once(server.stdout, "data")) as [Buffer];
  const port = Number(printed.toString());
  const first = await tcpTransport(port);
  const client = connect("client", first);
  const problems: string[] = [];
  const other = connect("client", await tcpTransport(port), {
    onProblem: ({ code }) => void problems.push(code),
  });
  await Promise.all([client.request("threads"), other.request("threads")]);

  server.kill("SIGSTOP");
  const asked = client.request("threads");
  client.notifyCustom("large", "x".repeat(20_000_000));
  const sent = client.flushed();
  await client.close({ graceMs: 200 });
  await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
  await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
  assert.equal(first.socket.destroyed, true);

  const lost = other.request("threads");
  server.kill("SIGKILL");
  await assert.rejects(lost, { code: "ERR_CONNECTION_CLOSED" });
  await other.closed;
  assert.ok(problems.length <= 1);
});

test("a connection can be closed even if its TCP peer never ends its side", async (context) => {
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
  const transport = await tcpTransport((server.address() as { port: number }).port);
  const client = connect("client", transport);
  await client.close();
  assert.equal(transport.socket.destroyed, true);
});
