import type { ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import type { Transport } from "@wirewright/dap/connection";
import { tcpTransport, spawnTransport } from "@wirewright/dap/node";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { fillIn } from "./programs.js";

/**
 * How to reach an adapter: either start it for each session, or connect to one that is already
 * listening.
 */
export interface AdapterTarget {
  /**
   * Command and arguments. `${port}` is replaced by a free port, to which the suite connects.
   * Without it, the adapter uses its standard input and output. `${program}` and `${source}` are
   * replaced by the program to debug.
   */
  readonly command?: readonly string[];
  /**
   * Text that a server prints once clients can connect. By default, clients connect as soon as the
   * port is open.
   */
  readonly ready?: string;
  /** `host:port` of an adapter that is already running. */
  readonly connect?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Starts an adapter in this process. Used by tests. */
  readonly open?: () => StartedAdapter;
}

/** An adapter that was started for a session. */
export interface StartedAdapter {
  /**
   * Opens a connection. All connections after the first are for child sessions and other clients.
   */
  connect(): Promise<Transport>;
  /** Resolves once the process has exited; undefined if there is no process. */
  readonly exited: Promise<number | null> | undefined;
  readonly isServer: boolean;
  /** The signal with which the process crashed, such as SIGSEGV; undefined if it did not crash. */
  crash(): string | undefined;
  /** The last line that the process has printed to standard error. */
  lastError?(): string;
  /** Closes the input of an adapter that uses standard streams. */
  endInput(): void;
  /**
   * Whether any process is still running the program that this adapter started; undefined if
   * unknown.
   */
  isRunning(program: string): boolean | undefined;
  stop(): Promise<void>;
}

/** How long a server may take to start, in milliseconds. */
const startMs = 30_000;

/** Process groups of running adapters. They are killed when the suite ends, for whatever reason. */
const running = new Set<number>();

function watchGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (running.size === 0) process.once("exit", endAllGroups);
  running.add(pid);
}

function endAllGroups(): void {
  for (const pid of running) endGroup(pid);
}

/** Starts an adapter. `names` are replaced in its command. */
export async function startAdapter(
  target: AdapterTarget,
  names: Readonly<Record<string, string>>,
): Promise<StartedAdapter> {
  const { open, connect } = target;
  if (open !== undefined) return open();
  if (connect !== undefined) return connected(connect);
  return startProcess(target, names);
}

function connected(address: string): StartedAdapter {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, Math.max(colon, 0)) || "127.0.0.1";
  const port = Number(address.slice(colon + 1));
  return {
    connect: () => tcpTransport(port, { host, retryForMs: startMs }),
    exited: undefined,
    isServer: true,
    crash: () => undefined,
    endInput: () => undefined,
    isRunning: () => undefined,
    stop: async () => undefined,
  };
}

/** Starts an adapter in a separate process group, so that its child processes end with it. */
async function startProcess(
  target: AdapterTarget,
  names: Readonly<Record<string, string>>,
): Promise<StartedAdapter> {
  const isServer = target.command!.join(" ").includes("${port}");
  const port = isServer ? await freePort() : 0;
  const mark = randomUUID();
  const [command, ...args] = fillIn(target.command!, { ...names, port: String(port) });
  const {
    transport,
    process: child,
    exited,
  } = await spawnTransport(command!, args, {
    process: {
      detached: true,
      stdio: ["pipe", "pipe", "pipe"] as "pipe"[],
      env: { ...process.env, ...target.env, [markName]: mark },
      cwd: target.cwd,
    },
    ...(isServer ? {} : { exitGraceMs: 500, killGraceMs: 300 }),
  });
  watchGroup(child.pid);
  const isReady = isServer ? printed(target.ready ?? "", child, transport, exited) : undefined;
  isReady?.catch(() => undefined);
  return {
    async connect() {
      if (!isServer) return transport;
      await isReady;
      return tcpTransport(port, { retryForMs: startMs });
    },
    lastError: keepLastError(child),
    exited,
    isServer,
    crash: () => crashOf(child.signalCode),
    endInput: () => {
      if (!isServer) child.stdin?.end();
    },
    isRunning: (program) => isMarkedRunning(mark, program, child.pid),
    async stop() {
      await transport.destroy?.();
      endGroup(child.pid);
      endMarked(mark);
    },
  };
}

/**
 * Reads a server's output, so that the server does not block. Resolves once the output contains the
 * given string.
 */
function printed(
  text: string,
  { stderr }: ChildProcess,
  transport: Transport,
  exited: Promise<unknown>,
): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`the adapter has not printed "${text}"`));
    const timer = setTimeout(fail, startMs);
    const take = (bytes: Uint8Array): void => {
      if (output.length < 65_536) output += Buffer.from(bytes).toString();
      if (!output.includes(text)) return;
      clearTimeout(timer);
      resolve();
    };
    take(new Uint8Array());
    transport.read(take, () => undefined);
    stderr?.on("data", take);
    void exited.then(() => {
      clearTimeout(timer);
      fail();
    });
  });
}

/** Reads what a process prints to standard error, and returns a function for its last line. */
function keepLastError({ stderr }: ChildProcess): () => string {
  let text = "";
  stderr?.on("data", (bytes: Buffer) => {
    text = `${text}${bytes.toString()}`.slice(-2_000);
  });
  return () => text.trim().split("\n").at(-1)!;
}

/** Kills a process and its process group. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  running.delete(pid);
  if (running.size === 0) process.removeListener("exit", endAllGroups);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Ignore the failure: the process has already ended.
  }
}

/**
 * Signals that indicate a crash. Other signals come from outside the process, for example from the
 * suite.
 */
const crashes: readonly string[] = ["SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"];

function crashOf(signal: string | null): string | undefined {
  return signal !== null && crashes.includes(signal) ? signal : undefined;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Name of the environment variable that marks a case's processes. */
const markName = "WIREWRIGHT_CONFORMANCE_CASE";

interface MarkedProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/**
 * Returns the processes that inherited a mark, or undefined if the system does not expose
 * environments in `/proc`.
 */
function markedProcesses(mark: string): readonly MarkedProcess[] | undefined {
  if (process.platform !== "linux") return undefined;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(`${markName}=${mark}`))
          return [];
        const isZombie = / Z /.test(readFileSync(`/proc/${name}/stat`, "latin1").slice(0, 60));
        const commandLine = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return isZombie ? [] : [{ pid: Number(name), commandLine }];
      } catch {
        // The process has ended, or belongs to another user.
        return [];
      }
    });
}

/**
 * Returns whether a marked process other than the adapter has the program in its command line, or
 * undefined if this is unknown.
 */
function isMarkedRunning(
  mark: string,
  program: string,
  adapter: number | undefined,
): boolean | undefined {
  return markedProcesses(mark)?.some(
    ({ pid, commandLine }) => pid !== adapter && commandLine.includes(program),
  );
}

/** Kills any marked processes that remain. */
function endMarked(mark: string): void {
  for (const { pid } of markedProcesses(mark) ?? [])
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Ignore the failure: the process has already ended.
    }
}
