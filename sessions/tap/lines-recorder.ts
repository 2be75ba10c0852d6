import { isUtf8 } from "node:buffer";
import type { Protocol } from "../../generator/model/protocol.js";
import { ByteBuffer } from "../../runtime/base/byte-buffer.js";
import type { CaptureRecord } from "../read/capture-format.js";
import {
  CapturedSessions,
  type JsonProtocol,
  type Observed,
  type ObservedMessage,
} from "../read/captured-sessions.js";
import { recordingHead } from "../read/recorded-lines.js";
import type { Redaction } from "../show/redact/redactor.js";
import type { Recorder, RecordingFile } from "./recording-file.js";

/** Number of bytes after which lines are written before the rest of a chunk has been decoded. */
const maxBuffered = 256 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const openingBrace = 0x7b;

const utf8 = new TextEncoder();
const lineEnd = utf8.encode("}\n");

/** Decodes bytes, and records one line of JSON for each observation. */
export class LinesRecorder implements Recorder {
  readonly #file: RecordingFile;
  readonly #sessions: CapturedSessions;
  readonly #redaction: Redaction | undefined;
  readonly #lines = new ByteBuffer();

  /**
   * @param began Start time of the first session in ISO 8601 format.
   */
  constructor(
    file: RecordingFile,
    protocol: Protocol | JsonProtocol,
    began: string,
    redaction?: Redaction,
  ) {
    this.#file = file;
    this.#redaction = redaction;
    this.#sessions = new CapturedSessions(protocol, (observed, session, body) =>
      this.#add(observed, session, body),
    );
    if (file.start === 0) file.write(utf8.encode(recordingHead(protocol, { began })));
  }

  take(record: CaptureRecord, bytes?: Uint8Array): void {
    this.#sessions.take(record, bytes);
    this.#flush();
  }

  #flush(): void {
    this.#file.write(this.#lines.bytes.subarray(0, this.#lines.length));
    this.#lines.clear(maxBuffered);
  }

  /**
   * @param body The bytes of a message, which are copied if they are on a single line. Copying is
   * faster than printing the message, and keeps details that would be lost by parsing, such as the
   * digits of numbers.
   */
  #add(observed: Observed, session: number | undefined, body: Uint8Array | undefined): void {
    if (this.#lines.length > maxBuffered) this.#flush();
    if (this.#redaction !== undefined) {
      const redacted = this.#redaction.redacted(observed) as Observed;
      this.#append(utf8.encode(`${lineOf(redacted, session)}\n`));
    } else if (observed.kind === "message" && isOneLine(body)) {
      this.#append(utf8.encode(beginningOf(observed, session)));
      this.#append(body);
      this.#append(lineEnd);
    } else this.#append(utf8.encode(`${lineOf(observed, session)}\n`));
  }

  #append(bytes: Uint8Array): void {
    this.#lines.append(bytes, 0, bytes.length);
  }
}

/**
 * Returns the part of a message's line that precedes the message. Prints it by hand, because this
 * runs for every message of a session.
 */
function beginningOf(observed: ObservedMessage, session: number | undefined): string {
  const { time, from, offset, length, bytes } = observed;
  const numbered = session === undefined ? "" : `"session":${session},`;
  const marks = bytes === undefined ? "" : `,"bytes":${JSON.stringify(bytes)}`;
  return `{${numbered}"kind":"message","time":${time},"from":"${from}","offset":${offset},"length":${length}${marks},"message":`;
}

function lineOf(observed: Observed, session: number | undefined): string {
  const numbered = session === undefined ? observed : { session, ...observed };
  try {
    return JSON.stringify(numbered);
  } catch (error) {
    if (!(error instanceof RangeError) || observed.kind !== "message") throw error;
    // Do not create the message's JSON, which would exceed the maximum length of a string.
    const { message: _, ...place } = { ...numbered } as ObservedMessage;
    const text = `Cannot record a message of ${observed.length} bytes: its line would be too long`;
    return JSON.stringify({ ...place, kind: "fault", code: "ERR_BODY_TOO_LONG", text });
  }
}

/**
 * Returns whether a message's bytes can be copied to a line. They must be well-formed, contain no
 * line breaks, and not begin with a byte order mark.
 */
function isOneLine(body: Uint8Array | undefined): body is Uint8Array {
  return (
    body?.[0] === openingBrace &&
    !body.includes(lineFeed) &&
    !body.includes(carriageReturn) &&
    isUtf8(body)
  );
}
