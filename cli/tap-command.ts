import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemReason } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import type { Protocol } from "../generator/model/protocol.js";
import { openBrowser, type PageAddresses } from "../sessions/show/inspector/page-server.js";
import type { RedactionValues } from "./redact-command.js";
import type { Redaction } from "../sessions/show/redact/redactor.js";
import { bundledFraming } from "../sessions/tap/bundled-framing.js";
import { controlDisplay, pausing } from "../sessions/tap/display-control.js";
import { LinesRecorder } from "../sessions/tap/lines-recorder.js";
import { BytesRecorder, type Recorder, RecordingFile } from "../sessions/tap/recording-file.js";
import {
  endingSignals,
  openSocket,
  startProcess,
  statusOf,
  type Server,
  type Address,
} from "../sessions/tap/servers.js";
import { tapClients, TapSessions } from "../sessions/tap/tap-sessions.js";
import { ViewerProcess } from "../sessions/tap/viewer-process.js";
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
      value: "[HOST:]PORT",
      help: "address to listen on for any number of clients; without it, the client uses this command's standard input and output",
    },
    connect: { value: "[HOST:]PORT", help: "address of the server" },
    out: {
      value: "FILE",
      help: "record the session: one line of JSON per message, with its time and offset, plus COMMAND's standard error. In the file name, {pid}, {time} and {adapter} are replaced by the process id, the start time and the name of COMMAND. An existing file is overwritten",
    },
    append: { help: "with --out: append to the existing recording" },
    bytes: {
      value: "FILE",
      help: "record the bytes unchanged, in a file that wirewright lint and convert can read",
    },
    redact: {
      help: "replace everything in the recording, the display and the page that may identify a person, a machine or a project, as wirewright redact does",
    },
    pointer: {
      multiple: true,
      value: "POINTER",
      help: "with --redact: replace the value at this JSON Pointer even if it would be kept",
    },
    keep: {
      multiple: true,
      value: "POINTER",
      help: "with --redact: keep the value at this JSON Pointer",
    },
    "keep-outputs": { help: "with --redact: keep the text that the programs print" },
    filter: {
      multiple: true,
      value: "FILTER",
      help: 'show only messages that match this role, kind, session and name, such as "adapter event", "failure", "#2 stackTrace" or "setB*"; with a leading "!", as in "!event output", hide them instead',
    },
    body: { help: "also show message bodies" },
    "body-lines": {
      value: "COUNT",
      help: "maximum number of lines to show per body",
      otherwise: "40",
    },
    protocol: protocolOption,
    schema: schemaOption,
    dialect: dialectOption,
    host: {
      value: "NAME",
      help: "also check against the known behaviour of the host that uses the server: visual-studio, or the path of a file in the format of schema/formats/host.schema.json",
    },
    "no-lint": { help: "do not check messages" },
    ui: {
      help: "show the running session as a page, like wirewright view. The page's address is printed, and cannot be guessed",
    },
    open: { help: "open that page in the browser" },
    quiet: { help: "do not print the session; unless --ui is given, do not check messages either" },
  },
  examples: [
    ["tap --out session.jsonl -- lldb-dap", "record an adapter's sessions"],
    ["tap --listen 4711 --connect 127.0.0.1:4712", "forward between two programs that use sockets"],
    ["tap --ui --open -- python -m debugpy.adapter", "watch a session in the browser"],
  ],
  more: () =>
    `The key p, or the signal ${pausing}, pauses the display and the page, but not the session, which never waits for them. The output goes to standard error.`,
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
  const { viewer, roles, recorders, close } = await openTap(values, positionals, terminal, say);
  const [command, ...rest] = positionals;
  const open = (): Promise<Server> =>
    serverAddress === undefined
      ? startProcess(command!, rest, recorders.length > 0 && readsErrors(values))
      : openSocket(serverAddress);
  const release =
    viewer === undefined || values.quiet === true
      ? undefined
      : controlDisplay(viewer, {
          hasKeys: clientAddress !== undefined && process.stdin.isTTY,
          say,
        });
  const sessions = new TapSessions(roles, recorders);
  // Handle signals here only if no other code does. `startProcess` forwards them to the server, and
  // `tapClients` stops when it receives a signal.
  const isOnItsOwn = command === undefined && clientAddress === undefined;
  const unwatch = isOnItsOwn ? endBySignals(close) : undefined;
  try {
    const status =
      clientAddress === undefined
        ? await tapStandardStreams(await open(), sessions)
        : await tapClients(clientAddress, open, sessions, say);
    await close();
    await leaveUnread(status);
    return status;
  } finally {
    await close();
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

/** Closes the tap before a signal ends the process. */
function endBySignals(close: () => Promise<void>): () => void {
  const end = (signal: NodeJS.Signals): void => {
    void close().then(() => process.exit(statusOf(signal)));
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

/** Default for `--body-lines`. */
const defaultBodyLines = 40;

/**
 * Parses an address. Returns undefined if the option was not given. @throws InputError
 * `ERR_ARGUMENT` for an invalid address.
 */
function readAddress(option: string, text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw argumentError(
      `Cannot use ${option} "${text}"`,
      "Give a port of at most 65535, or HOST:PORT",
    );
  return { host, port, text };
}

/** @throws InputError `ERR_ARGUMENT` if the value is not a number of lines. */
function readBodyLines(text: string | undefined, isShown: boolean): number {
  if (text === undefined) return isShown ? defaultBodyLines : 0;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw argumentError(`Cannot use --body-lines "${text}"`, "Give a number of lines");
}

/** The parts of a tap around the forwarding. */
interface OpenTap {
  /** The process that shows the sessions. Undefined if they are not shown. */
  readonly viewer: ViewerProcess | undefined;
  readonly roles: readonly [string, string];
  readonly recorders: readonly Recorder[];
  /** Resolves when the end of the sessions has been shown. May be called several times. */
  close(): Promise<void>;
}

/** @throws InputError for invalid options, or if the recording cannot be written. */
async function openTap(
  values: TapValues,
  command: readonly string[],
  terminal: Terminal,
  say: (text: string) => void,
): Promise<OpenTap> {
  const { schema, bytes, append = false, redact = false, pointer, quiet = false } = values;
  const now = new Date();
  const began = now.toISOString();
  const out =
    values.out === undefined
      ? undefined
      : recordingName(values.out, { began: now, adapter: adapterName(values.connect, command) });
  if (append) checkAppended(out, values.protocol);
  const keepOutputs = values["keep-outputs"];
  if (!redact && (values.keep ?? pointer ?? keepOutputs) !== undefined)
    throw argumentError("Cannot redact: --pointer, --keep and --keep-outputs require --redact");
  if (redact && out === undefined) throw argumentError("Cannot redact: --redact requires --out");
  if (redact && bytes !== undefined)
    throw argumentError(
      "Cannot redact bytes: --bytes records them unchanged",
      "Use --out and --redact without --bytes",
    );
  const hasPage = values.ui === true || values.open === true;
  const isShown = hasPage || !quiet;
  // Read the whole protocol only if necessary: that takes longer than everything else.
  const framing = schema === undefined && !redact ? bundledFraming(values.protocol) : undefined;
  const isRaw = out === undefined && !isShown;
  const isFramed = framing !== undefined && (isRaw || framing.json !== undefined);
  const protocol = isFramed ? undefined : await readTapped(values.protocol, schema);
  const { version, roles } = protocol ?? framing!;
  const redaction = redact
    ? await openRedaction(values.protocol, schema, {
        keep: values.keep,
        keepOutputs,
        replace: pointer,
      })
    : undefined;
  const title = values.connect ?? command[0]!;
  const viewer = isShown
    ? new ViewerProcess(
        {
          protocol: values.protocol,
          schema,
          host: values.host,
          dialect: values.dialect,
          judges: values["no-lint"] !== true,
          page: hasPage ? (redaction?.redactedText(title) ?? title) : undefined,
          view: quiet
            ? undefined
            : {
                colours: terminal.errorColours,
                bodyLines: readBodyLines(values["body-lines"], values.body === true),
                filters: values.filter ?? [],
              },
        },
        say,
      )
    : undefined;
  // The display refuses only settings that depend on the protocol. Without any, the server starts at once.
  const mayBeRefused = !isFramed || (values.filter ?? values.host ?? values.dialect) !== undefined;
  if (mayBeRefused || hasPage) {
    const page = await viewer?.ready;
    if (page !== undefined) showPage(page, values, say);
  } else viewer?.ready.catch((error: Error) => say(error.message));
  const recorders: Recorder[] = [];
  const openFile = (path: string, what: string, isAppended = false): RecordingFile =>
    new RecordingFile(
      path,
      (error) =>
        say(`${what} stopped, but the session continues: ${systemReason(error)} [ERR_OUTPUT]`),
      isAppended,
    );
  const record = (file: RecordingFile): void =>
    void recorders.push(new LinesRecorder(file, protocol ?? framing!.json!, began, redaction));
  if (bytes !== undefined) {
    const head = { protocol: protocol?.name ?? values.protocol, version, roles, began };
    recorders.push(new BytesRecorder(openFile(bytes, "Recording"), head));
  }
  const file = out === undefined ? undefined : openFile(out, "Recording", append);
  if (file !== undefined) record(file);
  if (viewer === undefined) return { viewer, roles, recorders, close: () => Promise.resolve() };
  if (file?.isRegular === true) {
    viewer.follow(file, false);
    return { viewer, roles, recorders, close: () => viewer.finish() };
  }
  const folder = mkdtempSync(join(tmpdir(), "wirewright-"));
  const temporary = openFile(join(folder, "session.jsonl"), "The display");
  record(temporary);
  viewer.follow(temporary, true);
  const close = (): Promise<void> =>
    viewer.finish().finally(() => rmSync(folder, { recursive: true, force: true }));
  return { viewer, roles, recorders, close };
}

async function readTapped(
  protocol: string,
  schema: readonly string[] | undefined,
): Promise<Protocol> {
  const { readProtocol, readVersionName } = await import("../generator/read/read-protocol.js");
  const { protocol: name, version } = readVersionName(protocol);
  return readProtocol(name, { version, schema });
}

async function openRedaction(
  protocol: string,
  schema: readonly string[] | undefined,
  values: RedactionValues,
): Promise<Redaction> {
  const { openProtocol } = await import("../sessions/judge/open-protocol.js");
  const { createRedaction } = await import("./redact-command.js");
  return createRedaction(await openProtocol(protocol, { schema }), values);
}
