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

/** Reads a recording's messages up to the first event with the given name. */
function upTo(text: string, last: string): readonly Recorded[] {
  const all = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
  const end = all.findIndex(({ message }) => message.event === last);
  return all.slice(0, end + 1);
}

/** VS Code's order, in which the client does not wait for the `launch` response. */
const visualStudioCode: readonly Recorded[] = [
  request("initialize", {
    clientID: "vscode",
    clientName: "Visual Studio Code",
    adapterID: "text",
    locale: "en",
    pathFormat: "path",
    linesStartAt1: true,
    columnsStartAt1: true,
    supportsVariableType: true,
    supportsVariablePaging: true,
    supportsMemoryEvent: true,
    supportsRunInTerminalRequest: true,
    supportsProgressReporting: true,
    supportsInvalidatedEvent: true,
    supportsMemoryReferences: true,
    supportsArgsCanBeInterpretedByShell: true,
    supportsStartDebuggingRequest: true,
  }),
  response("initialize"),
  request("launch", { name: "a", type: "text", request: "launch", program: "a.py" }),
  event("initialized"),
  request("setBreakpoints", {
    source: { name: "text.txt", path: "a.py" },
    sourceModified: false,
    lines: [3],
    breakpoints: [{ line: 3 }],
  }),
  response("setBreakpoints"),
  request("configurationDone"),
  response("configurationDone"),
  response("launch"),
  request("threads"),
  event("stopped"),
  response("threads"),
  request("threads"),
  response("threads"),
  request("stackTrace", { threadId: 1, startFrame: 0, levels: 1 }),
  response("stackTrace"),
  request("scopes", { frameId: 1 }),
  response("scopes"),
  request("continue", { threadId: 1 }),
  event("terminated"),
  request("disconnect", { restart: false, terminateDebuggee: true }),
  response("disconnect"),
];

/**
 * nvim-dap's order, in which breakpoints are set only after the `initialized` event, and exception
 * filters are always sent.
 */
const neovim: readonly Recorded[] = [
  request("initialize", {
    clientID: "neovim",
    clientName: "neovim",
    adapterID: "nvim-dap",
    locale: "C.UTF-8",
    pathFormat: "path",
    linesStartAt1: true,
    columnsStartAt1: true,
    supportsRunInTerminalRequest: true,
    supportsVariableType: true,
    supportsProgressReporting: true,
    supportsStartDebuggingRequest: true,
  }),
  response("initialize"),
  request("launch", { name: "a", type: "t", request: "launch", program: "a.py" }),
  event("initialized"),
  request("setBreakpoints", {
    source: { name: "a.py", path: "a.py" },
    sourceModified: false,
    lines: [7],
    breakpoints: [{ line: 7 }],
  }),
  response("setBreakpoints"),
  request("setExceptionBreakpoints", { filters: [] }),
  response("setExceptionBreakpoints"),
  request("configurationDone"),
  response("configurationDone"),
  response("launch"),
  event("stopped"),
];

function request(command: string, parameters?: object): Recorded {
  const given = parameters === undefined ? {} : { arguments: parameters };
  return { from: "client", message: { type: "request", command, ...given } };
}

function response(command: string): Recorded {
  return { from: "adapter", message: { type: "response", command } };
}

function event(name: string): Recorded {
  return { from: "adapter", message: { type: "event", event: name } };
}

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
  for (const recording of [
    neovim,
    ...(recorded === undefined ? [] : [upTo(readFileSync(recorded, "utf8"), "stopped")]),
  ])
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
