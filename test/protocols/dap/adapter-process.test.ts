/** Adapters as processes: the examples, under clients as they are. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { connect, type Connection } from "../../../generated/dap/connection.js";
import { connectTcp, spawnAdapter } from "../../../generated/dap/node.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { fromRoot, root, shared } from "../../../tools/shared/paths.js";
import { runCommand } from "../../support/run-command.js";

const textAdapter = fromRoot("build/examples/text-adapter.js");

interface Place {
  readonly folder: string;
  /** A text of four lines. */
  readonly program: string;
  readonly log: string;
}

function inPlace(run: (place: Place) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const program = join(folder, "text.txt");
    writeFileSync(program, "one\ntwo\nthree\nfour\n");
    await run({ folder, program, log: join(folder, "session.jsonl") });
  });
}

/** An adapter that waits for clients, and its port. */
async function listening(...args: string[]): Promise<[ChildProcess, number]> {
  const server = spawn(process.execPath, [textAdapter, "--server=0", ...args]);
  const [said] = (await once(server.stderr, "data")) as [Buffer];
  const port = /^waiting for debug protocol on port (\d+)\n$/.exec(said.toString())![1]!;
  return [server, Number(port)];
}

async function ending(server: ChildProcess): Promise<void> {
  server.kill();
  await once(server, "exit");
}

/** What lint says about the adapter's side of a recording, apart from remarks on what is allowed. */
function findingsIn(log: string): unknown {
  const { stdout } = runCommand(root, ["lint", log, "--format", "json"]);
  const { findings } = JSON.parse(stdout) as { findings: { from: string; severity: string }[] };
  return findings.filter(({ from, severity }) => from !== "client" && severity !== "info");
}

/** A session with the official client: to a breakpoint, and to the end. */
async function officialSession(program: string, port?: number): Promise<void> {
  const client = new DebugClient("node", textAdapter, "text");
  await client.start(port);
  try {
    await client.hitBreakpoint({ program }, { path: program, line: 2 });
    const { stackFrames } = (await client.stackTraceRequest({ threadId: 1 })).body;
    assert.deepEqual(stackFrames, [
      { id: 1, name: "text", line: 2, column: 1, source: { path: program } },
    ]);
    await Promise.all([client.waitForEvent("terminated"), client.continueRequest({ threadId: 1 })]);
  } finally {
    await client.stop(); // sends disconnect
  }
}

/** A session with our client. Returns the names of the messages in their order. */
async function ownSession(
  program: string,
  open: (options: object) => Promise<Connection<"client">>,
): Promise<string[]> {
  const seen: string[] = [];
  const note = (message: object): object => {
    const { type, command, event } = message as { type: string; command?: string; event?: string };
    seen.push(`${type} ${command ?? event}`);
    return message;
  };
  const client = await open({ timeoutMs: 10_000, middleware: [{ afterReceive: note }] });
  const initialized = client.once("initialized");
  const capabilities = await client.request("initialize", { adapterID: "text" });
  assert.deepEqual(capabilities, {
    supportsCancelRequest: true,
    supportsConfigurationDoneRequest: true,
  });
  await initialized;
  const stopped = client.once("stopped");
  const launched = client.request("launch", { program } as object);
  await client.request("setBreakpoints", {
    source: { path: program },
    breakpoints: [{ line: 2 }, { line: 3 }],
  });
  await client.request("configurationDone");
  await launched;
  assert.deepEqual(await stopped, { reason: "breakpoint", threadId: 1 });
  const stoppedAgain = client.once("stopped");
  await client.request("continue", { threadId: 1 });
  assert.deepEqual(await stoppedAgain, { reason: "breakpoint", threadId: 1 });
  const ended = client.once("terminated");
  await client.request("continue", { threadId: 1 });
  await ended;
  await client.request("disconnect");
  assert.equal(await client.closed, undefined);
  return seen;
}

const ownOrder = [
  "response initialize",
  "event initialized",
  "response launch",
  "response setBreakpoints",
  "response configurationDone",
  "event output",
  "event stopped",
  "event output",
  "response continue",
  "event stopped",
  "event output",
  "event output",
  "response continue",
  "event terminated",
  "response disconnect",
];

