import * as option from "../../runtime/base/check-options.js";
import { checkArguments, protocolModel } from "../../generator/base/check-arguments.js";
import { InputError, nearest } from "../../generator/base/input-error.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { interleave } from "./interleaving.js";
import type { EntryBatch, RecordedEntry } from "./recorded-entry.js";
import type { LogSummary } from "./log/log-summary.js";
import { defaultReadAhead, RecordingInput } from "./recording-input.js";
import { SessionSplitter } from "./session-splitter.js";

export type { RecordedEntry } from "./recorded-entry.js";

/** A file that contains a recording or one of its directions. */
export interface RecordingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file whose bytes are read on demand. */
export interface RecordingSource {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Reads a recording: one made with `wirewright tap`, framed bytes from one or both directions,
 * lines with one message each, or the log of a program.
 * @param files One file, one for each direction, or two recordings, whose sessions follow each
 * other.
 * @throws InputError `ERR_JSON` if a file contains no messages. `ERR_MESSAGE` if it names a sender
 * that the protocol does not define, or if two files are neither.
 */
export function readRecording(
  files: readonly RecordingFile[],
  protocol: Protocol,
): readonly RecordedEntry[] {
  checkArguments("readRecording", {
    files: [files, option.listOf(option.anything)],
    protocol: [protocol, protocolModel],
  });
  const inputs = files.map(({ name, bytes }) => {
    const input = new RecordingInput(name, protocol, {
      isDirection: files.length === 2,
      readAhead: { bytes: Infinity, entries: Infinity },
    });
    input.push(bytes);
    input.end();
    return input;
  });
  // The inputs have been read, so that none is passed on to be read.
  return [...readBatches(inputs, protocol)].flatMap((batch) => (batch as EntryBatch).entries);
}

/** Returns whether a recording contains messages from only one side. */
export function isOneSided(entries: readonly RecordedEntry[]): boolean {
  const messages = entries.filter(({ message }) => message !== undefined);
  return new Set(messages.map(({ from }) => from)).size === 1;
}

/** Options for `openRecording`. */
export interface OpenRecordingOptions {
  /**
   * The roles that sent the messages in a log, by a part of the words in front of them. Default:
   * learned from the messages.
   */
  readonly senders?: Readonly<Record<string, string>> | undefined;
  /** Name of the dialect used by the messages, which are converted to the protocol. */
  readonly dialect?: string | undefined;
}

const checks: option.OptionChecks<OpenRecordingOptions> = {
  senders: option.object,
  dialect: option.text,
};

/** A recording whose entries are read on demand. */
export interface OpenRecording extends AsyncIterable<RecordedEntry> {
  /** Whether the recording contains messages from only one side. See `isOneSided`. */
  readonly isOneSided: boolean;
  /** Whether the two directions were recorded separately, so that their order is a guess. */
  readonly isOrderGuessed: boolean;
  /** The recording's start time in ISO 8601 format. Undefined if unknown. */
  readonly began: string | undefined;
  /** The format of each file: `frames`, `lines`, `capture` or `log`. */
  readonly formats: readonly string[];
  /** The contents of the part of a log that has been read. Undefined for other recordings. */
  readonly log: LogSummary | undefined;
  /** Returns the entries in batches, each with its approximate size. */
  batches(): AsyncIterable<EntryBatch>;
}

/**
 * Opens a recording of any length, in any of the formats that `readRecording` accepts, and reads it
 * in bounded memory.
 * Whether the recording contains only one side, and which file contains which direction, is
 * determined from the first 4 MiB or 20,000 entries of each file. Certainty would require reading
 * the whole recording.
 * @param files One file, one for each direction, or two recordings, whose sessions follow each
 * other.
 * @throws InputError The same errors as `readRecording`, also during iteration. `ERR_ARGUMENT` for
 * an unknown role or dialect.
 */
export async function openRecording(
  files: readonly RecordingSource[],
  protocol: Protocol,
  options: OpenRecordingOptions = {},
): Promise<OpenRecording> {
  option.checkOptions("openRecording", options, checks);
  checkArguments("openRecording", {
    files: [files, option.listOf(option.anything)],
    protocol: [protocol, protocolModel],
  });
  const senders = options.senders && readSenders(options.senders, protocol);
  const parts = new Map<RecordingInput, AsyncGenerator<Uint8Array, void>>();
  const read = async (input: RecordingInput): Promise<void> => {
    const { done, value } = await parts.get(input)!.next();
    if (done === true) input.end();
    else input.push(value);
  };
  for (const { name, chunks } of files) {
    const isDirection = files.length === 2;
    const { dialect } = options;
    const how = { isDirection, readAhead: defaultReadAhead, senders, dialect };
    parts.set(new RecordingInput(name, protocol, how), cut(chunks));
  }
  const inputs = [...parts.keys()];
  for (const input of inputs) while (!input.isDecided) await read(input);
  const isInterleaved = isPair(inputs);
  const batches = async function* (): AsyncGenerator<EntryBatch> {
    try {
      for (const step of readBatches(inputs, protocol))
        if (step instanceof RecordingInput) await read(step);
        else yield step;
    } finally {
      for (const part of parts.values()) await part.return();
    }
  };
  const readers = inputs.map(({ reader }) => reader);
  return {
    isOneSided: !isInterleaved && inputs.every((input) => input.isOneSided),
    isOrderGuessed: isInterleaved || readers.some((reader) => reader?.isOrderGuessed === true),
    began: readers.map((reader) => reader?.began).find((each) => each !== undefined),
    formats: inputs.map(({ format }) => format ?? "frames"),
    get log() {
      return readers.map((reader) => reader?.log).find((each) => each !== undefined);
    },
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const { entries } of batches()) yield* entries;
    },
  };
}

