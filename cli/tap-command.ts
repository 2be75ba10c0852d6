import type { Terminal } from "../generator/base/terminal.js";
import { openBrowser, type PageAddresses } from "../sessions/show/inspector/page-server.js";
import { AnalysisLink } from "../sessions/tap/analysis-link.js";
import type { AnalysisSettings } from "../sessions/tap/analysis-options.js";
import { bundledFraming } from "../sessions/tap/bundled-framing.js";
import { createQueue } from "../sessions/tap/byte-queue.js";
import { tapClients, TapSessions } from "../sessions/tap/tap-sessions.js";
import { controlDisplay, pausing } from "../sessions/tap/display-control.js";
import {
  endingSignals,
  openSocket,
  startProcess,
  statusOf,
  type Server,
  type Address,
} from "../sessions/tap/servers.js";
import {
  type ByteSink,
  CapturedBytes,
  captureFor,
  QueuedBytes,
} from "../sessions/tap/tapped-bytes.js";
import { within } from "../sessions/tap/within.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine, type OptionValues } from "./command-line.js";
import { adapterName, checkAppended, recordingName } from "./recording-name.js";
import { dialectOption, protocolOption, schemaOption } from "./shared-options.js";

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
  options: {
    listen: {
      type: "string",
      value: "[HOST:]PORT",
      help: "address to listen on for any number of clients; without it, the client uses this command's standard input and output",
    },
    connect: { type: "string", value: "[HOST:]PORT", help: "address of the server" },
    out: {
      type: "string",
      value: "FILE",
      help: "record the session: one line of JSON per message, with its time and offset, plus COMMAND's standard error. In the file name, {pid}, {time} and {adapter} are replaced by the process id, the start time and the name of COMMAND. An existing file is overwritten",
    },
    append: { type: "boolean", help: "with --out: append to the existing recording" },
    bytes: {
      type: "string",
      value: "FILE",
      help: "record the bytes unchanged, in a file that wirewright lint and convert can read",
    },
    redact: {
      type: "boolean",
      help: "replace personal data in the recording, the display and the page, as wirewright redact does. A secret that is recognised only later is not replaced in earlier messages",
    },
    pointer: {
      type: "string",
      multiple: true,
      value: "POINTER",
      help: "with --redact: also replace the value at this JSON Pointer",
    },
    filter: {
      type: "string",
      multiple: true,
      value: "FILTER",
      help: 'show only messages that match this role, kind, session and name, such as "adapter event", "failure", "#2 stackTrace" or "setB*"; with a leading "!", as in "!event output", hide them instead',
    },
    body: { type: "boolean", help: "also show message bodies" },
    "body-lines": {
      type: "string",
      value: "COUNT",
      help: "maximum number of lines to show per body",
      otherwise: "40",
    },
    protocol: protocolOption,
    schema: schemaOption,
    dialect: dialectOption,
    host: {
      type: "string",
      value: "NAME",
      help: "also check against the known behaviour of the host that uses the server: visual-studio, or the path of a file in the format of schema/formats/host.schema.json",
    },
    "no-lint": { type: "boolean", help: "do not check messages" },
    ui: {
      type: "boolean",
      help: "show the running session as a page, like wirewright view. The page's address is printed, and cannot be guessed",
    },
    open: { type: "boolean", help: "open that page in the browser" },
    quiet: {
      type: "boolean",
      help: "do not print the session; unless --ui is given, do not check messages either",
    },
  },
  examples: [
    ["tap --out session.jsonl -- lldb-dap", "record an adapter's sessions"],
    ["tap --listen 4711 --connect 127.0.0.1:4712", "forward between two programs that use sockets"],
    ["tap --ui --open -- python -m debugpy.adapter", "watch a session in the browser"],
  ],
  more: () =>
    `The key p, or the signal ${pausing}, pauses the display, but not the session, which never waits for the display. The output goes to standard error.`,
  status: "the status of COMMAND; otherwise 0, or 2 if the arguments are invalid.",
});

type TapValues = OptionValues<typeof tapCommand.options>;

