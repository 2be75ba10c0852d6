import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError } from "../base/input-error.js";
import type { Terminal } from "../base/terminal.js";
import { visible } from "../base/visible-text.js";
import { RecordingPage, type JudgedPage } from "../inspector/inspect-recording.js";
import { openBrowser } from "../inspector/open-browser.js";
import { servePage, textHandler } from "../inspector/page-server.js";
import { recordedProtocol } from "../library/recorded-protocol.js";
import { readHost } from "../lint/host-table.js";
import { openProtocol } from "../library/open-protocol.js";
import { judgePage, type RecordingPageOptions } from "../library/print-recording-page.js";
import { StreamedFile } from "../output/streamed-file.js";
import {
  describeCommand,
  dialectOption,
  judgingOptions,
  recordedProtocolOption,
  readCommandLine,
  type OptionValues,
} from "./command-line.js";
import { readRecordingNames } from "./option-values.js";

export const viewCommand = describeCommand({
  name: "view",
  forms: ["FILE [FILE] [options]"],
  about:
    "Makes a page of a recorded session: its messages, response times, and the findings of wirewright lint. The page is one file, which loads nothing and sends nothing.",
  operands: [
    [
      "FILE",
      'a recording, framed bytes, or the log of an adapter or a client, as for wirewright lint; "-" for standard input. Two files are the two directions',
    ],
  ],
  options: {
    out: {
      type: "string",
      value: "FILE",
      help: 'file to write; "-" for standard output',
      otherwise: "a new file in the folder of temporary files",
    },
    compare: {
      type: "string",
      value: "FILE",
      help: "another recording beside the first one, aligned by the meaning of messages: new, missing and slower ones",
    },
    open: { type: "boolean", help: "open the page in the browser" },
    port: {
      type: "string",
      value: "PORT",
      help: "serve the page on this port of 127.0.0.1 instead, at an address that nobody can guess, until interrupted; 0 for any port",
    },
    protocol: recordedProtocolOption,
    dialect: dialectOption,
    ...judgingOptions,
  },
  examples: [
    ["view session.jsonl --open", "look at a session in the browser"],
    ["view adapter.log --out session.html", "write the page to a file"],
    ["view before.jsonl --compare after.jsonl --open", "two recordings side by side"],
  ],
  more: "Prints the path or the address of the page.",
  status: "0 done, 2 the call or the recording is wrong.",
});

type ViewValues = OptionValues<typeof viewCommand.options>;

/** `wirewright view`. Returns the exit status. */
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

/** @throws InputError `ERR_ARGUMENT` if it is not a port, or if the options exclude each other. */
function readPort({ port, out, open }: ViewValues): number | undefined {
  const wrong = (text: string, hint: string): InputError =>
    new InputError("ERR_ARGUMENT", text, {}, hint);
  if (open === true && out === "-")
    throw wrong("Cannot open printed output", "Give --out a file, or leave it out");
  if (port === undefined) return undefined;
  if (out !== undefined)
    throw wrong("Cannot write a file and serve the page", "Give --out or --port, not both");
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw wrong(`Cannot use --port "${port}"`, "Give a port, or 0 for any");
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
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot compare more than two recordings",
      {},
      "Give one recording, and the other one with --compare",
    );
  const left = await judge(files, values, terminal);
  return RecordingPage.printComparison(left, await judge([compare], values, terminal));
}

async function judge(
  files: readonly string[],
  { protocol: name, dialect, version, profile, host, compare }: ViewValues,
  terminal: Terminal,
): Promise<JudgedPage> {
  const protocol = await openProtocol(
    name ?? (await recordedProtocol(files[0])),
    version === undefined ? {} : { version },
  );
  const table = host === undefined ? undefined : await readHost(host, protocol.source);
  const options: RecordingPageOptions = {
    profile,
    dialect,
    host: table,
    onProgress: (messages, bytes) =>
      terminal.progress(`${Math.floor(bytes / 1e6)} MB, ${messages} messages`),
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
    terminal.error("Cannot find a program that opens the page: open it yourself"),
  );
}

/** Name of the page of a recording: `session.jsonl.html`. */
function pageName(file: string): string {
  return `${file === "-" ? "session" : basename(file)}.html`;
}
