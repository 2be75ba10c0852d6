import { InputError } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import { openBrowser } from "../sessions/show/inspector/open-browser.js";
import type { PageAddresses } from "../sessions/show/inspector/page-server.js";
import { tapClients } from "../sessions/tap/client-server.js";
import { controlDisplay, pausing } from "../sessions/tap/display-control.js";
import {
  endingSignals,
  openSocket,
  startProcess,
  statusOf,
  type Server,
} from "../sessions/tap/servers.js";
import { TapSessions } from "../sessions/tap/tap-sessions.js";
import type { ByteSink } from "../sessions/tap/tapped-bytes.js";
import { within } from "../sessions/tap/within.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { readAddress, tapOptions, type TapValues } from "./tap-settings.js";
import { openSink } from "./tap-sink.js";

export const tapCommand = describeCommand({
  name: "tap",
  forms: [
    "[options] -- COMMAND [ARGUMENTS]",
    "[options] --listen [HOST:]PORT --connect [HOST:]PORT",
  ],
  about:
    "Runs between a client and a server, and forwards every byte unchanged. It prints one line per message, with its main values and its response time, followed by any errors and warnings from wirewright lint.",
  operands: [
    ["COMMAND", "the server: a process that communicates over its standard input and output"],
  ],
  options: tapOptions,
  examples: [
    ["tap --out session.jsonl -- lldb-dap", "record an adapter's sessions"],
    ["tap --listen 4711 --connect 127.0.0.1:4712", "forward between two programs that use sockets"],
    ["tap --ui --open -- python -m debugpy.adapter", "watch a session in the browser"],
  ],
  more: () =>
    `The key p, or the signal ${pausing}, pauses the display, but not the session, which never waits for the display. The output goes to standard error.`,
  status: "the status of COMMAND; otherwise 0, or 2 if the arguments are invalid.",
});

/** Runs `wirewright tap`. Returns the exit status. */
export async function runTap(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(tapCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  if (positionals.length > 0 === (values.connect !== undefined))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot start: ${positionals.length > 0 ? "two servers are given" : "no server is given"}`,
      {},
      "Call wirewright tap -- COMMAND, or wirewright tap --listen PORT --connect HOST:PORT",
    );
  const serverAddress = readAddress("--connect", values.connect);
  const clientAddress = readAddress("--listen", values.listen);
  const say = (text: string): void => terminal.error(text);
  const { link, roles, sink } = await openSink(values, positionals, terminal, say);
  if (link?.page !== undefined) showPage(link.page, values, say);
  const [command, ...rest] = positionals;
  const open = (): Promise<Server> =>
    serverAddress === undefined
      ? startProcess(command!, rest, sink !== undefined && readsErrors(values))
      : openSocket(serverAddress);
  const release =
    link === undefined || values.quiet === true
      ? undefined
      : controlDisplay(link, {
          hasKeys: clientAddress !== undefined && process.stdin.isTTY,
          say,
        });
  const sessions = new TapSessions(roles, sink);
  // Handle signals here only if no other code does. `startProcess` forwards them to the server, and
  // `tapClients` stops when it receives a signal.
  const isOnItsOwn = command === undefined && clientAddress === undefined;
  const unwatch = isOnItsOwn ? endBySignals(sink) : undefined;
  try {
    const status =
      clientAddress === undefined
        ? await tapStandardStreams(await open(), sessions)
        : await tapClients(clientAddress, open, sessions, say);
    await sink?.close();
    await leaveUnread(status);
    return status;
  } finally {
    await sink?.close();
    release?.();
    unwatch?.();
  }
}

function showPage(
  { address, once }: PageAddresses,
  { open }: TapValues,
  say: (text: string) => void,
): void {
  say(`page: ${address}`);
  if (open === true)
    openBrowser(once, () => say("Cannot find a program to open the page: open it yourself"));
}

/**
 * Returns whether this process reads the server's standard error and forwards it. It has to if
 * standard error is recorded or shown on a page, and also if this process's own standard error is
 * not a terminal, because a server that inherits it would block on a slow reader.
 */
function readsErrors({ out, bytes, ui, open }: TapValues): boolean {
  const isKept = out !== undefined || bytes !== undefined || ui === true || open === true;
  return isKept || !process.stderr.isTTY;
}

/** How long to wait at exit for standard error to be read, in milliseconds. */
const lastWordsMs = 500;

/**
 * Ends the process if nobody reads its standard error. Pending writes would otherwise keep the
 * process running.
 */
async function leaveUnread(status: number): Promise<void> {
  const { stderr } = process;
  if (stderr.writableLength === 0) return;
  const isRead = new Promise<boolean>((resolve) => stderr.once("drain", () => resolve(true)));
  if (!(await within(isRead, lastWordsMs, false)) && stderr.writableLength > 0)
    process.exit(status);
}

/** Completes the recording before a signal ends the process. */
function endBySignals(sink: ByteSink | undefined): () => void {
  const end = (signal: NodeJS.Signals): void => {
    void (sink?.close() ?? Promise.resolve()).then(() => process.exit(statusOf(signal)));
  };
  for (const signal of endingSignals) process.once(signal, end);
  return () => {
    for (const signal of endingSignals) process.off(signal, end);
  };
}

/** Forwards between this process's standard streams and the server. */
async function tapStandardStreams(server: Server, sessions: TapSessions): Promise<number> {
  const client = { input: process.stdin, output: process.stdout };
  const status = await sessions.tap(client, server, false);
  process.stdin.destroy();
  return status;
}
