import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { tcpTransport } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { openProtocol } from "wirewright";
import { scenarios } from "../client/scenarios.js";
import { ScenarioServer, writeClientRecordings } from "../client/serve-scenarios.js";
import { adapterResults, type AdapterResults } from "../report/adapter-results.js";

/** A client that can be tested without human interaction. */
interface PublishedClient {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly source: string;
  /** Runs one session with the adapter listening on the given port of 127.0.0.1. May reject. */
  run(port: number): Promise<unknown>;
}

/**
 * Returns the clients whose results are published.
 *
 * @param nvimDap Folder of nvim-dap, if it is to be tested.
 * @param script Path of `nvim-dap.lua`.
 */
export function publishedClients(
  nvimDap: string | undefined,
  script: string,
): readonly PublishedClient[] {
  const all: PublishedClient[] = [
    {
      name: "wirewright-session",
      title: "@wirewright/dap session",
      version: "",
      source: "this repository",
      run: runOwnSession,
    },
    {
      name: "debugadapter-testsupport",
      title: "@vscode/debugadapter-testsupport",
      version: "1.68.0",
      source: "npm package @vscode/debugadapter-testsupport",
      run: runTestClient,
    },
  ];
  if (nvimDap === undefined) return all;
  return [
    ...all,
    {
      name: "nvim-dap",
      title: "nvim-dap",
      version: "0.5.0",
      source: "repository mfussenegger/nvim-dap, in Debian's Neovim",
      run: (port) => runNeovim(nvimDap, script, port),
    },
  ];
}

function runNeovim(folder: string, script: string, port: number): Promise<void> {
  const program = join(mkdtempSync(join(tmpdir(), "wirewright-client-")), "program.txt");
  writeFileSync(program, "first line\nsecond line\n");
  const args = ["--clean", "--headless", "--cmd", `set rtp+=${folder}`, "-S", script];
  const child = spawn("nvim", args, {
    stdio: "ignore",
    env: { ...process.env, CONFORMANCE_PORT: String(port), CONFORMANCE_PROGRAM: program },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", () => resolve());
  });
}

/** Tests a client with all scenarios. Resolves to the client's results. */
export async function testClient(
  client: PublishedClient,
  { recordings, only }: { recordings?: string; only?: readonly string[] } = {},
): Promise<AdapterResults> {
  const protocol = await openProtocol("dap");
  const chosen = scenarios.filter(({ name }) => only?.includes(name) ?? true);
  const server = new ScenarioServer(chosen, protocol);
  const port = await server.listen(0);
  for (let tries = 0; server.left > 0 && tries < chosen.length * 2; tries++) {
    const before = server.left;
    await client.run(port).catch(() => undefined);
    // The server judges a session only after its connection has ended.
    for (let waits = 0; server.isPlaying && waits < 300; waits++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    if (server.left === before) break;
  }
  server.close();
  const { checks, sessions } = await server.result;
  if (recordings !== undefined)
    writeClientRecordings(join(recordings, client.name), sessions, protocol);
  if (sessions.length < chosen.length)
    throw new Error(`${client.name}: ${sessions.length} of ${chosen.length} scenarios were run`);
  const { name, title, version, source } = client;
  return adapterResults(name, { language: "none", title, version, source }, protocol.version, {
    capabilities: {},
    uses: {},
    checks,
  });
}

/** Runs a `@wirewright/dap` session that continues after each stop until the program ends. */
export async function runOwnSession(port: number): Promise<void> {
  const session = await launch(() => tcpTransport(port), {
    arguments: { program: "/program.txt" },
    breakpoints: { "/program.txt": [1, 2] },
    timeoutMs: 10_000,
    onChildFailure: () => undefined,
  });
  let state = await session.waitForStop();
  while (state.kind === "stopped") {
    // The program may have continued on its own in the meantime.
    await session.snapshot({ items: 20 }).catch(() => undefined);
    // The stop may be in a child session, which this session cannot continue.
    await state.session.continue().catch(() => undefined);
    state = await session.waitForStop();
  }
  await session.terminate();
}

/**
 * Runs the client of `@vscode/debugadapter-testsupport`, which configures the adapter in its own
 * order.
 */
async function runTestClient(port: number): Promise<void> {
  const client = new DebugClient("node", "", "conformance");
  client.defaultTimeout = 8_000;
  await client.start(port);
  const over = client.waitForEvent("terminated", 15_000);
  over.catch(() => undefined);
  client.on("stopped", (event: { body: { threadId: number } }) => {
    const { threadId } = event.body;
    void client
      .threadsRequest()
      .then(() => client.stackTraceRequest({ threadId }))
      .then(({ body }) => client.scopesRequest({ frameId: body.stackFrames[0]!.id }))
      .then(({ body }) =>
        client.variablesRequest({ variablesReference: body.scopes[0]!.variablesReference }),
      )
      .catch(() => undefined)
      .then(() => client.continueRequest({ threadId }))
      .catch(() => undefined);
  });
  await Promise.all([
    client.configurationSequence(),
    client.launch({ program: "/program.txt" } as never),
  ]);
  await over;
  await client.stop();
}
