import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { InputError } from "../generator/base/input-error.js";
import { countText } from "../generator/base/plural.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readHost } from "../sessions/judge/host-table.js";
import {
  RecordingPage,
  type JudgedPage,
  judgePage,
  type RecordingPageOptions,
} from "../sessions/show/inspector/recording-page.js";
import { openBrowser, servePage, textHandler } from "../sessions/show/inspector/page-server.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine, type OptionValues } from "./command-line.js";
import { openProtocolOf } from "./recorded-protocol.js";
import {
  judgingOptions,
  recordingOptions,
  readRecordingNames,
  readSenders,
} from "./shared-options.js";

export const viewCommand = describeCommand({
  name: "view",
  forms: ["FILE [FILE] [options]"],
  about:
    "Writes a page that shows a recorded session: its messages, response times, and wirewright lint findings. The page is a single file, and does not use the network.",
  operands: [
    [
      "FILE",
      "a recording, framed bytes, or an adapter's or client's log, as in wirewright lint; \"-\" for standard input. Give two files if each contains one direction",
    ],
  ],
  options: {
    out: {
      value: "FILE",
      help: 'file to write; "-" for standard output',
      otherwise: "a new file in the temporary folder",
    },
    compare: {
      value: "FILE",
      help: "compare with another recording, matching messages by meaning: shows which messages are new, missing or slower",
    },
    open: { help: "open the page in the browser" },
    port: {
      value: "PORT",
      help: "serve the page on this port of 127.0.0.1 instead, until interrupted, at an address that cannot be guessed; 0 for any free port",
    },
    ...recordingOptions,
    ...judgingOptions,
  },
  examples: [
    ["view session.jsonl --open", "open a session in the browser"],
    ["view adapter.log --out session.html", "write the page to a file"],
    ["view before.jsonl --compare after.jsonl --open", "two recordings side by side"],
  ],
  more: "Prints the path or the address of the page.",
  status: "0 on success, 2 if the arguments or the recording are invalid.",
});

type ViewValues = OptionValues<typeof viewCommand.options>;

/** Runs `wirewright view`. Returns the exit status. */
export async function runView(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(viewCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const port = readPort(values);
  const files = readRecordingNames("view", "show", positionals);
  const page = await pageOf(files, values, terminal);
  if (port !== undefined) return serve(page, port, values.open === true, terminal);
  const path =
    values.out ?? join(await mkdtemp(join(tmpdir(), "wirewright-")), pageName(files[0]!));
  const file = await StreamedFile.open(path);
  await file.write(page);
  await file.finish();
  if (path !== "-") terminal.out(visible(path));
  if (values.open === true) showPage(pathToFileURL(path).href, terminal);
  return 0;
}

/**
 * @throws InputError `ERR_ARGUMENT` if the value is not a port, or if the options cannot be
 * combined.
 */
function readPort({ port, out, open }: ViewValues): number | undefined {
  const wrong = (text: string, hint: string): InputError => argumentError(text, hint);
  if (open === true && out === "-")
    throw wrong("Cannot open a page on standard output", "Give a file with --out, or omit --out");
  if (port === undefined) return undefined;
  if (out !== undefined) throw wrong("Cannot use --out with --port", "Use one of the two");
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw wrong(
      `Cannot use --port "${port}"`,
      "Give a port of at most 65535, or 0 for any free port",
    );
  return Number(port);
}

async function pageOf(
  files: readonly string[],
  values: ViewValues,
  terminal: Terminal,
): Promise<string> {
  const { compare } = values;
  if (compare === undefined) {
    const { page, report, rules, recording } = await judge(files, values, terminal);
    return page.print(report, rules, recording);
  }
  if (files.length > 1 || (compare === "-" && files[0] === "-"))
    throw argumentError(
      "Cannot compare more than two recordings",
      "Give one recording as the argument, and one with --compare",
    );
  const left = await judge(files, values, terminal);
  return RecordingPage.printComparison(left, await judge([compare], values, terminal));
}

async function judge(
  files: readonly string[],
  values: ViewValues,
  terminal: Terminal,
): Promise<JudgedPage> {
  const { dialect, profile, host, compare } = values;
  const protocol = await openProtocolOf(files[0], values);
  const table = host === undefined ? undefined : await readHost(host, protocol.source);
  const options: RecordingPageOptions = {
    profile,
    dialect,
    senders: readSenders(values.sender),
    host: table,
    onProgress: (messages, bytes) =>
      terminal.progress(`${Math.floor(bytes / 1e6)} MB, ${countText(messages, "message")}`),
  };
  return judgePage(files, protocol, options, compare !== undefined).finally(() =>
    terminal.progress(""),
  );
}

/** Serves the page until the process is interrupted. */
async function serve(
  page: string,
  port: number,
  isOpened: boolean,
  terminal: Terminal,
): Promise<number> {
  const server = await servePage(port, new Map([["", textHandler("text/html", () => page)]]));
  terminal.out(server.address);
  if (isOpened) showPage(server.once, terminal);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => resolve());
  });
  server.close();
  return 0;
}

function showPage(address: string, terminal: Terminal): void {
  openBrowser(address, () =>
    terminal.error("Cannot find a program to open the page: open it yourself"),
  );
}

/** Returns the default file name for a recording's page, such as `session.jsonl.html`. */
function pageName(file: string): string {
  return `${file === "-" ? "session" : basename(file)}.html`;
}
