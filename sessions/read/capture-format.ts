import { noBytes } from "../../runtime/base/byte-buffer.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { parsedText } from "./json-lines.js";
import type { RecordingHead } from "./recorded-lines.js";

/**
 * A record of a capture. A capture contains the undecoded bytes of a session. Its first line is a
 * `RecordingHead` with form 2, and the records follow. Each record is a line of JSON. If a record
 * has bytes, they come after its line and are themselves followed by a line feed.
 */
export interface CaptureRecord {
  /**
   * `bytes`: the record contains bytes from the stream. `stderr`: it contains bytes from the
   * sender's standard error. `end`: it says how the direction ended.
   */
  readonly kind: "bytes" | "stderr" | "end";
  /** Milliseconds since the session began. */
  readonly time: number;
  /** The role that sent the bytes. */
  readonly from: string;
  /** Id of the session, if there are several. */
  readonly session?: number;
  /** Number of bytes that follow. */
  readonly length?: number;
  readonly how?: string;
}

/** The first line of a capture. */
export type CaptureHead = Omit<RecordingHead, "form" | "order"> & { readonly form: 2 };

/** Matches the beginning of a capture's first line. */
export const captureSign = /^\{"recording":"wirewright","form":2[,}]/;

export function captureLine(record: CaptureRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Parses a record's line. Returns undefined if the line is not that of a record. */
function readCaptureLine(text: string): CaptureRecord | undefined {
  const value = parsedText(text);
  if (!isObject(value)) return undefined;
  const { kind, time, from, session = 0, length = kind === "end" ? 0 : -1, how = "" } = value;
  const isRecord =
    (kind === "bytes" || kind === "stderr" || kind === "end") &&
    [time, session, length].every((each) => typeof each === "number") &&
    [from, how].every((each) => typeof each === "string") &&
    Number.isSafeInteger(length) &&
    (length as number) >= 0;
  return isRecord ? (value as unknown as CaptureRecord) : undefined;
}

/** Maximum length of a line in a capture, in bytes. */
const mostLine = 64 * 1024;

const lineFeed = 0x0a;

/** Reads a capture chunk by chunk. */
export class CaptureReader {
  readonly #onRecord: (record: CaptureRecord, bytes: Uint8Array) => void;
  readonly #onBroken: (offset: number) => void;
  /** The beginning of a line whose end has not been read yet. */
  #begun: Uint8Array = noBytes;
  #record: CaptureRecord | undefined;
  /** Number of unread bytes in the current record, including the line feed. */
  #missing = 0;
  #offset = 0;
  #isBroken = false;

  /**
   * @param onRecord Called with each record and its bytes. If the bytes arrive in several parts, it
   * is called for each of them.
   * @param onBroken Called once, at the first line that is not a record. Reading stops there.
   */
  constructor(
    onRecord: (record: CaptureRecord, bytes: Uint8Array) => void,
    onBroken: (offset: number) => void,
  ) {
    this.#onRecord = onRecord;
    this.#onBroken = onBroken;
  }

  push(chunk: Uint8Array): void {
    for (let rest = chunk; rest.length > 0 && !this.#isBroken;) {
      const used = this.#missing > 0 ? this.#readBytes(rest) : this.#readLine(rest);
      this.#offset += used;
      rest = rest.subarray(used);
    }
  }

  /** Returns the number of bytes that belong to the record, including the line feed after it. */
  #readBytes(chunk: Uint8Array): number {
    const part = chunk.subarray(0, this.#missing);
    this.#missing -= part.length;
    const bytes = this.#missing === 0 ? part.subarray(0, -1) : part;
    if (bytes.length > 0) this.#onRecord(this.#record!, bytes);
    return part.length;
  }

  /** Returns the number of bytes that belong to the line, including its line feed. */
  #readLine(chunk: Uint8Array): number {
    const offset = this.#offset - this.#begun.length;
    const end = chunk.indexOf(lineFeed);
    this.#begun = Buffer.concat([this.#begun, end < 0 ? chunk : chunk.subarray(0, end)]);
    const isTooLong = this.#begun.length > mostLine;
    if (end < 0 && !isTooLong) return chunk.length;
    const line = utf8.decode(this.#begun);
    this.#begun = noBytes;
    const isHead = offset === 0 && captureSign.test(line);
    const record = isTooLong || isHead ? undefined : readCaptureLine(line);
    if (record === undefined) {
      this.#isBroken = !isHead;
      if (!isHead) this.#onBroken(offset);
    } else if (record.kind === "end") this.#onRecord(record, noBytes);
    else {
      this.#record = record;
      this.#missing = record.length! + 1;
    }
    return end + 1;
  }
}

const utf8 = new TextDecoder();
