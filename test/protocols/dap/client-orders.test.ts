import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { spawnAdapter } from "@wirewright/dap/node";
import { fromRoot, shared } from "../../support/paths.js";
import { textAdapter, inPlace, findingsIn } from "../../support/text-adapter.js";

interface Recorded {
  readonly from: "client" | "adapter";
  readonly message: {
    readonly type: string;
    readonly command?: string;
    readonly event?: string;
    readonly arguments?: object;
  };
}

/** Events that a client waits for before it continues. */
const awaited = ["initialized", "stopped", "terminated"];

/**
 * Sends a recorded client's requests in the same order. Before each request, waits for the
 * responses and events that the client had received by then. Returns the requests and the failures.
 */
async function handshake(
  recording: readonly Recorded[],
  program: string,
  log: string,
  adapter = textAdapter,
): Promise<{ readonly asked: string[]; readonly failed: string[] }> {
  const { connection: client } = await spawnAdapter(process.execPath, [adapter, `--log=${log}`], {
    timeoutMs: 10_000,
  });
  const due = new Map(awaited.map((name) => [name, client.once(name as "stopped")]));
  const answers = new Map<string, Promise<unknown>>();
  const asked: string[] = [];
  const failed: string[] = [];
  for (const { from, message } of recording) {
    const { type, command = "", event = "" } = message;
    if (from === "client" && type === "request") {
      const given = JSON.stringify(message.arguments)?.replace(
        /"[^"]*\.py"/g,
        JSON.stringify(program),
      );
      asked.push(command);
      const parameters = given === undefined ? undefined : (JSON.parse(given) as object);
      const answer = client.requestCustom(command, parameters);
      answers.set(
        command,
        answer.catch(() => void failed.push(command)),
      );
    } else if (type === "response") await answers.get(command);
    else if (from === "adapter") {
      await due.get(event);
      if (event === "stopped") due.set(event, client.once(event));
    }
  }
  await Promise.all(answers.values());
  // Send disconnect if the recorded client did not. Otherwise, the new recording would show that
  // the adapter ended an unfinished session.
  if (!asked.includes("disconnect")) await client.request("disconnect");
  await client.close();
  return { asked, failed };
}

/** Reads a recording's messages, up to the first event with the given name. */
function upTo(path: string, last?: string): readonly Recorded[] {
  const all = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
  if (last === undefined) return all;
  return all.slice(0, all.findIndex(({ message }) => message.event === last) + 1);
}

const orders = "test/fixtures/recordings/orders";

/** VS Code's order, in which the client does not wait for the `launch` response. */
const visualStudioCode = upTo(fromRoot(`${orders}/vscode.jsonl`));

/**
 * nvim-dap's order, in which breakpoints are set only after the `initialized` event, and exception
 * filters are always sent.
 */
const neovim = upTo(fromRoot(`${orders}/nvim-dap.jsonl`), "stopped");

describe("real clients start the adapter from the README", { timeout: 60_000 }, () => {
  test("the adapter accepts requests in VS Code's order", () =>
    inPlace(async ({ program, log }) => {
      const { failed } = await handshake(visualStudioCode, program, log);
      assert.deepEqual(failed, []);
      assert.deepEqual(findingsIn(log), []);
    }));

  test("the adapter with variables accepts requests in VS Code's order", () =>
    inPlace(async ({ program, log }) => {
      const adapter = fromRoot("build/examples/adapter.js");
      const { failed } = await handshake(visualStudioCode, program, log, adapter);
      assert.deepEqual(failed, []);
      assert.deepEqual(findingsIn(log), []);
    }));

  const recorded = shared("logs/nvim-dap/truth.jsonl");
  for (const recording of [neovim, ...(recorded === undefined ? [] : [upTo(recorded, "stopped")])])
    test(`the adapter accepts requests in nvim-dap's order${recording === neovim ? "" : ", as recorded with debugpy"}`, () =>
      inPlace(async ({ program, log }) => {
        writeFileSync(program, "line\n".repeat(12));
        const { asked, failed } = await handshake(recording, program, log);
        const sent = ["initialize", "launch", "setBreakpoints", "setExceptionBreakpoints"];
        assert.deepEqual(asked, [...sent, "configurationDone"]);
        assert.deepEqual(failed, []);
        assert.deepEqual(findingsIn(log), []);
      }));
});