describe("the adapter of the README", { timeout: 120_000 }, () => {
  test("is debugged by the official client over stdio, twice", () =>
    inPlace(async ({ program }) => {
      for (let round = 0; round < 2; round++) await officialSession(program);
    }));

  test("is debugged by the official client over TCP, twice", () =>
    inPlace(async ({ program, log }) => {
      const [server, port] = await listening(`--log=${log}`);
      for (let round = 0; round < 2; round++) await officialSession(program, port);
      await ending(server);
      assert.deepEqual(findingsIn(log), []);
      const sessions = readFileSync(log, "utf8").match(/^\{"session":\d/gm)!;
      assert.deepEqual([...new Set(sessions)], ['{"session":1', '{"session":2']);
    }));

  test("is debugged by our client over stdio, twice, and leaves no finding", () =>
    inPlace(async ({ program, log }) => {
      for (let round = 0; round < 2; round++) {
        let exited: unknown;
        const open = async (options: object): Promise<Connection<"client">> => {
          const args = [textAdapter, `--log=${log}`];
          const spawned = await spawnAdapter(process.execPath, args, options);
          exited = spawned.exited;
          return spawned.connection;
        };
        assert.deepEqual(await ownSession(program, open), ownOrder);
        assert.equal(await exited, 0);
        assert.deepEqual(findingsIn(log), []);
      }
    }));

  test("is debugged by our clients over TCP, two at a time", () =>
    inPlace(async ({ program }) => {
      const [server, port] = await listening();
      const open = async (options: object): Promise<Connection<"client">> =>
        connect("client", await connectTcp(port), options);
      const orders = await Promise.all([ownSession(program, open), ownSession(program, open)]);
      assert.deepEqual(orders, [ownOrder, ownOrder]);
      await ending(server);
    }));

  test("says why it cannot launch, and why it cannot listen", () =>
    inPlace(async ({ folder }) => {
      const { connection } = await spawnAdapter(process.execPath, [textAdapter]);
      await connection.request("initialize", { adapterID: "text" });
      const launched = connection.request("launch", { program: join(folder, "none") } as object);
      await assert.rejects(launched, /no such file or directory/);
      await connection.close();
      const refused = spawn(process.execPath, [textAdapter, "--server=70000"]);
      const texts: Buffer[] = [];
      refused.stderr.on("data", (text: Buffer) => texts.push(text));
      assert.deepEqual(await once(refused, "close"), [2, null]);
      assert.equal(
        Buffer.concat(texts).toString(),
        'Cannot run the adapter: --server takes a port from 0 to 65535, not "70000"\n',
      );
    }));

  test("takes the values of options as words of their own", () =>
    inPlace(async ({ program, log }) => {
      const server = spawn(process.execPath, [textAdapter, "--server", "0", "--log", log]);
      const [said] = (await once(server.stderr, "data")) as [Buffer];
      const port = /^waiting for debug protocol on port (\d+)\n$/.exec(said.toString())![1]!;
      await officialSession(program, Number(port));
      await ending(server);
      assert.deepEqual(findingsIn(log), []);
    }));

  test("refuses options that it does not know, and options without a value", () => {
    const known = "The options are --server PORT and --log FILE\n";
    const run = (...args: string[]): readonly unknown[] => {
      const settings = { encoding: "utf8", input: "", timeout: 20_000 } as const;
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [textAdapter, ...args],
        settings,
      );
      return [status, stdout, stderr];
    };
    const refusals: readonly (readonly [args: string[], text: string])[] = [
      [["--serve=3"], `Unknown option '--serve'. ${known}`],
      [["-v"], `Unknown option '-v'. ${known}`],
      [["--server"], `Option '--server <value>' argument missing. ${known}`],
      [["--log"], `Option '--log <value>' argument missing. ${known}`],
      [["--server="], '--server takes a port from 0 to 65535, not ""\n'],
      [["--server", "here"], '--server takes a port from 0 to 65535, not "here"\n'],
    ];
    for (const [args, text] of refusals)
      assert.deepEqual(run(...args), [2, "", `Cannot run the adapter: ${text}`], args.join(" "));
    const [status, help, error] = run("--help");
    assert.deepEqual([status, error], [0, ""]);
    assert.match(
      String(help),
      /^Options of the debug adapter:\n {2}--server PORT .*\n {2}--log FILE/,
    );
    // Words without a hyphen, and what follows `--`, belong to the adapter's own program.
    assert.deepEqual(run("mine", "--", "--serve=3"), [0, "", ""]);
  });
});

