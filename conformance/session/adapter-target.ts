import { createServer, type AddressInfo } from "node:net";
import type { Transport } from "../../generated/dap/connection.js";
import { tcpTransport, spawnTransport } from "../../generated/dap/node.js";

/** How an adapter is reached: started for each session, or already listening. */
export interface AdapterTarget {
  /**
   * Command and arguments. `${port}` stands for a free port, to which the suite connects; without it, the adapter speaks on
   * its standard input and output. `${program}` and `${source}` stand for the program to debug.
   */
  readonly command?: readonly string[];
  /** `host:port` of an adapter that is running. */
  readonly connect?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** For tests: opens a session in this process. */
  readonly open?: () => Transport;
}

/** An adapter that has been started for a session. */
export interface StartedAdapter {
  /** Opens a connection; the second and later ones are those of children and other clients. */
  connect(): Promise<Transport>;
  /** Resolves when the process has exited; undefined if there is none. */
  readonly exited: Promise<number | null> | undefined;
  readonly isServer: boolean;
  stop(): Promise<void>;
}

const startMs = 10_000;

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

export async function startAdapter(
  target: AdapterTarget,
  replace: (text: string) => string,
): Promise<StartedAdapter> {
  const { open, connect } = target;
  if (open !== undefined)
    return {
      connect: async () => open(),
      exited: undefined,
      isServer: false,
      stop: async () => undefined,
    };
  if (connect !== undefined) return connected(connect);
  const text = (target.command ?? []).join(" ");
  return text.includes("${port}") ? startServer(target, replace) : startProcess(target, replace);
}

function connected(address: string): StartedAdapter {
  const at = address.lastIndexOf(":");
  const host = address.slice(0, Math.max(at, 0)) || "127.0.0.1";
  const port = Number(address.slice(at + 1));
  return {
    connect: () => tcpTransport(port, { host, retryForMs: startMs }),
    exited: undefined,
    isServer: true,
    stop: async () => undefined,
  };
}

/** Programs are started in a group of their own, so that what they start ends with them. */
async function startProcess(
  target: AdapterTarget,
  replace: (text: string) => string,
): Promise<StartedAdapter> {
  const [command, ...args] = target.command!.map(replace);
  const {
    transport,
    process: child,
    exited,
  } = await spawnTransport(command!, args, {
    process: settings(target),
    exitGraceMs: 500,
    killGraceMs: 300,
  });
  watchGroup(child.pid);
  return {
    connect: async () => transport,
    exited,
    isServer: false,
    async stop() {
      await transport.destroy?.();
      endGroup(child.pid);
    },
  };
}

async function startServer(
  target: AdapterTarget,
  replace: (text: string) => string,
): Promise<StartedAdapter> {
  const port = await freePort();
  const [command, ...args] = target.command!.map((each) =>
    replace(each).replaceAll("${port}", String(port)),
  );
  const {
    transport,
    process: child,
    exited,
  } = await spawnTransport(command!, args, { process: settings(target) });
  watchGroup(child.pid);
  // What a server prints is not of interest; unread, it would stop.
  transport.read(
    () => undefined,
    () => undefined,
  );
  return {
    connect: () => tcpTransport(port, { retryForMs: startMs }),
    exited,
    isServer: true,
    async stop() {
      await transport.destroy?.();
      endGroup(child.pid);
    },
  };
}

function settings({ env, cwd }: AdapterTarget) {
  return {
    detached: true,
    stdio: ["pipe", "pipe", "ignore"] as ("pipe" | "ignore")[],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  running.delete(pid);
  if (running.size === 0) process.removeListener("exit", endAllGroups);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
