import { schemaOf } from "./option-values.js";
import { parseArgs } from "node:util";
import { bundledProtocols, defaultProtocol } from "../base/bundled.js";
import { InputError } from "../base/input-error.js";
import type { Terminal } from "../base/terminal.js";
import { visible } from "../base/visible-text.js";
import { StreamedFile } from "../output/streamed-file.js";
import { readProtocol } from "../read/read-protocol.js";
import { readChunks } from "../read/source/input-source.js";
import { logFormats } from "../session/logs/log-formats.js";
import { recordingHead, recordingLine } from "../session/recording-lines.js";
import { openRecording, type OpenRecording } from "../session/recording.js";

/** The text of `--help`. */
export const convertHelp = (): string => `Usage: wirewright convert LOG [LOG] [options]
       wirewright convert formats

Turns the log of a client or of an adapter into a recording, as wirewright tap writes it and wirewright lint reads it.

  LOG                  a log in one of the formats that wirewright convert formats lists, or anything else that
                       wirewright lint reads; "-" for standard input. Two files are the two directions.

Options:
  --out FILE           recording to write, when all has been read (default: "-", standard output)
  --format NAME        format of the log (default: found by its lines)
  --protocol NAME      ${bundledProtocols().join(", ")}, or the path of a protocol.json
                       (default: ${defaultProtocol()})
  --schema FILE|URL|-  its schema, if that does not come with the tool; may be given several times
  --help               show this text

What a log does not tell stays open: the line of the message lists it as "unknown", and wirewright lint does not judge
it. Exit status: 0 done, 2 the call or the log is wrong.`;

const options = {
  out: { type: "string" },
  format: { type: "string" },
  protocol: { type: "string" },
  schema: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
} as const;

/** Unreadable places that are told one by one. */
const shownFaults = 10;

/** `wirewright convert`. Returns the exit status. */
export async function runConvert(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    terminal.out(convertHelp());
    return 0;
  }
  if (positionals.length === 1 && positionals[0] === "formats") {
    for (const { name, title } of logFormats)
      terminal.out(`${name.padEnd(18)}  ${title.replaceAll("`", "")}`);
    return 0;
  }
  if (positionals.length < 1 || positionals.length > 2)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to convert: give one log, or one for each direction",
      {},
      "See wirewright convert --help",
    );
  if (positionals.length === 2 && positionals.every((file) => file === "-"))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot read both directions from standard input",
      {},
      "Give a file for one of them",
    );
  const protocol = await readProtocol(values.protocol ?? defaultProtocol(), {
    ...schemaOf(values),
    modules: false,
  });
  const names = positionals.map((file) => (file === "-" ? "<stdin>" : file));
  const recording = await openRecording(
    positionals.map((file, index) => ({ name: names[index]!, chunks: readChunks(file, "log") })),
    protocol,
    values.format === undefined ? {} : { format: values.format },
  );
  const out = await StreamedFile.open(values.out ?? "-");
  let messages = 0;
  const faults: string[] = [];
  try {
    await out.write(recordingHead(protocol, recording.isOrderGuessed ? { order: "guessed" } : {}));
    for await (const entry of recording) {
      await out.write(recordingLine(entry));
      if (entry.message !== undefined) messages++;
      else if (
        entry.fault !== undefined &&
        faults.push(`${entry.line ?? ""}: ${entry.fault.text}`) > shownFaults
      )
        faults.splice(shownFaults);
    }
    await out.finish();
  } catch (error) {
    await out.drop();
    throw error;
  }
  for (const fault of faults) terminal.error(visible(`${names.join(" ")}:${fault}`));
  terminal.error(visible(`${names.join(" ")}   ${summaryOf(recording, messages)}`));
  return 0;
}

/** What was read, and what it did not tell. */
function summaryOf({ formats }: OpenRecording, messages: number): string {
  const logs = logFormats.filter(({ name }) => formats.includes(name));
  const omitted = logs.flatMap(({ omits }) => omits ?? []);
  const open = omitted.length === 0 ? "" : `   not told: ${omitted.join("; ")}`;
  return `${[...new Set(formats)].join(", ")}   ${messages} messages${open}`;
}
