/** Runs the example adapters as processes with real clients. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { connect, type Connection } from "@wirewright/dap/connection";
import { tcpTransport, spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { startServer } from "../../support/adapter-server.js";
import { fromRoot } from "../../support/paths.js";
import { entryPoints } from "../../support/workspaces.js";
import { textAdapter, inPlace, findingsIn } from "../../support/text-adapter.js";

/** Runs a session with the official client: first to a breakpoint, then to the end. */
async function officialSession(program: string, port?: number): Promise<void> {
  const client = new DebugClient("node", textAdapter, "text");
  await client.start(port);
  try {
    await client.hitBreakpoint({ program }, { path: program, line: 2 });
    const { stackFrames } = (await client.stackTraceRequest({ threadId: 1 })).body;
    assert.deepEqual(stackFrames, [
      { id: 1, name: "text", line: 2, column: 1, source: { name: "text", path: program } },
    ]);
    await Promise.all([client.waitForEvent("terminated"), client.continueRequest({ threadId: 1 })]);
  } finally {
    await client.stop(); // `stop` sends disconnect.
  }
}

test("the official client sends disconnect again even if the test has already sent it", async () => {
  const client = new DebugClient("node", textAdapter, "text");
  await client.start();
  await client.initializeRequest();
  await client.disconnectRequest();
  await client.stop();
});

/** Runs a session with our client, and returns the names of the messages in order. */
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
  "response setBreakpoints",
  "response configurationDone",
  "event output",
  "event stopped",
  "response launch",
  "event output",
  "response continue",
  "event stopped",
  "event output",
  "event output",
  "response continue",
  "event terminated",
  "response disconnect",
];

describe("the adapter from the README works with clients", { timeout: 120_000 }, () => {
  test("the official client debugs with the adapter over stdio, twice in a row", () =>
    inPlace(async ({ program }) => {
      for (let round = 0; round < 2; round++) await officialSession(program);
    }));

  test("the official client debugs with the adapter over TCP, twice in a row", () =>
    inPlace(async ({ program, log }) => {
      const server = await startServer(textAdapter, ["--server=0", `--log=${log}`]);
      for (let round = 0; round < 2; round++) await officialSession(program, server.port);
      await server.stop();
      assert.deepEqual(findingsIn(log), []);
      const sessions = readFileSync(log, "utf8").match(/^\{"session":\d/gm)!;
      assert.deepEqual([...new Set(sessions)], ['{"session":1', '{"session":2']);
    }));

  test("our client debugs with the adapter over stdio, twice in a row, without lint findings", () =>
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

  test("two of our clients debug with the adapter over TCP at the same time", () =>
    inPlace(async ({ program }) => {
      const server = await startServer(textAdapter);
      const open = async (options: object): Promise<Connection<"client">> =>
        connect("client", await tcpTransport(server.port), options);
      const orders = await Promise.all([ownSession(program, open), ownSession(program, open)]);
      assert.deepEqual(orders, [ownOrder, ownOrder]);
      await server.stop();
    }));

  test("the adapter's error gives the reason if it cannot launch or listen", () =>
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
        'Cannot run the adapter: --server requires a port from 0 to 65535, not "70000"\n',
      );
    }));

  test("a CommonJS program can end with runAdapter() without await", () =>
    inPlace(async ({ folder }) => {
      const program = join(folder, "adapter.cjs");
      const [adapterModule, nodeModule] = ["adapter", "node"].map((name) =>
        JSON.stringify(pathToFileURL(fromRoot(`build/${entryPoints("dap").get(name)!}.js`)).href),
      );
      writeFileSync(
        program,
        `Promise.all([import(${adapterModule}), import(${nodeModule})]).then(([dap, node]) => {
          void node.runAdapter(dap.defineAdapter({ handlers: { launch: () => undefined } }));
        });\n`,
      );
      const session = await launch(await spawnAdapter(process.execPath, [program]), {
        arguments: {},
      });
      assert.equal((await session.disconnect()).reason, "closed");
      const { status, stderr } = spawnSync(process.execPath, [program, "--server=70000"]);
      assert.deepEqual(
        [status, String(stderr)],
        [2, 'Cannot run the adapter: --server requires a port from 0 to 65535, not "70000"\n'],
      );
    }));

  test("the adapter accepts an option's value as a separate argument", () =>
    inPlace(async ({ program, log }) => {
      const server = await startServer(textAdapter, ["--server", "0", "--log", log]);
      await officialSession(program, server.port);
      await server.stop();
      assert.deepEqual(findingsIn(log), []);
    }));

  test("the adapter refuses unknown options, and options without a value", () => {
    const known = "Valid options are --server PORT and --log FILE\n";
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
      [["--server="], '--server requires a port from 0 to 65535, not ""\n'],
      [["--server", "here"], '--server requires a port from 0 to 65535, not "here"\n'],
    ];
    for (const [args, text] of refusals)
      assert.deepEqual(run(...args), [2, "", `Cannot run the adapter: ${text}`], args.join(" "));
    const [status, help, error] = run("--help");
    assert.deepEqual([status, error], [0, ""]);
    assert.match(String(help), /^Debug adapter options:\n {2}--server PORT .*\n {2}--log FILE/);
    // The adapter may use arguments without a hyphen, and all arguments after `--`, for other
    // purposes.
    assert.deepEqual(run("mine", "--", "--serve=3"), [0, "", ""]);
  });
});

test("a recording contains the noise, faults and ends of both directions, at their offsets", () =>
  inPlace(async ({ log }) => {
    const asked = JSON.stringify({
      seq: 1,
      type: "request",
      command: "initialize",
      arguments: { adapterID: "a" },
    });
    const framed = `Content-Length: ${asked.length}\r\n\r\n${asked}`;
    const input = `noise here\n${framed}Content-Length: 5\r\n\r\n{bad}Content-Length: 20\r\n\r\n{"seq"`;
    spawnSync(process.execPath, [textAdapter, "--log", log], { input });
    const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(1);
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const sent = entries.filter(({ from }) => from === "client");
    assert.deepEqual(
      sent.map(({ kind, offset, length, code, text, how }) => [
        kind,
        offset,
        length,
        code ?? text ?? how,
      ]),
      [
        ["noise", 0, 11, "noise here\n"],
        ["message", 11, framed.length, undefined],
        ["fault", 11 + framed.length, 26, "ERR_JSON"],
        ["fault", 37 + framed.length, 28, "ERR_TRUNCATED"],
        ["end", undefined, undefined, "closed"],
      ],
    );
    assert.deepEqual(
      entries.filter(({ from }) => from === "adapter").map(({ kind, session }) => [kind, session]),
      [
        ["message", 1],
        ["message", 1],
        ["end", 1],
      ],
    );
  }));
