import { schemaOf } from "./option-values.js";
import { spawn, type ChildProcess } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { constants } from "node:os";
import { parseArgs } from "node:util";
import { InputError } from "../base/input-error.js";
import { readHost, type HostTable } from "../lint/host-table.js";
import type { LintOptions } from "../lint/lint-session.js";
import { readSessionRules } from "../lint/session-rules.js";
import type { Protocol } from "../model/protocol.js";
import { bundledProtocols, defaultProtocol } from "../base/bundled.js";
import { readProtocol, readVersionName } from "../read/read-protocol.js";
import { Redactor } from "../redact/redactor.js";
import { redactOptions } from "./redact-command.js";
import { forward, type Endpoint } from "../tap/forward.js";
import { LiveJudge } from "../tap/live-judge.js";
import { LiveView } from "../tap/live-view.js";
import { SessionLog } from "../tap/session-log.js";
import { SessionObserver } from "../session/session-observer.js";
import { visible } from "../base/visible-text.js";
import type { Terminal } from "../base/terminal.js";

/** The text of `--help`. */
export const tapHelp = (): string => `Usage: wirewright tap [options] -- COMMAND [ARGUMENTS]
       wirewright tap [options] --listen [HOST:]PORT --connect [HOST:]PORT

Runs between a client and a server, forwards every byte unchanged, and shows each message on a line, with its
response time, and below it the errors and warnings of wirewright lint.

  COMMAND               the server: a process that speaks on its standard input and output
  --connect [HOST:]PORT the server, which listens there
  --listen [HOST:]PORT  the client connects there, any number of times; otherwise the client speaks on
                        the standard input and output of this command

Options:
  --out FILE            record the session: a line of JSON for each message, with its time and offset;
                        a file that exists is replaced
  --redact              record as wirewright redact would: without environment and names of persons and machines;
                        what is told only later is not replaced before
  --pointer POINTER     with --redact: what this JSON Pointer leads to, too; may be given several times
  --protocol NAME       ${bundledProtocols().join(", ")}, or the path of a protocol.json
                        (default: ${defaultProtocol()})
  --schema FILE|URL|-   its schema, if that does not come with the tool; may be given several times
  --host NAME           also judge by the behaviour of a host of the server: visual-studio, or the path of a
                        file as schema/host.schema.json describes it
  --no-lint             do not judge messages
  --quiet               show nothing, and do not judge messages
  --help                show this text

The output goes to standard error. Exit status: that of COMMAND; otherwise 0, or 2 if the arguments
are wrong.`;

const options = {
  out: { type: "string" },
  redact: { type: "boolean" },
  pointer: { type: "string", multiple: true },
  protocol: { type: "string" },
  schema: { type: "string", multiple: true },
  listen: { type: "string" },
  connect: { type: "string" },
  host: { type: "string" },
  "no-lint": { type: "boolean" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** A server to which a client is connected. */
interface Server extends Endpoint {
  /** Resolves when the server has ended: how, in words, and with which exit status. */
  readonly over: Promise<{ readonly how: string; readonly status: number }>;
}

/** `wirewright tap`. Returns the exit status. */
export async function runTap(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    terminal.out(tapHelp());
    return 0;
  }
  if (positionals.length > 0 === (values.connect !== undefined))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to stand in front of: give a command or --connect",
      {},
      "wirewright tap -- COMMAND, or wirewright tap --listen PORT --connect HOST:PORT",
    );
  const serverAddress = readAddress("--connect", values.connect);
  const clientAddress = readAddress("--listen", values.listen);
  const named = readVersionName(values.protocol ?? defaultProtocol());
  const protocol = await readProtocol(named.protocol, { ...named, ...schemaOf(values) });
  const rules = await readSessionRules(named.protocol);
  const host = values.host === undefined ? undefined : await readHost(values.host, named.protocol);
  const isRedacted = values.redact === true;
  if ((isRedacted && values.out === undefined) || (values.pointer !== undefined && !isRedacted))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to redact: --pointer needs --redact, and --redact needs --out",
    );
  const redactor = isRedacted ? new Redactor(protocol, redactOptions(values.pointer)) : undefined;
  const log =
    values.out === undefined
      ? undefined
      : await SessionLog.open(
          values.out,
          protocol,
          new Date(),
          ({ message }) =>
            terminal.error(
              `Cannot write the recording any further, the session goes on: ${message} [ERR_OUTPUT]`,
            ),
          redactor,
        );
  const print = values.quiet === true ? undefined : (line: string): void => terminal.error(line);
  const judges = values["no-lint"] !== true && protocol.notations === undefined;
  const listener = new TapListener({
    protocol,
    log,
    print,
    colours: terminal.errorColours,
    judges,
    rules,
    host,
  });
  const [command, ...rest] = positionals;
  const open = (): Promise<Server> =>
    serverAddress === undefined ? startProcess(command!, rest) : openSocket(serverAddress);
  // `startProcess` passes signals on to the server, and `tapSockets` stops on them.
  const isOnItsOwn = command === undefined && clientAddress === undefined;
  const unwatch = isOnItsOwn ? endBySignals(log) : undefined;
  try {
    return clientAddress === undefined
      ? await tapStandardStreams(await open(), listener)
      : await tapSockets(clientAddress, open, listener, terminal);
  } finally {
    await log?.close();
    unwatch?.();
  }
}

interface TapOptions {
  readonly protocol: Protocol;
  readonly log: SessionLog | undefined;
  readonly print: ((line: string) => void) | undefined;
  readonly colours: boolean;
  /** Whether to judge messages. */
  readonly judges: boolean;
  readonly rules: LintOptions["rules"];
  readonly host: HostTable | undefined;
}