/** Runs `wirewright tap`. Returns the exit status. */
export async function runTap(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(tapCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  if (positionals.length > 0 === (values.connect !== undefined))
    throw argumentError(
      `Cannot start: ${positionals.length > 0 ? "two servers are given" : "no server is given"}`,
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

/** How a tap processes the messages that it forwards. */
type TapSettings = Omit<AnalysisSettings, "state" | "queue">;

/** Default for `--body-lines`. */
const defaultBodyLines = 40;

/** @throws InputError `ERR_ARGUMENT` for options that cannot be combined. */
async function readTapSettings(
  values: TapValues,
  command: readonly string[],
  terminal: Terminal,
): Promise<TapSettings> {
  const { bytes, pointer, quiet = false, redact = false, body = false, append = false } = values;
  const began = new Date();
  const out =
    values.out === undefined
      ? undefined
      : recordingName(values.out, { began, adapter: adapterName(values.connect, command) });
  if (append) checkAppended(out, values.protocol);
  if ((redact && out === undefined) || (pointer !== undefined && !redact))
    throw argumentError("Cannot redact: --pointer requires --redact, and --redact requires --out");
  if (redact && bytes !== undefined)
    throw argumentError(
      "Cannot redact bytes: --bytes records them unchanged",
      "Use --out and --redact without --bytes",
    );
  const hasPage = values.ui === true || values.open === true;
  return {
    protocol: values.protocol,
    schema: values.schema,
    host: values.host,
    dialect: values.dialect,
    judges: values["no-lint"] !== true && (!quiet || hasPage),
    page: hasPage ? (values.connect ?? command[0]) : undefined,
    view: quiet
      ? undefined
      : {
          colours: terminal.errorColours,
          columns: process.stderr.columns as number | undefined,
          bodyLines: readBodyLines(values["body-lines"], body),
          filters: values.filter ?? [],
        },
    recording:
      out === undefined
        ? undefined
        : {
            path: out,
            isAppended: append,
            began: began.toISOString(),
            redaction: redact
              ? (await import("./redact-command.js")).redactOptions(pointer)
              : undefined,
          },
  };
}

/**
 * Parses an address. Returns undefined if the option was not given. @throws InputError
 * `ERR_ARGUMENT` for an invalid address.
 */
function readAddress(option: string, text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw argumentError(`Cannot use ${option} "${text}"`, "Give a port, or HOST:PORT");
  return { host, port, text };
}

/** @throws InputError `ERR_ARGUMENT` if the value is not a number of lines. */
function readBodyLines(text: string | undefined, isShown: boolean): number {
  if (text === undefined) return isShown ? defaultBodyLines : 0;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw argumentError(`Cannot use --body-lines "${text}"`, "Give a number of lines");
}

/**
 * Maximum number of bytes that may wait in memory for analysis. If bytes are recorded without
 * redaction, they wait in a file instead, and the limit does not apply.
 */
const queueBytes = 16 * 1024 * 1024;

/**
 * Opens the sink that receives the bytes of sessions. The sink is undefined if the tap neither
 * shows nor records messages.
 */
async function openSink(
  values: TapValues,
  command: readonly string[],
  terminal: Terminal,
  say: (text: string) => void,
): Promise<{
  readonly link: AnalysisLink | undefined;
  readonly roles: readonly [string, string];
  readonly sink: ByteSink | undefined;
}> {
  const { bytes } = values;
  const settings = await readTapSettings(values, command, terminal);
  const needsAnalysis =
    settings.view !== undefined || settings.recording !== undefined || settings.page !== undefined;
  const { protocol, schema } = settings;
  const { path: out, isAppended = false } = settings.recording ?? {};
  // A quiet tap does not load the description, because reading it would take longer than everything
  // else that the tap does.
  const bundled = schema === undefined ? bundledFraming(protocol) : undefined;
  const isSimple = !needsAnalysis && bundled !== undefined;
  const framed = isBlind(settings) ? bundled?.json : undefined;
  // With redaction, do not buffer anything on disk, because the bytes contain secrets.
  const isCaptured = bytes !== undefined || (out !== undefined && values.redact !== true);
  const queue = isCaptured ? undefined : createQueue(queueBytes);
  const link = isSimple ? undefined : await AnalysisLink.start({ ...settings, framed, queue }, say);
  const { version, roles } = link ?? bundled!;
  const began = settings.recording?.began ?? new Date().toISOString();
  if (isCaptured) {
    const capture =
      bytes === undefined
        ? captureFor(out!, isAppended)
        : { path: bytes, recording: out, isKept: true };
    const head = { protocol: protocol.split("@")[0]!, version, roles, began };
    return { link, roles, sink: new CapturedBytes(capture, head, link, say) };
  }
  if (link === undefined || !needsAnalysis) return { link, roles, sink: undefined };
  return { link, roles, sink: new QueuedBytes(link, queue!, out !== undefined, say) };
}

/** Returns whether the tap can work without reading the contents of messages. */
function isBlind({ view, page, recording, host }: TapSettings): boolean {
  return [view, page, recording?.redaction, host].every((reader) => reader === undefined);
}
