import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readProtocol } from "../generator/read/read-protocol.js";
import { readChunks } from "../generator/read/source/input-source.js";
import { logFormats } from "../sessions/read/logs/log-formats.js";
import { recordedProtocol, namesOf, openRecordingFiles } from "../sessions/read/recording-files.js";
import { recordingHead, recordingLine } from "../sessions/read/recorded-lines.js";
import type { OpenRecording } from "../sessions/read/recording.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { recordedProtocolOption, schemaOption, readRecordingNames } from "./shared-options.js";

export const convertCommand = describeCommand({
  name: "convert",
  forms: ["LOG [LOG] [options]", "formats"],
  about:
    "Converts a client or adapter log to a recording like those written by wirewright tap. The second form lists the supported log formats.",
  operands: [
    [
      "LOG",
      'a log in a format listed by wirewright convert formats, or any other input that wirewright lint accepts; "-" for standard input. Give two files if each contains one direction',
    ],
  ],
  options: {
    out: {
      type: "string",
      value: "FILE",
      help: "recording to write, once all input has been read",
      default: "-",
      otherwise: '"-", standard output',
    },
    format: {
      type: "string",
      value: "NAME",
      help: "format of the log",
      otherwise: "detected from the content",
    },
    protocol: recordedProtocolOption,
    schema: schemaOption,
  },
  examples: [
    ["convert debugpy.adapter.log --out session.jsonl", "detect the log's format"],
    ["convert trace.log --format lldb-dap | wirewright lint -", "check a log"],
  ],
  more: 'A log may omit parts of a message. The recording lists these parts under "unknown", and wirewright lint does not check them.',
  status: "0 on success, 2 if the arguments or the log are invalid.",
});

/** Maximum number of unreadable log parts to list with their locations. */
const shownFaults = 10;

/** Runs `wirewright convert`. Returns the exit status. */
export async function runConvert(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(convertCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  if (positionals.length === 1 && positionals[0] === "formats") {
    for (const { name, title } of logFormats)
      terminal.out(`${name.padEnd(18)}  ${title.replaceAll("`", "")}`);
    return 0;
  }
  const files = readRecordingNames("convert", "convert", positionals);
  const protocol = await readProtocol(values.protocol ?? (await recordedProtocol(files[0])), {
    schema: values.schema,
  });
  const names = namesOf(files);
  const recording = await openRecordingFiles(
    files.map((file, index) => ({ name: names[index]!, chunks: readChunks(file, "log") })),
    protocol,
    { format: values.format },
  );
  const out = await StreamedFile.open(values.out);
  let messages = 0;
  const faults: string[] = [];
  try {
    await out.write(recordingHead(protocol, recording.isOrderGuessed ? { order: "guessed" } : {}));
    for await (const entry of recording) {
      await out.write(recordingLine(entry));
      if (entry.message !== undefined) messages++;
      else if (
        entry.fault !== undefined &&
        faults.push(`${entry.line ?? `byte ${entry.offset ?? 0}`}: ${entry.fault.message}`) >
          shownFaults
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

/**
 * Prints a summary: the input formats, the number of messages, and any facts that the log omits.
 */
function summaryOf({ formats }: OpenRecording, messages: number): string {
  const logs = logFormats.filter(({ name }) => formats.includes(name));
  const omitted = logs.flatMap(({ omits }) => omits ?? []);
  const open = omitted.length === 0 ? "" : `   omitted: ${omitted.join("; ")}`;
  return `${[...new Set(formats)].join(", ")}   ${messages} messages${open}`;
}
