import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundledProtocols, defaultProtocol } from "../base/bundled.js";
import { InputError } from "../base/input-error.js";
import type { Terminal } from "../base/terminal.js";
import { visible } from "../base/visible-text.js";
import { RecordingPage } from "../inspector/inspect-recording.js";
import { openBrowser } from "../inspector/open-browser.js";
import { servePage, textHandler } from "../inspector/page-server.js";
import { readHost } from "../lint/host-table.js";
import { judgeRecording } from "../lint/judge-recording.js";
import { listRules } from "../lint/rule-list.js";
import { readSessionRules } from "../lint/session-rules.js";
import { StreamedFile } from "../output/streamed-file.js";
import { readProtocol, readVersionName } from "../read/read-protocol.js";
import { oneOf } from "./option-values.js";
import { namesOf, openRecordingFiles } from "./recording-files.js";

/** The text of `--help`. */
export const viewHelp = (): string => `Usage: wirewright view FILE [FILE] [options]

Makes a page of a recorded session: what went over the wire, how long it took, and what wirewright lint finds in it.
The page is one file. It loads nothing, and sends nothing anywhere.

  FILE                 what wirewright lint reads: a recording, framed bytes, or the log of an adapter or a client;
                       "-" for standard input. Two files are the two directions.

Options:
  --out FILE           file to write; "-" for standard output (default: a new file in the folder of temporary files)
  --open               open the page in the browser
  --port PORT          serve the page on this port of 127.0.0.1 instead, under an address that nobody can guess,
                       until interrupted; 0 for any port
  --protocol NAME      ${bundledProtocols().join(", ")}, or the path of a protocol.json
                       (default: ${defaultProtocol()})
  --version VERSION    bundled version to judge by
  --profile PROFILE    "wire" (default) or "strict", as for wirewright lint
  --host NAME          judge by what a host of the other side makes of it, too
  --help               show this text

Prints the path or the address of the page. Exit status: 0 done, 2 the call or the recording is wrong.`;

const options = {
  out: { type: "string" },
  open: { type: "boolean" },
  port: { type: "string" },
  protocol: { type: "string" },
  version: { type: "string" },
  profile: { type: "string" },
  host: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type ViewValues = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

/** `wirewright view`. Returns the exit status. */
export async function runView(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    terminal.out(viewHelp());
    return 0;
  }
  const port = readPort(values);
  if (positionals.length < 1 || positionals.length > 2)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to show: give one recording, or one for each direction",
      {},
      "See wirewright view --help",
    );
  if (positionals.length === 2 && positionals.every((file) => file === "-"))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot read both directions from standard input",
      {},
      "Give a file for one of them",
    );
  const page = await pageOf(positionals, values, terminal);
  if (port !== undefined) return serve(page, port, values.open === true, terminal);
  const path =
    values.out ?? join(await mkdtemp(join(tmpdir(), "wirewright-")), pageName(positionals[0]!));
  const file = await StreamedFile.open(path);
  await file.write(page);
  await file.finish();
  if (path !== "-") terminal.out(visible(path));
  if (values.open === true) showPage(pathToFileURL(path).href, terminal);
  return 0;
}

/** @throws InputError `ERR_ARGUMENT` if it is no port, or if the options exclude each other. */
function readPort({ port, out, open }: ViewValues): number | undefined {
  const wrong = (text: string, hint: string): InputError =>
    new InputError("ERR_ARGUMENT", text, {}, hint);
  if (open === true && out === "-")
    throw wrong("Cannot open what is printed", "Give --out a file, or leave it out");
  if (port === undefined) return undefined;
  if (out !== undefined)
    throw wrong("Cannot write a file and serve the page", "Give --out or --port, not both");
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw wrong(`Cannot use --port "${port}"`, "Give a port, or 0 for any");
  return Number(port);
}

async function pageOf(
  files: readonly string[],
  { protocol: name = defaultProtocol(), version, profile = "wire", host }: ViewValues,
  terminal: Terminal,
): Promise<string> {
  const named = readVersionName(name, version);
  const rules = await readSessionRules(named.protocol);
  const table = host === undefined ? undefined : await readHost(host, named.protocol);
  const protocol = await readProtocol(named.protocol, { ...named, modules: false });
  const recording = await openRecordingFiles(files, protocol);
  const page = new RecordingPage(protocol);
  const report = await judgeRecording(recording, protocol, {
    name: namesOf(files)
      .map((file) => basename(file))
      .join(" "),
    profile: oneOf("--profile", profile, ["wire", "strict"]),
    rules,
    host: table,
    severities: new Map(),
    viewer: page,
    onProgress: (messages, bytes) =>
      terminal.progress(`${Math.floor(bytes / 1e6)} MB, ${messages} messages`),
  }).finally(() => terminal.progress(""));
  return page.print(report, listRules(rules, table), recording);
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
  if (isOpened) showPage(server.address, terminal);
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
