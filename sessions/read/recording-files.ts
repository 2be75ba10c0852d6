import { callSafely, deferred } from "../../runtime/base/promises.js";
import { onAbort } from "../../runtime/base/waiting-limits.js";
import { object, type OptionCheck } from "../../runtime/base/check-options.js";
import { checkArguments } from "../../generator/base/check-arguments.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readChunks } from "../../generator/read/source/input-source.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { parsedText } from "./json-lines.js";
import {
  openRecording,
  type OpenRecording,
  type OpenRecordingOptions,
  type RecordingSource,
} from "./recording.js";
import { bundledProtocols, defaultProtocol } from "../../generator/base/bundled.js";
import { files } from "../../generator/base/files.js";
import { InputError } from "../../generator/base/input-error.js";

/** An input file of a recording: its path, `-` for standard input, its bytes, or a byte stream. */
export type RecordingInputFile = string | Uint8Array | AsyncIterable<Uint8Array> | RecordingSource;

/** Returns the names of a recording's files as shown in reports. */
export function namesOf(files: readonly string[]): readonly string[] {
  return files.map((file) => (file === "-" ? "<stdin>" : file));
}

/**
 * Opens a recording: one file, or one file for each direction.
 *
 * @throws InputError `ERR_READ` if a file cannot be read.
 */
export async function openRecordingFiles(
  files: readonly RecordingInputFile[],
  protocol: Protocol,
  { signal, ...options }: OpenRecordingOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<OpenRecording> {
  const sources = files.map(sourceOf);
  return openRecording(
    signal === undefined
      ? sources
      : sources.map(({ name, chunks }) => ({ name, chunks: untilAborted(chunks, signal) })),
    protocol,
    options,
  );
}

/** Checks that an argument is a source of bytes: an object with `chunks`, or an iterable. */
const bytesSource: OptionCheck = (value) => {
  const source = object(value) === undefined ? (value as RecordingSource) : undefined;
  const chunks: unknown = source?.chunks ?? source;
  return chunks !== undefined &&
    (Symbol.asyncIterator in Object(chunks) || Symbol.iterator in Object(chunks))
    ? undefined
    : "a path, bytes, or a stream of bytes";
};

function sourceOf(file: RecordingInputFile): RecordingSource {
  if (typeof file === "string")
    return { name: namesOf([file])[0]!, chunks: readChunks(file, "recording") };
  if (file instanceof Uint8Array) return { name: "<bytes>", chunks: [file] };
  checkArguments("recording", { file: [file, bytesSource] });
  return "chunks" in file ? file : { name: "<stream>", chunks: file };
}

/**
 * Passes chunks through unchanged. If the signal is aborted, throws its reason instead of waiting
 * for the next chunk.
 */
async function* untilAborted(
  chunks: RecordingSource["chunks"],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = deferred<IteratorResult<Uint8Array>>();
      const release = onAbort(signal, () => next.reject(signal.reason));
      Promise.resolve(iterator.next()).then(next.resolve, next.reject);
      const { done, value } = await next.promise.finally(release);
      if (done === true) return;
      yield value;
    }
  } finally {
    // Do not wait for a source that is not responding.
    callSafely(() => iterator.return?.());
  }
}

/** Maximum length of a recording's first line, in bytes. */
const maxHead = 4096;

/**
 * Returns the protocol to assume for a recording: the bundled protocol named in the recording's
 * first line or, if none is named there, the usual default. Pipes are not read here, because they
 * can be read only once.
 * @param file Path to the recording, or to one that is read together with it. `-` for standard
 * input.
 * @throws InputError `ERR_ARGUMENT` if the protocol is not bundled.
 */
export async function recordedProtocol(file: string | undefined): Promise<string> {
  if (file === undefined || file === "-" || files.stateOf(file)?.isRegular !== true)
    return defaultProtocol();
  const named = namedProtocol(await beginningOf(file));
  if (named === undefined || bundledProtocols().includes(named)) return named ?? defaultProtocol();
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot read a recording of "${named}" without a description of that protocol`,
    { file },
    "Pass the path to its protocol.json with --protocol",
  );
}

/**
 * Reads the first characters of a file. Returns an empty string if the file cannot be read; the
 * error is reported later, when the recording is read.
 */
async function beginningOf(file: string): Promise<string> {
  try {
    for await (const chunk of files.chunks(file))
      return new TextDecoder().decode(chunk.subarray(0, maxHead));
  } catch {
    return "";
  }
  return "";
}

function namedProtocol(text: string): string | undefined {
  const head = parsedText(text.split("\n", 1)[0]!);
  if (!isObject(head) || head["recording"] !== "wirewright") return undefined;
  return typeof head["protocol"] === "string" ? head["protocol"] : undefined;
}