/** Shows, judges and records sessions. */
class TapListener {
  readonly #options: TapOptions;
  #sessions = 0;

  constructor(options: TapOptions) {
    this.#options = options;
  }

  /** Connects a client to a server. Resolves to the exit status when both have ended. */
  async tap(client: Endpoint, server: Server, numbered: boolean): Promise<number> {
    const { protocol, log, print, colours, judges, rules, host } = this.#options;
    const [asking, answering] = protocol.roles;
    const session = numbered ? ++this.#sessions : undefined;
    const mark = session === undefined ? "" : `#${session} `;
    const say = print && ((line: string): void => print(mark + line));
    const view = say && new LiveView(protocol, say, colours);
    const judge =
      say && judges ? new LiveJudge(protocol, { rules, host }, say, colours) : undefined;
    const observer = new SessionObserver(protocol, (observed) => {
      log?.write(observed, session);
      view?.show(observed);
      judge?.judge(observed);
    });
    const ended = (role: string, from: Endpoint, to: Endpoint): Promise<void> =>
      new Promise((resolve) =>
        forward(from, to, {
          onBytes: (bytes) => {
            observer.push(role, bytes);
            return log?.room;
          },
          onEnd: (error) => {
            if (role === asking) observer.end(role, error === undefined ? "closed" : "failed");
            resolve();
          },
        }),
      );
    void ended(asking, client, server);
    await ended(answering, server, client);
    const { how, status } = await server.over;
    observer.end(answering, how);
    observer.close();
    judge?.end();
    return status;
  }
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Completes the recording before a signal ends the process. */
function endBySignals(log: SessionLog | undefined): () => void {
  const end = (signal: NodeJS.Signals): void => {
    void (log?.close() ?? Promise.resolve()).then(() => process.exit(128 + signalNumber(signal)));
  };
  for (const signal of endingSignals) process.once(signal, end);
  return () => {
    for (const signal of endingSignals) process.off(signal, end);
  };
}

/** Taps between the standard streams of this process and the server. */
async function tapStandardStreams(server: Server, listener: TapListener): Promise<number> {
  const client = { input: process.stdin, output: process.stdout };
  const status = await listener.tap(client, server, false);
  process.stdin.destroy();
  return status;
}

/** Taps between each client that connects and a new server, until the process is interrupted. */
function tapSockets(
  { host, port, text }: Address,
  open: () => Promise<Server>,
  listener: TapListener,
  terminal: Terminal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sockets = new Set<Socket>();
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
      socket.setNoDelay(true);
      open().then(
        (target) => {
          const tapped = listener.tap({ input: socket, output: socket }, target, true);
          socket.resume();
          return tapped;
        },
        (error: Error) => {
          terminal.error(visible(error.message));
          socket.destroy();
        },
      );
    });
    const stop = (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
      for (const signal of endingSignals) process.off(signal, stop);
      resolve(0);
    };
    for (const signal of endingSignals) process.on(signal, stop);
    server.on("error", ({ message }) =>
      reject(new InputError("ERR_ARGUMENT", `Cannot listen on ${text}: ${message}`)),
    );
    server.listen(port, host, () => {
      const bound = server.address();
      const where = typeof bound === "object" && bound !== null ? bound.port : port;
      terminal.error(`listening on ${visible(host)}:${where}`);
    });
  });
}

/** Running processes, to which signals are passed on. */
const running = new Set<ChildProcess>();

function passSignal(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal);
}

function follow(child: ChildProcess): void {
  if (running.size === 0) for (const signal of endingSignals) process.on(signal, passSignal);
  running.add(child);
  child.on("exit", () => {
    running.delete(child);
    if (running.size === 0) for (const signal of endingSignals) process.off(signal, passSignal);
  });
}

/** Starts the server as a process. */
function startProcess(command: string, args: readonly string[]): Promise<Server> {
  return new Promise((resolve, reject) => {
    const fail = ({ message }: Error): void =>
      reject(new InputError("ERR_ARGUMENT", `Cannot start "${command}": ${message}`));
    let child: ChildProcess;
    try {
      child = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
    } catch (error) {
      fail(error as Error);
      return;
    }
    const over = new Promise<{ how: string; status: number }>((settle) =>
      child.on("exit", (code, signal) =>
        settle(
          signal === null
            ? { how: `exited with ${code ?? 0}`, status: code ?? 0 }
            : { how: `was ended by ${signal}`, status: 128 + signalNumber(signal) },
        ),
      ),
    );
    child.on("error", fail);
    child.on("spawn", () => {
      follow(child);
      resolve({ input: child.stdout!, output: child.stdin!, over });
    });
  });
}

function openSocket({ host, port, text }: Address): Promise<Server> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.setNoDelay(true);
    socket.on("error", ({ message }) =>
      reject(new InputError("ERR_ARGUMENT", `Cannot connect to ${text}: ${message}`)),
    );
    const over = new Promise<{ how: string; status: number }>((settle) =>
      socket.on("close", () => settle({ how: "closed", status: 0 })),
    );
    socket.on("connect", () => resolve({ input: socket, output: socket, over }));
  });
}

interface Address {
  readonly host: string;
  readonly port: number;
  /** The address as it was given. */
  readonly text: string;
}

/** Reads the value of an option, if it was given. @throws InputError `ERR_ARGUMENT` if it is not an address. */
function readAddress(option: string, text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use ${option} "${text}"`,
      {},
      "Give a port, or HOST:PORT",
    );
  return { host, port, text };
}

/** The number of a signal, which shells add to 128 for the exit status. */
function signalNumber(signal: NodeJS.Signals): number {
  return constants.signals[signal];
}