/** @throws InputError `ERR_ARGUMENT` for an unknown role. */
function readSenders(
  senders: Readonly<Record<string, string>>,
  { roles }: Protocol,
): ReadonlyMap<string, string> {
  const unknown = Object.values(senders).find((role) => !roles.includes(role));
  const guess = unknown === undefined ? undefined : nearest(unknown, roles);
  if (unknown !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find the role "${unknown}"`,
      {},
      guess === undefined ? `Roles: ${roles.join(", ")}` : `Did you mean "${guess}"?`,
    );
  return new Map(Object.entries(senders));
}

/**
 * Maximum size of a chunk, in bytes. Larger chunks are split, so that fewer entries are in memory
 * at the same time.
 */
const partBytes = 256 * 1024;

async function* cut(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of chunks)
    for (let start = 0; start < bytes.length; start += partBytes)
      yield bytes.subarray(start, start + partBytes);
}

/** Reads the entries of all files in batches. Returns a file where more of it must be read first. */
function* readBatches(
  inputs: readonly RecordingInput[],
  protocol: Protocol,
): Generator<EntryBatch | RecordingInput> {
  const splitter = new SessionSplitter(protocol);
  const steps = isPair(inputs)
    ? interleave(byRole(inputs, protocol), protocol)
    : oneAfterAnother(inputs);
  for (const step of steps)
    if (step instanceof RecordingInput) yield step;
    else yield { ...step, entries: step.entries.flatMap((entry) => splitter.split(entry)) };
  yield { entries: splitter.end(), bytes: 0 };
}

function* oneAfterAnother(
  inputs: readonly RecordingInput[],
): Generator<EntryBatch | RecordingInput> {
  for (const input of inputs)
    for (let batch = yield* input.next(); batch !== undefined; batch = yield* input.next())
      yield batch;
}

/**
 * Returns whether there is one file for each direction.
 * @throws InputError `ERR_MESSAGE` if only one of two files contains both directions.
 */
function isPair(
  inputs: readonly RecordingInput[],
): inputs is readonly [RecordingInput, RecordingInput] {
  if (inputs.length !== 2) return false;
  const whole = inputs.filter(({ isWhole }) => isWhole);
  if (whole.length === 1)
    throw new InputError(
      "ERR_MESSAGE",
      "Cannot join two directions: the file contains messages from both sides",
      { file: whole[0]!.name },
      "Pass one file for each side, or two recordings of both sides",
    );
  return whole.length === 0;
}

/**
 * Sorts the two directions' files by the role that sent them.
 * @throws InputError `ERR_MESSAGE` if both contain messages from the same role.
 */
function byRole(
  [first, second]: readonly [RecordingInput, RecordingInput],
  { roles: [initiator] }: Protocol,
): Readonly<Record<"initiator" | "responder", RecordingInput>> {
  const role = first.onlySender;
  if (role !== undefined && role === second.onlySender)
    throw new InputError(
      "ERR_MESSAGE",
      `Cannot join two directions: both files contain messages from the ${role}`,
      { file: second.name },
      "Pass one file for each side",
    );
  return second.shareOf(initiator) > first.shareOf(initiator)
    ? { initiator: second, responder: first }
    : { initiator: first, responder: second };
}