interface Recorded {
  readonly from: "client" | "adapter";
  readonly message: {
    readonly type: string;
    readonly command?: string;
    readonly event?: string;
    readonly arguments?: object;
  };
}

/** Events that a client waits for before it goes on. */
const awaited = ["initialized", "stopped", "terminated"];

/**
 * Sends what a client has sent in a recording, in the same order: each request after the responses and events that
 * the client had seen. Returns what failed, and what the adapter was asked.
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
  await client.close();
  return { asked, failed };
}

/** The messages of a session up to its first stop, as one line each: who, and what. */
function upTo(text: string, last: string): readonly Recorded[] {
  const all = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
  const end = all.findIndex(({ message }) => message.event === last);
  return all.slice(0, end + 1);
}

/** The order of VS Code, which does not wait for the response to launch. */
const visualStudioCode: readonly Recorded[] = [
  request("initialize", {
    ...{ clientID: "vscode", clientName: "Visual Studio Code", adapterID: "text", locale: "en" },
    ...{ pathFormat: "path", linesStartAt1: true, columnsStartAt1: true },
    ...{ supportsVariableType: true, supportsVariablePaging: true, supportsMemoryEvent: true },
    ...{ supportsRunInTerminalRequest: true, supportsProgressReporting: true },
    ...{ supportsInvalidatedEvent: true, supportsMemoryReferences: true },
    ...{ supportsArgsCanBeInterpretedByShell: true, supportsStartDebuggingRequest: true },
  }),
  response("initialize"),
  request("launch", { name: "a", type: "text", request: "launch", program: "a.py" }),
  event("initialized"),
  request("setBreakpoints", {
    ...{ source: { name: "text.txt", path: "a.py" }, sourceModified: false },
    ...{ lines: [3], breakpoints: [{ line: 3 }] },
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

/** The order of nvim-dap, which sets breakpoints after the event only, and exceptions always. */
const neovim: readonly Recorded[] = [
  request("initialize", {
    ...{ clientID: "neovim", clientName: "neovim", adapterID: "nvim-dap", locale: "C.UTF-8" },
    ...{ pathFormat: "path", linesStartAt1: true, columnsStartAt1: true },
    ...{ supportsRunInTerminalRequest: true, supportsVariableType: true },
    ...{ supportsProgressReporting: true, supportsStartDebuggingRequest: true },
  }),
  response("initialize"),
  request("launch", { name: "a", type: "t", request: "launch", program: "a.py" }),
  event("initialized"),
  request("setBreakpoints", {
    ...{ source: { name: "a.py", path: "a.py" }, sourceModified: false },
    ...{ lines: [7], breakpoints: [{ line: 7 }] },
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

describe("real clients start the adapter of the README", { timeout: 60_000 }, () => {
  test("in the order of VS Code", () =>
    inPlace(async ({ program, log }) => {
      const { failed } = await handshake(visualStudioCode, program, log);
      assert.deepEqual(failed, []);
      assert.deepEqual(findingsIn(log), []);
    }));

  test("also the adapter with variables, in the order of VS Code", () =>
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
    test(`in the order of nvim-dap${recording === neovim ? "" : ", as recorded with debugpy"}`, () =>
      inPlace(async ({ program, log }) => {
        writeFileSync(program, "line\n".repeat(12));
        const { asked, failed } = await handshake(recording, program, log);
        const sent = ["initialize", "launch", "setBreakpoints", "setExceptionBreakpoints"];
        assert.deepEqual(asked, [...sent, "configurationDone"]);
        assert.deepEqual(failed, []);
        assert.deepEqual(findingsIn(log), []);
      }));
});
