import { closeSync, openSync, writeSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import type { Adapter, AdapterConnection } from "./adapter-definition.js";
import { nodeTransport } from "./runtime/node.js";
import { recordingHead, recordMessages } from "./session-recorder.js";

type ConnectionOptions = NonNullable<Parameters<Adapter>[1]>;

export interface AdapterOptions extends ConnectionOptions {
  /** File for a recording of the sessions, which `wirewright lint` reads. It is overwritten. */
  readonly log?: string | undefined;
}

export interface ServeOptions<Session = unknown> extends AdapterOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. Other machines can then not connect. */
  readonly host?: string;
  /** Called with each connection. */
  readonly onConnection?: (connection: ReturnType<Adapter<Session>>) => void;
}

/** An adapter that waits for clients. */
export interface AdapterServer {
  readonly host: string;
  readonly port: number;
  /** Accepts no further clients, and closes the connections. Resolves when they have ended. */
  close(): Promise<void>;
}

/**
 * Serves an adapter over TCP. Each connection has a session of its own.
 *
 * @throws The system's error, as a rejection, if the port cannot be used or the log not be written.
 */
export async function serve<Session>(
  adapter: Adapter<Session>,
  { port = 0, host = "127.0.0.1", log, onConnection, ...options }: ServeOptions<Session> = {},
): Promise<AdapterServer> {
  const file = log === undefined ? undefined : new LogFile(log);
  const connections = new Set<AdapterConnection>();
  const server = createServer((socket) => {
    const connection = adapter(nodeTransport(socket, socket), recorded(options, file));
    connections.add(connection);
    void ended(connection).then(() => connections.delete(connection));
    onConnection?.(connection);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((error: unknown) => {
    file?.close();
    throw error;
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      const open = [...connections];
      await Promise.all(open.map((each) => each.close().then(() => ended(each))));
      file?.close();
    },
  };
}

/** How `runAdapter` reaches its client. */
export interface RunOptions extends AdapterOptions {
  /** Arguments of the command line. Default: those of the process. */
  readonly args?: readonly string[];
}

/**
 * Runs an adapter as the program of this process: over standard input and output, or, with
 * `--server=PORT` among the arguments, over TCP. With `--log=FILE`, the sessions are recorded.
 *
 * The process exits after the session. Over standard output, `console.log` and its like write to
 * standard error instead, because their text would damage the stream of messages. Problems are
 * written to standard error unless `onProblem` is given.
 */
export async function runAdapter<Session>(
  adapter: Adapter<Session>,
  { args = process.argv.slice(2), log = argument(args, "log"), ...rest }: RunOptions = {},
): Promise<void> {
  const options: ConnectionOptions = {
    onProblem: ({ code, text }) => console.error(`${code}: ${text}`),
    ...rest,
  };
  try {
    const given = argument(args, "server");
    if (given !== undefined) {
      const server = await serve(adapter, { ...options, log, port: readPort(given) });
      console.error(`waiting for debug protocol on port ${server.port}`);
      closeOnSignal(() => server.close());
      return;
    }
    const file = log === undefined ? undefined : new LogFile(log);
    divertConsole();
    const transport = nodeTransport(process.stdin, process.stdout);
    const connection = adapter(transport, recorded(options, file));
    closeOnSignal(() => connection.close().then(() => ended(connection)));
    await ended(connection);
    file?.close();
    process.exit();
  } catch (error) {
    console.error(`Cannot run the adapter: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

/** The value of `--name=value`. */
function argument(args: readonly string[], name: string): string | undefined {
  const start = `--${name}=`;
  return args.find((each) => each.startsWith(start))?.slice(start.length);
}

/** @throws RangeError */
function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new RangeError(`--server takes a port from 0 to 65535, not "${text}"`);
}

/** Resolves when the connection has ended, and its session has been disposed of or failed to be. */
function ended(connection: AdapterConnection): Promise<void> {
  return connection.disposed.catch((error: unknown) => console.error(error));
}

function closeOnSignal(close: () => Promise<unknown>): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void close().then(() => process.exit()));
}

function divertConsole(): void {
  for (const name of ["log", "info", "debug"] as const)
    console[name] = (...values: unknown[]) => console.error(...values);
}

function recorded(options: ConnectionOptions, file: LogFile | undefined): ConnectionOptions {
  if (file === undefined) return options;
  const { middleware = [] } = options;
  const recorder = recordMessages("adapter", (line) => file.write(line), file.nextSession());
  return { ...options, middleware: [recorder, ...middleware] };
}

/** A recording. It is written at once, so that nothing is missing after a crash. */
class LogFile {
  readonly #file: number;
  #sessions = 0;
  #isOpen = true;

  constructor(path: string) {
    this.#file = openSync(path, "w");
    this.write(recordingHead());
  }

  nextSession(): number {
    return ++this.#sessions;
  }

  write(line: string): void {
    if (!this.#isOpen) return;
    try {
      writeSync(this.#file, `${line}\n`);
    } catch (error) {
      // A full disk must not end the session.
      console.error(`Cannot write the log: ${error instanceof Error ? error.message : error}`);
      this.close();
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
