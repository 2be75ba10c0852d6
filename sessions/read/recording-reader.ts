import { maxMessageBytes } from "../../generator/base/memory-limits.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { FrameDecoder } from "../../runtime/index.js";
import { ByteBuffer } from "../../runtime/base/byte-buffer.js";
import type { EntryHandler, EntryReader } from "./entries/recorded-entry.js";
import { FrameBytes } from "./bytes/frame-bytes.js";
import { CapturedEntries } from "./captured-sessions.js";
import { FormatDetector, type RecordingFormat } from "./format-detector.js";
import { SpelledStream } from "./spelled-stream.js";
import { checkHead } from "./recording-head.js";
import { RecordedLines } from "./recorded-lines.js";

/** Number of bytes after which the recording's format is settled. */
const mostPrefix = 1024 * 1024;

/** Maximum length of a recording's first line, in bytes. */
const mostHead = 4_096;

const utf8 = new TextDecoder();

/** Reads a recording in any known format. */
export class RecordingReader implements EntryReader {
  readonly #name: string;
  readonly #protocol: Protocol;
  readonly #handle: EntryHandler;
  readonly #detector = new FormatDetector();
  readonly #prefix = new ByteBuffer();
  #reader: EntryReader | undefined;
  #format: RecordingFormat | undefined;
  #start = new Uint8Array(0);

  /**
   * @param name Name of the file.
   * @param format Default: detected from the first lines.
   */
  constructor(name: string, protocol: Protocol, handle: EntryHandler, format?: RecordingFormat) {
    this.#name = name;
    this.#protocol = protocol;
    this.#handle = handle;
    this.#format = format;
  }

  /** The file's format. Undefined until it has been detected. */
  get format(): RecordingFormat | undefined {
    return this.#format;
  }

  /** The recording's start time in ISO 8601 format, if the file contains it. */
  get began(): string | undefined {
    return this.#reader instanceof RecordedLines ? this.#reader.began : undefined;
  }

  /** Whether the file is a recording made with `wirewright tap`, which may contain no messages. */
  get isRecording(): boolean {
    return (
      this.#reader instanceof CapturedEntries ||
      (this.#reader instanceof RecordedLines && this.#reader.hasHead)
    );
  }

  /**
   * Whether the order of the two sides is a guess, either because the recording says so or because
   * of its format.
   */
  get isOrderGuessed(): boolean {
    if (this.#reader instanceof RecordedLines) return this.#reader.isOrderGuessed;
    return typeof this.#format === "object" && this.#format.isOrderLoose === true;
  }

  /** The file's first two bytes. */
  get start(): Uint8Array {
    return this.#start;
  }

  push(bytes: Uint8Array): void {
    if (this.#start.length < 2)
      this.#start = Buffer.concat([this.#start, bytes.subarray(0, 2 - this.#start.length)]);
    if (this.#reader !== undefined) return this.#reader.push(bytes);
    const missing = mostPrefix - this.#prefix.length;
    const part = bytes.subarray(0, missing);
    this.#prefix.append(part, 0, part.length);
    this.#detector.push(part);
    this.#format ??= this.#detector.found;
    if (this.#format === undefined && this.#prefix.length < mostPrefix) return;
    this.#open().push(bytes.subarray(missing));
  }

  end(): void {
    (this.#reader ?? this.#open()).end();
  }

  #open(): EntryReader {
    const format = (this.#format ??= this.#detector.end());
    const prefix = this.#prefix.bytes.slice(0, this.#prefix.length);
    if (format === "lines" || format === "capture")
      checkHead(utf8.decode(prefix.subarray(0, mostHead)), this.#name);
    this.#reader =
      format === "frames"
        ? this.#protocol.notations === undefined
          ? readFrames(this.#handle)
          : new SpelledStream(this.#protocol, this.#handle)
        : format === "lines"
          ? new RecordedLines(this.#name, this.#protocol, this.#handle)
          : format === "capture"
            ? new CapturedEntries(this.#protocol, this.#handle)
            : format.open(this.#protocol, this.#handle);
    this.#reader.push(prefix);
    this.#prefix.clear(0);
    return this.#reader;
  }
}

function readFrames(handle: EntryHandler): EntryReader {
  const frames = new FrameBytes();
  const decoder = new FrameDecoder({
    limits: { maxBodyBytes: maxMessageBytes },
    onMessage: (message, frame) => {
      const { offset, headerLength, bodyLength } = frame;
      const bytes = frames.marksOf(message, frame);
      const entry = bytes === undefined ? { offset, message } : { offset, bytes, message };
      handle(entry, headerLength + bodyLength);
    },
    onFault: ({ code, message, offset, length }) => {
      frames.skip(offset, length);
      handle({ offset, fault: { code, message } }, length);
    },
    onNoise: (noise, offset) => frames.skip(offset, noise.length),
  });
  return {
    push: (chunk) => frames.during(chunk, () => decoder.push(chunk)),
    end: () => decoder.end(),
  };
}
