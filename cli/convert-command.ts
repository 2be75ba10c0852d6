import { countText } from "../generator/base/plural.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readChunks } from "../generator/read/source/input-source.js";
import { namesOf, openRecordingFiles } from "../sessions/read/recording-files.js";
import { recordingHead, recordingLine } from "../sessions/read/recorded-lines.js";
import type { OpenRecording } from "../sessions/read/recording.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { openProtocolOf } from "./recorded-protocol.js";
import { logTexts } from "../sessions/read/log/log-summary.js";
import {
  readRecordingNames,
  readSenders,
  recordedProtocolOption,
  schemaOption,
  senderOption,
} from "./shared-options.js";

export const convertCommand = describeCommand({
  name: "convert",
  forms: ["LOG [LOG] [options]"],
  about: "Converts a client or adapter log to a recording like those written by wirewright tap.",
  operands: [
    [
      "LOG",
      'the log of any program that prints messages as JSON or as objects, or any other input that wirewright lint accepts; "-" for standard input. Give two files if each contains one direction',
    ],
  ],
  options: {
    out: {
      value: "FILE",
      help: "recording to write, once all input has been read",
      default: "-",
      otherwise: '"-", standard output',
    },
    sender: senderOption,
    protocol: recordedProtocolOption,
    schema: schemaOption,
  },
  examples: [
    ["convert debugpy.adapter.log --out session.jsonl", "the log of an adapter"],
    ["convert trace.log --sender='->=client'", "say what the words in front of a message mean"],
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
  const files = readRecordingNames("convert", "convert", positionals);
  const protocol = await openProtocolOf(files[0], values);
  const names = namesOf(files);
  const recording = await openRecordingFiles(
    files.map((file, index) => ({ name: names[index]!, chunks: readChunks(file, "log") })),
    protocol,
    { senders: readSenders(values.sender) },
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
  terminal.error(`${visible(names.join(" "))}   ${summaryOf(recording, messages)}`);
  return 0;
}

/**
 * Prints a summary: the input formats, the number of messages, and what the log contains besides.
 */
function summaryOf({ formats, log }: OpenRecording, messages: number): string {
  return [
    `${[...new Set(formats)].join(", ")}   ${countText(messages, "message")}`,
    ...logTexts(log),
  ].join("\n");
}
