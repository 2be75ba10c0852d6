import { InputError } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import type { AnalysisSettings } from "../sessions/tap/analysis-options.js";
import type { Address } from "../sessions/tap/servers.js";
import { adapterName, checkAppended, recordingName } from "./recording-name.js";
import { dialectOption, protocolOption, schemaOption, type OptionValues } from "./command-line.js";

/** The options of `wirewright tap`. */
export const tapOptions = {
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
} as const;

export type TapValues = OptionValues<typeof tapOptions>;

/** How a tap processes the messages that it forwards. */
export type TapSettings = Omit<AnalysisSettings, "state" | "queue">;

/** Default for `--body-lines`. */
const defaultBodyLines = 40;

/** @throws InputError `ERR_ARGUMENT` for options that cannot be combined. */
export async function readTapSettings(
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
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot redact: --pointer requires --redact, and --redact requires --out",
    );
  if (redact && bytes !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot redact bytes: --bytes records them unchanged",
      {},
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
export function readAddress(option: string, text: string | undefined): Address | undefined {
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

/** @throws InputError `ERR_ARGUMENT` if the value is not a number of lines. */
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
