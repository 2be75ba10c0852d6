import { closeSync, openSync, writeSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import type { Adapter, AdapterConnection } from "../adapter/adapter-definition.js";
import {
  connectionChecks,
  decodeContentLength,
  option,
  setAsyncDispose,
  type HostAsyncDisposable,
  type Transport,
} from "@wirewright/runtime";
import { nodeTransport } from "@wirewright/runtime/node";
import { recordingHead, recordEntries } from "../middleware/session-recorder.js";

type ConnectionOptions = NonNullable<Parameters<Adapter>[1]>;

/** Options for `runAdapter`. */
export interface AdapterOptions extends ConnectionOptions {
  /**
   * File in which to record the sessions, for `wirewright lint`. An existing file is overwritten.
   */
  readonly log?: string | undefined;
}

/** Options for `serveAdapter`. */
export interface ServeOptions<Session = unknown> extends AdapterOptions {
  /** Port to listen on. Default: 0, which means any free port. */
  readonly port?: number;
  /**
   * Host name or address to listen on. Default: 127.0.0.1, so that other machines cannot connect.
   */
  readonly host?: string;
  /** Called with each connection. */
  readonly onConnection?: (connection: ReturnType<Adapter<Session>>) => void;
}

/**
 * An adapter that is waiting for clients. With `await using`, the server is closed at the end of
 * the block.
 */
export type AdapterServer = AdapterServerMembers & HostAsyncDisposable;

/** A server's methods and properties. */
export interface AdapterServerMembers {
  readonly host: string;
  readonly port: number;
  /** Stops accepting clients and closes all connections. Resolves once they have ended. */
  close(): Promise<void>;
}

/**
 * Serves an adapter over TCP. Each connection is a separate session.
 *
 * @throws Rejects with the system error if the port cannot be used or the log cannot be written, or
 * with TypeError for unknown options and invalid values.
 */
export async function serveAdapter<Session>(
  adapter: Adapter<Session>,
  served: ServeOptions<Session> = {},
): Promise<AdapterServer> {
  option.checkOptions("serveAdapter", served, serveChecks());
  const { port = 0, host = "127.0.0.1", log, onConnection, ...options } = served;
  const file = log === undefined ? undefined : new LogFile(log);
  const connections = new Set<AdapterConnection>();
  const server = createServer((socket) => {
    const connection = adapter(recorded(nodeTransport(socket, socket), file), options);
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
  const members: AdapterServerMembers = {
    host,
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      const open = [...connections];
      await Promise.all(open.map((connection) => connection.close().then(() => ended(connection))));
      file?.close();
    },
  };
  setAsyncDispose(members, () => members.close());
  return members as AdapterServer;
}

/** How `runAdapter` communicates with its client. */
export interface RunOptions extends AdapterOptions {
  /**
   * Command-line arguments. Default: the arguments of the process. A program with options of its
   * own passes the remaining arguments.
   */
  readonly args?: readonly string[];
}

/**
 * Runs an adapter as the main program of this process. Uses standard input and output or, if the
 * arguments include `--server PORT`, TCP. With `--log FILE`, the sessions are recorded.
 *
 * The process exits after the session. For unknown options, it exits with status 2. While standard
 * output is in use, `console.log` and similar functions write to standard error instead, because
 * their text would corrupt the message stream. Problems are written to standard error unless
 * `onProblem` is parsedArguments.
 */
export async function runAdapter<Session>(
  adapter: Adapter<Session>,
  run: RunOptions = {},
): Promise<void> {
  option.checkOptions("runAdapter", run, runChecks());
  const { args = process.argv.slice(2), log: logOption, ...rest } = run;
  const options: ConnectionOptions = {
    onProblem: ({ code, message }) => console.error(`${code}: ${message}`),
    ...rest,
  };
  try {
    const parsedArguments = readArguments(args);
    if (parsedArguments.help) {
      console.log(usage);
      return;
    }
    const log = logOption ?? parsedArguments.log;
    if (parsedArguments.port !== undefined) {
      const server = await serveAdapter(adapter, { ...options, log, port: parsedArguments.port });
      console.error(`waiting for debug protocol on port ${server.port}`);
      closeOnSignal(() => server.close());
      return;
    }
    const file = log === undefined ? undefined : new LogFile(log);
    divertConsole();
    const transport = nodeTransport(process.stdin, process.stdout);
    const connection = adapter(recorded(transport, file), options);
    closeOnSignal(() => connection.close().then(() => ended(connection)));
    await ended(connection);
    file?.close();
    process.exit();
  } catch (error) {
    console.error(`Cannot run the adapter: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

const adapterChecks = (): option.OptionChecks<AdapterOptions> => {
  const { handlers: _, ...checks } = connectionChecks;
  return { ...checks, log: option.text };
};

const serveChecks = (): option.OptionChecks<ServeOptions> => ({
  ...adapterChecks(),
  port: option.count,
  host: option.text,
  onConnection: option.callback,
});

const runChecks = (): option.OptionChecks<RunOptions> => ({
  ...adapterChecks(),
  args: option.listOf(option.text),
});

const usage = `Debug adapter options:
  --server PORT  wait for clients on a TCP port, 0 for any free port (default: standard input and output)
  --log FILE     record the sessions
  --help         show this text`;

interface Arguments {
  readonly port: number | undefined;
  readonly log: string | undefined;
  readonly help: boolean;
}

/** @throws TypeError for unknown options and missing values; RangeError for an invalid port. */
function readArguments(args: readonly string[]): Arguments {
  const { server, log, help = false } = parsed(args);
  return { port: server === undefined ? undefined : readPort(server), log, help };
}

function parsed(args: readonly string[]): ReturnType<typeof parseOptions>["values"] {
  try {
    return parseOptions(args).values;
  } catch (error) {
    // Drop Node's hint about arguments that start with a hyphen.
    const [text] = String((error as Error).message).split(/\. |\n/, 1);
    throw new TypeError(`${text}. Valid options are --server PORT and --log FILE`);
  }
}

function parseOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: { server: { type: "string" }, log: { type: "string" }, help: { type: "boolean" } },
    allowPositionals: true,
  });
}

/** @throws RangeError for an invalid port. */
function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new RangeError(`--server requires a port from 0 to 65535, not "${text}"`);
}

/** Resolves once the connection has ended and `onClose` has returned or failed. */
function ended(connection: AdapterConnection): Promise<void> {
  return connection.finished.catch((error: unknown) => console.error(error));
}

function closeOnSignal(close: () => Promise<unknown>): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void close().then(() => process.exit()));
}

function divertConsole(): void {
  for (const name of ["log", "info", "debug"] as const)
    console[name] = (...values: unknown[]) => console.error(...values);
}

/** A recording. Each line is written immediately, so that nothing is lost in a crash. */
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
      // If the disk is full, the session must continue.
      console.error(`Cannot write the log: ${error instanceof Error ? error.message : error}`);
      this.close();
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/**
 * Records the bytes that pass through an adapter's transport, if there is a file, as `wirewright tap` does: messages,
 * faults, noise and the end of each direction. Unlike a middleware, it also sees bytes that are not
 * messages.
 */
function recorded(transport: Transport, file: LogFile | undefined): Transport {
  if (file === undefined) return transport;
  const record = recordEntries((line) => file.write(line), file.nextSession());
  const open = (from: string): Direction => {
    const decoder = decodeContentLength({
      onMessage: (message, { offset, headerLength, bodyLength }) =>
        record("message", from, { offset, length: headerLength + bodyLength, message }),
      onFault({ code, message: text, offset, length }) {
        // Noise is recorded as a separate entry that includes its text.
        if (code !== "ERR_NOISE") record("fault", from, { offset, length, code, text });
      },
      onNoise: (bytes, offset) =>
        record("noise", from, {
          offset,
          length: bytes.length,
          text: new TextDecoder().decode(bytes),
        }),
    });
    let isOver = false;
    return {
      push(bytes) {
        if (!isOver) decoder.push(bytes);
      },
      end(how) {
        if (isOver) return;
        isOver = true;
        decoder.end();
        record("end", from, { how });
      },
    };
  };
  const client = open("client");
  const adapter = open("adapter");
  const end = (): void => {
    client.end("closed");
    adapter.end("closed");
  };
  return {
    ...transport,
    read: (onBytes, onEnd) =>
      transport.read(
        (bytes) => {
          client.push(bytes);
          return onBytes(bytes);
        },
        (error, detail) => {
          client.end(error === undefined ? "closed" : "failed");
          onEnd(error, detail);
        },
      ),
    write(bytes) {
      const written = transport.write(bytes);
      adapter.push(bytes);
      return written;
    },
    close() {
      end();
      return transport.close();
    },
    destroy() {
      end();
      return transport.destroy?.();
    },
  };
}

interface Direction {
  push(bytes: Uint8Array): void;
  /** @param how How the direction ended, as worded in recordings. */
  end(how: string): void;
}
