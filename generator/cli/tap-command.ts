import { parseArgs } from "node:util";
import { bundledProtocols, defaultProtocol } from "../base/bundled.js";
import { InputError } from "../base/input-error.js";
import type { Terminal } from "../base/terminal.js";
import { openBrowser } from "../inspector/open-browser.js";
import { AnalysisLink } from "../tap/analysis-link.js";
import type { AnalysisSettings } from "../tap/analysis-options.js";
import { createQueue } from "../tap/byte-queue.js";
import { bundledFraming } from "../tap/bundled-framing.js";
import { tapClients } from "../tap/client-server.js";
import { controlDisplay, pausing } from "../tap/display-control.js";
import {
  endingSignals,
  openSocket,
  startProcess,
  statusOf,
  type Address,
  type Server,
} from "../tap/servers.js";
import { TapSessions } from "../tap/tap-sessions.js";
import { within } from "../tap/within.js";
import { CapturedBytes, captureFor, QueuedBytes, type ByteSink } from "../tap/tapped-bytes.js";

/** The text of `--help`. */
export const tapHelp = (): string => `Usage: wirewright tap [options] -- COMMAND [ARGUMENTS]
       wirewright tap [options] --listen [HOST:]PORT --connect [HOST:]PORT

Runs between a client and a server, forwards every byte unchanged, and shows each message on a line, with what
matters in it and its response time, and below it the errors and warnings of wirewright lint.

  COMMAND               the server: a process that speaks on its standard input and output
  --connect [HOST:]PORT the server, which listens there
  --listen [HOST:]PORT  the client connects there, any number of times; otherwise the client speaks on
                        the standard input and output of this command

Options:
  --out FILE            record the session: a line of JSON for each message, with its time and offset, and
                        what COMMAND prints on its standard error; a file that exists is replaced
  --bytes FILE          record the bytes as they come; wirewright lint and convert read that, too
  --redact              record as wirewright redact would: without environment and names of persons and machines;
                        what is told only later is not replaced before. The display and the page show the same
  --pointer POINTER     with --redact: what this JSON Pointer leads to, too; may be given several times
  --filter FILTER       show only some messages: a role, a kind, a session and a name, such as "adapter event",
                        "failure", "#2 stackTrace" or "setB*"; with "!", such as "!event output", all but
                        these; may be given several times
  --body                show the bodies of messages, too
  --body-lines COUNT    lines of a body to show at most (default: 40)
  --protocol NAME       ${bundledProtocols().join(", ")}, or the path of a protocol.json
                        (default: ${defaultProtocol()})
  --schema FILE|URL|-   its schema, if that does not come with the tool; may be given several times
  --host NAME           also judge by the behaviour of a host of the server: visual-studio, or the path of a
                        file as schema/host.schema.json describes it
  --no-lint             do not judge messages
  --ui                  show the session as a page, as wirewright view does, while it goes on; its address is
                        printed, and nobody else can guess it
  --open                open that page in the browser
  --quiet               print nothing of the session, and do not judge messages, unless with --ui
  --help                show this text

The key p, or the signal ${pausing}, pauses the display. The session goes on meanwhile, and does not wait for the display
in any case. The output goes to standard error. Exit status: that of COMMAND; otherwise 0, or 2 if the arguments
are wrong.`;

