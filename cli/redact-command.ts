import { createReadStream } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import type { Terminal } from "../generator/base/terminal.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readProtocol } from "../generator/read/read-protocol.js";
import { readChunks } from "../generator/read/source/input-source.js";
import { recordedProtocol } from "../sessions/read/recording-files.js";
import { redactRecording } from "../sessions/show/redact/redact-recording.js";
import { Redactor, type RedactOptions } from "../sessions/show/redact/redactor.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { recordedProtocolOption, schemaOption } from "./shared-options.js";

export const redactCommand = describeCommand({
  name: "redact",
  forms: ["RECORDING [options]"],
  about:
    "Replaces personal data in a recording, so that you can share it: environment variables, passwords and keys, user and machine names, and any strings that the options select.",
  operands: [
    [
      "RECORDING",
      'a recording made with wirewright tap or convert, or one JSON message per line; "-" for standard input',
    ],
  ],
  options: {
    out: {
      type: "string",
      value: "FILE",
      help: "file to write, once all input has been read",
      default: "-",
      otherwise: '"-", standard output',
    },
    pointer: {
      type: "string",
      multiple: true,
      value: "POINTER",
      help: 'replace the value at this JSON Pointer in every message, such as /arguments/program; "*" matches every property or item',
    },
    text: { type: "string", multiple: true, value: "TEXT", help: "replace this text everywhere" },
    protocol: recordedProtocolOption,
    schema: schemaOption,
  },
  examples: [
    ["redact session.jsonl --out public.jsonl", "replace personal data"],
    ['redact session.jsonl --pointer /arguments/program --text "Project X"', "replace more values"],
  ],
  status: "0 on success, 2 if the arguments or the recording are invalid.",
});

/** Runs `wirewright redact`. Returns the exit status. */
export async function runRedact(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(redactCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw argumentError("Cannot redact: give one recording", "See wirewright redact --help");
  const redactor = new Redactor(
    await readProtocol(values.protocol ?? (await recordedProtocol(file)), {
      schema: values.schema,
    }),
    redactOptions(values.pointer, values.text),
  );
  const copy = file === "-" ? await StreamedFile.scratch(readChunks("-", "recording")) : undefined;
  const open = (): AsyncIterable<Uint8Array> =>
    copy === undefined ? readChunks(file, "recording") : createReadStream(copy.path);
  const out = await StreamedFile.open(values.out);
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
 * Returns the strings to replace: those in the options, and the names of the current user and
 * machine. The values of this process's environment variables are also included, because programs
 * inherit them.
 *
 * @throws InputError `ERR_ARGUMENT` for an invalid JSON Pointer.
 */
export function redactOptions(
  pointers: readonly string[] = [],
  texts: readonly string[] = [],
): RedactOptions {
  for (const pointer of pointers)
    if (!pointer.startsWith("/"))
      throw argumentError(
        `Cannot use --pointer "${pointer}": it is not a JSON Pointer`,
        "Begin it with a slash: /arguments/env",
      );
  const machine = hostname();
  const home = homedir();
  return {
    pointers,
    texts,
    users: [userName()],
    hosts: [...new Set([machine, machine.split(".")[0]!])],
    homes: home.length < 2 || home === "/root" ? [] : [home],
    environment: { ...process.env },
  };
}

/** Returns the current user's name, or an empty string if the system has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
