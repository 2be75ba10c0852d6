import { createReadStream, statSync, type Stats } from "node:fs";
import type { Terminal } from "../generator/base/terminal.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readChunks } from "../generator/read/source/input-source.js";
import { openProtocol, type OpenProtocol } from "../sessions/judge/open-protocol.js";
import { recordedProtocol } from "../sessions/read/recording-files.js";
import { redactRecording } from "../sessions/show/redact/redact-recording.js";
import {
  Redactor,
  type Redaction,
  type RedactionCounts,
} from "../sessions/show/redact/redactor.js";
import { SecretRedactor } from "../sessions/show/redact/secret-redactor.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { recordedProtocolOption, schemaOption } from "./shared-options.js";

export const redactCommand = describeCommand({
  name: "redact",
  forms: ["RECORDING [options]"],
  about:
    "Replaces everything in a recording that may identify a person, a machine or a project, so that you can share it. Kept are the names and constants that the protocol defines, numbers where its schema has numbers, true, false and null, times, and the structure. Every other string becomes a placeholder; the same string always becomes the same one.",
  operands: [
    [
      "RECORDING",
      'a recording made with wirewright tap or convert, or one JSON message per line; "-" for standard input',
    ],
  ],
  options: {
    out: {
      value: "FILE",
      help: "file to write, once all input has been read",
      default: "-",
      otherwise: '"-", standard output',
    },
    keep: {
      multiple: true,
      value: "POINTER",
      help: 'keep the value at this JSON Pointer in every message, such as /arguments/adapterID; "*" matches every property or item',
    },
    "keep-outputs": { help: "keep the text that the programs print, such as /body/output in DAP" },
    pointer: {
      multiple: true,
      value: "POINTER",
      help: "replace the value at this JSON Pointer in every message, even if it would be kept",
    },
    text: { multiple: true, value: "TEXT", help: "replace this text even in values that are kept" },
    "only-secrets": {
      help: "replace only what looks like a secret: values named like passwords, environment variables, and well-known forms of keys. This helps, but guarantees nothing",
    },
    protocol: recordedProtocolOption,
    schema: schemaOption,
  },
  examples: [
    ["redact session.jsonl --out public.jsonl", "replace everything that is not the protocol's"],
    [
      "redact session.jsonl --keep-outputs --text 'Project X'",
      "keep the output, except for a name",
    ],
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
  if (isSameFile(file, values.out))
    throw argumentError(
      `Cannot redact: --out is the recording itself, ${file}`,
      "Give --out another name",
    );
  const protocol = await openProtocol(values.protocol ?? (await recordedProtocol(file)), {
    schema: values.schema,
  });
  const redaction = createRedaction(protocol, {
    keep: values.keep,
    keepOutputs: values["keep-outputs"],
    replace: values.pointer,
    texts: values.text,
    onlySecrets: values["only-secrets"],
  });
  // Standard input can be read only once.
  const copy =
    file === "-" && redaction.find !== undefined
      ? await StreamedFile.scratch(readChunks("-", "recording"))
      : undefined;
  const open = (): AsyncIterable<Uint8Array> =>
    copy === undefined ? readChunks(file, "recording") : createReadStream(copy.path);
  const out = await StreamedFile.open(values.out);
  try {
    await redactRecording(file === "-" ? "<stdin>" : file, open, redaction, (text) =>
      out.write(text),
    );
    await out.finish();
  } catch (error) {
    await out.drop();
    throw error;
  } finally {
    await copy?.drop();
  }
  terminal.error(describeCounts(redaction.counts));
  return 0;
}

export interface RedactionValues {
  readonly keep?: readonly string[] | undefined;
  readonly keepOutputs?: boolean | undefined;
  readonly replace?: readonly string[] | undefined;
  readonly texts?: readonly string[] | undefined;
  readonly onlySecrets?: boolean | undefined;
}

/**
 * Creates the redaction that the options ask for.
 *
 * @throws InputError `ERR_ARGUMENT` for an invalid JSON Pointer or options that exclude each other.
 */
export function createRedaction(
  { sessionRules, ...protocol }: OpenProtocol,
  { keep = [], keepOutputs = false, replace = [], texts, onlySecrets = false }: RedactionValues,
): Redaction {
  for (const [name, pointers] of Object.entries({ keep, pointer: replace }))
    for (const pointer of pointers)
      if (!pointer.startsWith("/"))
        throw argumentError(
          `Cannot use --${name} "${pointer}": it is not a JSON Pointer`,
          "Begin it with a slash: /arguments/env",
        );
  if (!onlySecrets) {
    const outputs = sessionRules?.outputs ?? [];
    if (keepOutputs && outputs.length === 0)
      throw argumentError(
        `Cannot use --keep-outputs: ${protocol.name} has no messages that are known to be output`,
        "Name the text with --keep POINTER",
      );
    const kept = keepOutputs ? [...keep, ...outputs] : keep;
    return new Redactor(protocol, sessionRules, { keep: kept, replace, texts });
  }
  if (keepOutputs || keep.length > 0)
    throw argumentError(
      "Cannot use --only-secrets with --keep or --keep-outputs",
      "--only-secrets keeps everything that does not look like a secret",
    );
  return new SecretRedactor({ replace, texts });
}

function describeCounts({ replaced, kept, unmatched }: RedactionCounts): string {
  const lines = [`redact: ${countOf(replaced)} replaced, ${countOf(kept)} kept`];
  for (const option of unmatched) lines.push(`redact: ${option} matched nothing`);
  return lines.join("\n");
}

function countOf(count: number): string {
  return `${count.toLocaleString("en")} string${count === 1 ? "" : "s"}`;
}

/** Returns whether two names lead to the same file. */
function isSameFile(input: string, output: string): boolean {
  if (input === "-" || output === "-") return false;
  const [a, b] = [input, output].map(statOf);
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
