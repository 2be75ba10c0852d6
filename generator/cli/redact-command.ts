import { schemaOf } from "./option-values.js";
import { createReadStream } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { parseArgs } from "node:util";
import { bundledProtocols, defaultProtocol } from "../base/bundled.js";
import { InputError } from "../base/input-error.js";
import type { Terminal } from "../base/terminal.js";
import { StreamedFile } from "../output/streamed-file.js";
import { readProtocol } from "../read/read-protocol.js";
import { readChunks } from "../read/source/input-source.js";
import { redactRecording } from "../redact/redact-recording.js";
import { Redactor, type RedactOptions } from "../redact/redactor.js";

/** The text of `--help`. */
export const redactHelp = (): string => `Usage: wirewright redact RECORDING [options]

Replaces what tells of a person or a machine in a recording, so that it can be shown to others.

  RECORDING            a recording of wirewright tap or convert, or lines with a JSON message each; "-" for
                       standard input

Replaced are values of environment variables, names of users and of machines, and what these options name:

Options:
  --out FILE           file to write, when all has been read (default: "-", standard output)
  --pointer POINTER    what this JSON Pointer leads to in any message, such as /arguments/program; "*" stands for
                       every property or item; may be given several times
  --text TEXT          this text, wherever it stands; may be given several times
  --protocol NAME      ${bundledProtocols().join(", ")}, or the path of a protocol.json
                       (default: ${defaultProtocol()})
  --schema FILE|URL|-  its schema, if that does not come with the tool; may be given several times
  --help               show this text

Exit status: 0 done, 2 the call or the recording is wrong.`;

const options = {
  out: { type: "string" },
  pointer: { type: "string", multiple: true },
  text: { type: "string", multiple: true },
  protocol: { type: "string" },
  schema: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
} as const;

/** `wirewright redact`. Returns the exit status. */
export async function runRedact(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    terminal.out(redactHelp());
    return 0;
  }
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to redact: give one recording",
      {},
      "See wirewright redact --help",
    );
  const redactor = new Redactor(
    await readProtocol(values.protocol ?? defaultProtocol(), {
      ...schemaOf(values),
      modules: false,
    }),
    redactOptions(values.pointer, values.text),
  );
  const copy = file === "-" ? await StreamedFile.scratch(readChunks("-", "recording")) : undefined;
  const open = (): AsyncIterable<Uint8Array> =>
    copy === undefined ? readChunks(file, "recording") : createReadStream(copy.path);
  const out = await StreamedFile.open(values.out ?? "-");
  try {
    await redactRecording(file === "-" ? "<stdin>" : file, open, redactor, (text) =>
      out.write(text),
    );
    await out.finish();
  } catch (error) {
    await out.drop();
    throw error;
  } finally {
    await copy?.drop();
  }
  return 0;
}

/**
 * What to replace: what the options name, and this user and machine.
 *
 * @throws InputError `ERR_ARGUMENT` if a pointer is none.
 */
export function redactOptions(
  pointers: readonly string[] = [],
  texts: readonly string[] = [],
): RedactOptions {
  for (const pointer of pointers)
    if (!pointer.startsWith("/"))
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot use --pointer "${pointer}": it is no JSON Pointer`,
        {},
        "It begins with a slash: /arguments/env",
      );
  const machine = hostname();
  const home = homedir();
  return {
    pointers,
    texts,
    users: [userName()],
    hosts: [...new Set([machine, machine.split(".")[0]!])],
    homes: home.length < 2 || home === "/root" ? [] : [home],
  };
}

/** Name of this user; empty if the system has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
