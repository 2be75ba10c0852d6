import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { spawnAdapter } from "@wirewright/dap/node";
import { until } from "../../support/scripted-connection.js";
import { script, type SpawnOptions, start } from "../../support/scripted-process.js";

describe("closing terminates a process", () => {
  test("a process is ended by the end of its input", async (context) => {
    const { connection, process: child, exited, problems } = await start(context, ["adapter"]);
    await connection.request("threads");
    await connection.close();
    assert.deepEqual([child.exitCode, await exited, problems], [0, 0, []]);
  });

  test("a process that ignores the end of its input is ended by a signal", async (context) => {
    const options = { exitGraceMs: 50, killGraceMs: 20_000 };
    const { connection, process: child, errorOutput } = await start(context, ["stubborn"], options);
    await connection.request("threads");
    await connection.close({ graceMs: 20_000 });
    assert.deepEqual([child.exitCode, errorOutput()], [0, "end of input\nSIGTERM\n"]);
  });

  test("a process that also ignores signals is ended by SIGKILL", async (context) => {
    const options = { exitGraceMs: 50, killGraceMs: 50 };
    const peer = ["stubborn", "SIGTERM"];
    const { connection, process: child, errorOutput, exited } = await start(context, peer, options);
    await connection.request("threads");
    await connection.close({ graceMs: 20_000 });
    assert.deepEqual([child.signalCode, await exited], ["SIGKILL", null]);
    assert.equal(errorOutput(), "end of input\nSIGTERM\n");
  });

  test("a process is terminated by SIGKILL when the timeout for closing has expired", async (context) => {
    const { connection, process: child } = await start(context, ["stubborn"], {
      exitGraceMs: Infinity,
    });
    await connection.request("threads");
    await connection.close({ graceMs: 50 });
    assert.equal(child.signalCode, "SIGKILL");
  });

  test("a suspended process that does not read is terminated", async (context) => {
    const options = { exitGraceMs: 50, killGraceMs: 50 };
    const { connection, process: child } = await start(context, ["adapter"], options);
    await connection.request("threads");
    child.kill("SIGSTOP");
    const asked = connection.request("threads");
    connection.notifyCustom("large", "x".repeat(4_000_000));
    const sent = connection.flushed();
    await connection.close({ graceMs: 500 });
    assert.equal(child.signalCode, "SIGKILL");
    await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
    await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
  });

  test("a process is terminated with the chosen signal after the chosen times", async (context) => {
    const options = {
      exitGraceMs: 0,
      killGraceMs: 20_000,
      process: { killSignal: "SIGUSR2" as const },
    };
    const { connection, process: child } = await start(context, ["stubborn"], options);
    await connection.request("threads");
    await connection.close({ graceMs: 20_000 });
    assert.equal(child.signalCode, "SIGUSR2");
    for (const [graces, option] of [
      [{ exitGraceMs: NaN }, '"exitGraceMs" must be a number of milliseconds, at least 0, not NaN'],
      [{ killGraceMs: -1 }, '"killGraceMs" must be a number of milliseconds, at least 0, not -1'],
      [{ process: { timeout: 300 } } as object, '"process" must be an object without "timeout"'],
    ] as const)
      await assert.rejects(spawnAdapter("never-started", [], graces), {
        name: "TypeError",
        message: new RegExp(option.replace(/[?.]/g, "\\$&")),
      });
  });
});

test("no process is left running if the options are refused", async () => {
  const processes = (): number =>
    process.getActiveResourcesInfo().filter((each) => each === "ProcessWrap").length;
  // Processes from earlier tests exit shortly after those tests.
  await until(() => processes() === 0);
  await assert.rejects(
    spawnAdapter(process.execPath, [script, "stubborn", "SIGTERM"], { timeoutMs: NaN }),
    /^TypeError: spawnAdapter: the option "timeoutMs"/,
  );
  await assert.rejects(
    spawnAdapter(process.execPath, [script, "stubborn", "SIGTERM"], { timeout: 300 } as object),
    /^TypeError: spawnAdapter: unknown option "timeout"\. Did you mean "timeoutMs"\?/,
  );
  await until(() => processes() === 0);
});

test("error output is forwarded and kept, unless the stdio option prevents it", async (context) => {
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

  const streams = async (
    stdio: NonNullable<SpawnOptions["process"]>["stdio"],
  ): Promise<boolean> => {
    const { process: child, connection } = await start(context, ["adapter"], {
      process: { stdio },
    });
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
});