const options = {
  out: { type: "string" },
  bytes: { type: "string" },
  redact: { type: "boolean" },
  pointer: { type: "string", multiple: true },
  filter: { type: "string", multiple: true },
  body: { type: "boolean" },
  "body-lines": { type: "string" },
  protocol: { type: "string" },
  schema: { type: "string", multiple: true },
  listen: { type: "string" },
  connect: { type: "string" },
  host: { type: "string" },
  "no-lint": { type: "boolean" },
  ui: { type: "boolean" },
  open: { type: "boolean" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const readValues = (args: readonly string[]) =>
  parseArgs({ args: [...args], options, allowPositionals: true });

type Values = ReturnType<typeof readValues>["values"];

/** Bytes that wait for the analysis, unless they are recorded. */
const queueBytes = 16 * 1024 * 1024;

/** Lines of a body that are shown if nothing else is said. */
const defaultBodyLines = 40;

/** `wirewright tap`. Returns the exit status. */
export async function runTap(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readValues(args);
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
  const say = (text: string): void => terminal.error(text);
  const { link, roles, sink } = await openSink(values, positionals[0], terminal, say);
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
  // `startProcess` passes signals on to the server, and `tapClients` stops on them.
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

function showPage(address: string, { open }: Values, say: (text: string) => void): void {
  say(`page: ${address}`);
  if (open === true)
    openBrowser(address, () => say("Cannot find a program that opens the page: open it yourself"));
}

/**
 * Whether what the server prints goes through this process. It has to if it is recorded; and if standard error is no
 * terminal, because a process that inherits it makes writing to it wait for its reader.
 */
function readsErrors({ out, bytes, ui, open }: Values): boolean {
  const isKept = out !== undefined || bytes !== undefined || ui === true || open === true;
  return isKept || !process.stderr.isTTY;
}

/** Milliseconds that the reader of standard error has at the end. */
const lastWordsMs = 500;

/** Ends the process if nobody reads what it has printed. Otherwise that would keep it running. */
async function leaveUnread(status: number): Promise<void> {
  const { stderr } = process;
  if (stderr.writableLength === 0) return;
  const isRead = new Promise<boolean>((resolve) => stderr.once("drain", () => resolve(true)));
  if (!(await within(isRead, lastWordsMs, false)) && stderr.writableLength > 0)
    process.exit(status);
}

/** Opens what the bytes of sessions go into. Nothing does if the tap shows and records nothing. */
async function openSink(
  values: Values,
  command: string | undefined,
  terminal: Terminal,
  say: (text: string) => void,
): Promise<{
  readonly link: AnalysisLink | undefined;
  readonly roles: readonly [string, string];
  readonly sink: ByteSink | undefined;
}> {
  const { out, bytes } = values;
  const settings = await readSettings(values, command, terminal);
  const needsAnalysis =
    settings.view !== undefined || settings.recording !== undefined || settings.page !== undefined;
  const { protocol, schema } = settings;
  // Reading a description takes longer than everything else that a quiet tap does.
  const bundled = schema === undefined ? bundledFraming(protocol) : undefined;
  const isSimple = !needsAnalysis && bundled !== undefined;
  const framed = isBlind(settings) ? bundled?.json : undefined;
  // What is to be redacted does not get onto the disk before.
  const isCaptured = bytes !== undefined || (out !== undefined && values.redact !== true);
  const queue = isCaptured ? undefined : createQueue(queueBytes);
  const link = isSimple ? undefined : await AnalysisLink.start({ ...settings, framed, queue }, say);
  const { version, roles } = link ?? bundled!;
  const began = settings.recording?.began ?? new Date().toISOString();
  if (isCaptured) {
    const place =
      bytes === undefined ? captureFor(out!) : { path: bytes, recording: out, isKept: true };
    const head = { protocol: protocol.split("@")[0]!, version, roles, began };
    return { link, roles, sink: new CapturedBytes(place, head, link, say) };
  }
  if (link === undefined || !needsAnalysis) return { link, roles, sink: undefined };
  return { link, roles, sink: new QueuedBytes(link, queue!, out !== undefined, say) };
}

/** @throws InputError `ERR_ARGUMENT` for options that do not go together. */
async function readSettings(
  values: Values,
  command: string | undefined,
  terminal: Terminal,
): Promise<Omit<AnalysisSettings, "state" | "queue">> {
  const { out, bytes, pointer, quiet = false, redact = false, body = false } = values;
  if ((redact && out === undefined) || (pointer !== undefined && !redact))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to redact: --pointer needs --redact, and --redact needs --out",
    );
  if (redact && bytes !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot redact bytes: --bytes records them as they come",
      {},
      "Give --out and --redact alone",
    );
  const hasPage = values.ui === true || values.open === true;
  return {
    protocol: values.protocol ?? defaultProtocol(),
    schema: values.schema,
    host: values.host,
    judges: values["no-lint"] !== true && (!quiet || hasPage),
    page: hasPage ? (values.connect ?? command) : undefined,
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
            began: new Date().toISOString(),
            redaction: redact
              ? (await import("./redact-command.js")).redactOptions(pointer)
              : undefined,
          },
  };
}

/** Whether nothing looks into messages. */
function isBlind({
  view,
  page,
  recording,
  host,
}: Omit<AnalysisSettings, "state" | "queue">): boolean {
  const looks = [view, page, recording?.redaction, host];
  return looks.every((each) => each === undefined);
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

/** Taps between the standard streams of this process and the server. */
async function tapStandardStreams(server: Server, sessions: TapSessions): Promise<number> {
  const client = { input: process.stdin, output: process.stdout };
  const status = await sessions.tap(client, server, false);
  process.stdin.destroy();
  return status;
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

/** @throws InputError `ERR_ARGUMENT` if it is no number of lines. */
function readBodyLines(text: string | undefined, isShown: boolean): number {
  if (text === undefined) return isShown ? defaultBodyLines : 0;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use --body-lines "${text}"`,
    {},
    "Give a number of lines",
  );
}
