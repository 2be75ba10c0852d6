import { maxMessageBytes } from "../../generator/base/memory-limits.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { FrameDecoder } from "../../runtime/frames/frame-decoder.js";
import { ByteBuffer } from "../../runtime/base/byte-buffer.js";
import type { EntryHandler, EntryReader } from "./recorded-entry.js";
import { FrameBytes } from "./byte-marks.js";
import { CapturedEntries, entryOf } from "./captured-sessions.js";
import { FormatDetector, type RecordingFormat } from "./format-detector.js";
import { RecordedLines } from "./recorded-lines.js";
import { check } from "../../generator/read/description/check-file.js";
import { type JsonFile, readJsonText } from "../../generator/read/source/json-text.js";
import { MessageReader } from "./message-reader.js";
import { SessionObserver } from "./session-observer.js";

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

const sign = /^[\s\0]*\{\s*"recording"\s*:\s*"wirewright"/;

/**
 * Checks the first line of a file if it is the head of a recording in our format.
 *
 * @param text The beginning of the file.
 * @throws InputError `ERR_MESSAGE` with the location of the first error.
 */
function checkHead(text: string, name: string): void {
  if (!sign.test(text)) return;
  const [line = ""] = text.replace(/^[\s\0]+/, "").split("\n", 1);
  let file: JsonFile;
  try {
    file = readJsonText(line, name);
  } catch {
    // Ignore a line that is not JSON: the line reader will report it and continue.
    return;
  }
  // Check the usual heads by hand, because loading the schema checker takes longer than reading a
  // short recording.
  if (!isUsual(file.value)) check(file, "recording-head", "ERR_MESSAGE");
}

/** Returns whether a head has exactly the properties that `tap` and `convert` write. */
function isUsual(value: unknown): boolean {
  const { recording, form, protocol, version, roles, began, order, ...rest } = value as Readonly<
    Record<string, unknown>
  >;
  return (
    recording === "wirewright" &&
    (form === 1 || form === 2) &&
    typeof protocol === "string" &&
    protocol !== "" &&
    typeof version === "string" &&
    Array.isArray(roles) &&
    roles.length === 2 &&
    roles.every((role) => typeof role === "string") &&
    (began === undefined ||
      (typeof began === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(began))) &&
    (order === undefined || order === "guessed") &&
    Object.keys(rest).length === 0
  );
}

/**
 * Reads the bytes of one direction of a protocol whose messages are not JSON. The first bytes
 * determine the direction.
 */
class SpelledStream implements EntryReader {
  readonly #protocol: Protocol;
  readonly #observer: SessionObserver;
  #role: string | undefined;

  constructor(protocol: Protocol, handle: EntryHandler) {
    this.#protocol = protocol;
    this.#observer = new SessionObserver(protocol, (observed) => {
      if (observed.kind === "end") return;
      const length = "length" in observed ? observed.length : 0;
      handle({ from: observed.from, ...entryOf(observed) }, length);
    });
  }

  push(bytes: Uint8Array): void {
    this.#role ??= likeliestSender(bytes, this.#protocol);
    this.#observer.push(this.#role, bytes, 0);
  }

  end(): void {
    if (this.#role !== undefined) this.#observer.end(this.#role, "ended", 0);
  }
}

/**
 * Determines the role that sent the bytes by decoding them in both roles' notations and choosing
 * the role whose notation yields more messages of the protocol.
 */
function likeliestSender(bytes: Uint8Array, protocol: Protocol): string {
  const reader = new MessageReader(protocol);
  const messagesIn = (role: string): number => {
    const notation = protocol.notations?.[role];
    // Do not count text messages, because any line is a valid text message.
    const text = notation?.kind === "xml-element" ? notation.text?.name : undefined;
    let count = 0;
    const observer = new SessionObserver(protocol, (observed) => {
      if (observed.kind !== "message") return;
      const fields = observed.message as Readonly<Record<string, unknown>>;
      const kind = reader.kindOf(fields);
      if (kind === undefined || kind === "response") return;
      const name = reader.nameOf(kind, fields);
      if (name !== text && reader.knownMessage(kind, name) !== undefined) count++;
    });
    observer.push(role, bytes, 0);
    observer.end(role, "ended", 0);
    return count;
  };
  const [initiator, responder] = protocol.roles;
  return messagesIn(responder) > messagesIn(initiator) ? responder : initiator;
}
