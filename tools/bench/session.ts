/**
 * Starts sessions, up to the location of the first stop, with our session and with the official test
 * client. An adapter in the same process answers at once, so its row shows the clients' own share.
 * Debuggers that are not installed are left out.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { duplexPair, type Duplex, type Readable, type Writable } from "node:stream";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { connect, type Connection } from "@wirewright/dap/connection";
import { nodeTransport, spawnAdapter } from "@wirewright/dap/node";
import { launch, type AdapterTarget } from "@wirewright/dap/session";
import { fromRoot } from "../../test/support/paths.js";
import { Bench } from "./comparison.js";

/** What to debug, and with which adapter. The breakpoint is in the program's third line. */
interface Debugger {
  readonly command?: readonly [string, ...string[]];
  readonly source: string;
  readonly arguments: object;
}

const line = 3;

/** Answers at once, and stops at the breakpoint as soon as the client is done. */
function adapterAtOnce(): Duplex {
  const [near, far] = duplexPair();
  const adapter: Connection<"adapter"> = connect("adapter", nodeTransport(far, far), {
    handlers: {
      initialize: () => {
        adapter.notify("initialized");
        return { supportsConfigurationDoneRequest: true };
      },
      launch: () => undefined,
      setBreakpoints: () => ({ breakpoints: [{ verified: true, line }] }),
      setExceptionBreakpoints: () => undefined,
      configurationDone: () => adapter.notify("stopped", { reason: "breakpoint", threadId: 1 }),
      threads: () => ({ threads: [{ id: 1, name: "main" }] }),
      stackTrace: () => ({
        stackFrames: [{ id: 1, name: "main", line, column: 1, source: { path: "/program" } }],
      }),
      disconnect: () => undefined,
    },
  });
  return near;
}

async function wirewright({ command, source, ...given }: Debugger): Promise<number | undefined> {
  let target: AdapterTarget;
  if (command === undefined) {
    const stream = adapterAtOnce();
    target = nodeTransport(stream, stream);
  } else target = await spawnAdapter(command[0], command.slice(1));
  const session = await launch(target, {
    arguments: given.arguments,
    breakpoints: { [source]: [line] },
  });
  const stop = await session.waitForStop();
  if (stop.kind === "ended") throw new Error(`ended: ${stop.reason}`);
  const { stackFrames } = await session.request("stackTrace", { threadId: stop.threadId! });
  await session.request("disconnect", { terminateDebuggee: true });
  void session.connection.close();
  return stackFrames[0]?.line;
}

class OfficialClient extends DebugClient {
  override connect(output: Readable, input: Writable): void {
    super.connect(output, input);
  }
}

async function official({ command, source, ...given }: Debugger): Promise<number | undefined> {
  const client = new OfficialClient("", "", "bench");
  client.defaultTimeout = 60_000;
  const adapter = command && spawn(command[0], command.slice(1), { stdio: "pipe" });
  const stream = adapterAtOnce();
  client.connect(adapter?.stdout ?? stream, adapter?.stdin ?? stream);
  const [, , stopped] = await client.hitBreakpoint(given.arguments, { path: source, line });
  await client.disconnectRequest({ terminateDebuggee: true });
  adapter?.kill();
  return (stopped as { body: { stackFrames: { line: number }[] } }).body.stackFrames[0]?.line;
}

/** Returns the first of these programs that runs. */
function findProgram(...names: readonly string[]): string | undefined {
  return names.find((name) => spawnSync(name, ["--help"], { timeout: 30_000 }).status === 0);
}

const folder = fromRoot("build/tools/bench/session");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const debuggers: Record<string, Debugger> = {
  "an adapter that answers at once": { source: "/program", arguments: { program: "/program" } },
};
const python = ["python3", "/usr/bin/python3"].find(
  (name) => spawnSync(name, ["-c", "import debugpy"]).status === 0,
);
if (python !== undefined) {
  const program = join(folder, "program.py");
  writeFileSync(program, "a = 1\nb = 2\nprint(a + b)\n");
  debuggers["debugpy"] = {
    command: [python, "-m", "debugpy.adapter"],
    source: program,
    arguments: { program, console: "internalConsole", python: [python] },
  };
}
const lldb = findProgram("lldb-dap", "lldb-dap-22", "lldb-dap-19");
if (lldb !== undefined && findProgram("cc") !== undefined) {
  const source = join(folder, "program.c");
  const program = join(folder, "program");
  writeFileSync(source, "int main(void) {\n  int a = 1;\n  return a - 1;\n}\n");
  execFileSync("cc", ["-g", "-O0", "-o", program, source]);
  debuggers["lldb-dap"] = { command: [lldb], source, arguments: { program } };
}

const bench = new Bench("session");
for (const [work, each] of Object.entries(debuggers))
  await bench.compare("launch, up to the first stop", {
    work,
    expected: line,
    competitors: { wirewright: () => wirewright(each), official: () => official(each) },
  });
await bench.finish();
process.exit();
