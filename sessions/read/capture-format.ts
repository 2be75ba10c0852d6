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
  const { kind, time, from, session, length, how } = value;
  if (kind !== "bytes" && kind !== "stderr" && kind !== "end") return undefined;
  if (typeof time !== "number" || typeof from !== "string") return undefined;
  const counts = kind === "end" ? 0 : length;
  if (!Number.isSafeInteger(counts) || (counts as number) < 0) return undefined;
  return {
    kind,
    time,
    from,
    length: counts as number,
    ...(typeof session === "number" ? { session } : {}),
    ...(typeof how === "string" ? { how } : {}),
  };
}

/** Maximum length of a line in a capture, in bytes. */
const mostLine = 64 * 1024;

const lineFeed = 0x0a;

export interface CaptureHandlers {
  /**
   * Called with each record and its bytes. If the bytes arrive in several parts, it is called for
   * each of them.
   */
  record(record: CaptureRecord, bytes: Uint8Array): void;
  /** Called once, at the first line that is not a record. Reading stops there. */
  broken(offset: number): void;
}

const nothing = new Uint8Array(0);

/** Reads a capture chunk by chunk. */
export class CaptureReader {
  readonly #handlers: CaptureHandlers;
  /** The beginning of a line whose end has not been read yet. */
  #begun = nothing;
  #record: CaptureRecord | undefined;
  /** Number of unread bytes in the current record, including the line feed. */
  #missing = 0;
  #offset = 0;
  #isFirst = true;
  #isBroken = false;

  constructor(handlers: CaptureHandlers) {
    this.#handlers = handlers;
  }

  push(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length && !this.#isBroken;) {
      const next = this.#missing > 0 ? this.#readBytes(chunk, index) : this.#readLine(chunk, index);
      this.#offset += next - index;
      index = next;
    }
  }

  #readBytes(chunk: Uint8Array, start: number): number {
    const end = Math.min(chunk.length, start + this.#missing);
    this.#missing -= end - start;
    // Omit the last byte, which is the line feed after the record.
    const last = this.#missing === 0 ? end - 1 : end;
    if (last > start) this.#handlers.record(this.#record!, chunk.subarray(start, last));
    return end;
  }

  #readLine(chunk: Uint8Array, start: number): number {
    const offset = this.#offset - this.#begun.length;
    const end = chunk.indexOf(lineFeed, start);
    const part = chunk.subarray(start, end < 0 ? chunk.length : end);
    if (this.#begun.length + part.length > mostLine) return this.#break(offset, start);
    if (end < 0) {
      this.#begun = Buffer.concat([this.#begun, part]);
      return chunk.length;
    }
    const line = utf8.decode(this.#begun.length === 0 ? part : Buffer.concat([this.#begun, part]));
    this.#begun = nothing;
    if (this.#isFirst && captureSign.test(line)) {
      this.#isFirst = false;
      return end + 1;
    }
    this.#isFirst = false;
    const record = readCaptureLine(line);
    if (record === undefined) return this.#break(offset, start);
    this.#record = record;
    const hasBytes = record.kind === "bytes" || record.kind === "stderr";
    this.#missing = hasBytes ? record.length! + 1 : 0;
    if (!hasBytes) this.#handlers.record(record, nothing);
    return end + 1;
  }

  #break(offset: number, at: number): number {
    this.#isBroken = true;
    this.#handlers.broken(offset);
    return at;
  }
}

const utf8 = new TextDecoder();
