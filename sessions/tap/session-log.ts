import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { InputError } from "../../generator/base/input-error.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { unparsed, type Observed, type ObservedMessage } from "../read/observed.js";
import { recordingHead } from "../read/recording-lines.js";

/** Number of bytes after which the buffer is written to the file. */
const mostWaiting = 256 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const openingBrace = 0x7b;

const utf8 = new TextEncoder();
const lengthKey = utf8.encode(',"length":');
const messageKey = utf8.encode(',"message":');
const lineEnd = utf8.encode("}\n");
const zero = 0x30;

/** Number of digits in the largest safe integer. */
const mostDigits = 16;

interface LineBegin {
  readonly time: number;
  readonly from: string;
  readonly session: number | undefined;
  readonly bytes: Uint8Array;
}

/** Writes a recording synchronously: first a head, then one line of JSON for each observation. */
export class SessionLog {
  readonly #fd: number;
  readonly #onFailed: (error: Error) => void;
  readonly #buffer = Buffer.allocUnsafe(mostWaiting);
  #waiting = 0;
  /**
   * The beginning of a message line, which is the same for all messages that arrive at the same
   * time.
   */
  #begin: LineBegin = { time: NaN, from: "", session: undefined, bytes: new Uint8Array(0) };
  #hasFailed = false;

  /**
   * @param began Start time of the first session in ISO 8601 format.
   * @param onFailed Called once if the recording can no longer be written.
   * @param isAppended Whether to append to an existing recording.
   * @throws InputError `ERR_OUTPUT` if the file cannot be written.
   */
  constructor(
    path: string,
    protocol: Pick<Protocol, "name" | "version" | "roles">,
    began: string,
    onFailed: (error: Error) => void,
    isAppended = false,
  ) {
    this.#onFailed = onFailed;
    let hasHead = false;
    try {
      this.#fd = openSync(path, isAppended ? "a" : "w");
      hasHead = isAppended && fstatSync(this.#fd).size > 0;
    } catch (error) {
      const { message } = error as Error;
      throw new InputError("ERR_OUTPUT", `Cannot write the recording: ${message}`, { file: path });
    }
    if (!hasHead) this.#addText(recordingHead(protocol, { began }));
    this.flush();
  }

  /**
   * @param session Id of the session, if the recording has several.
   * @param body The bytes of a message, which are copied if they are on a single line. Copying is
   * faster than printing the message, and keeps details that would be lost by parsing, such as the
   * digits of numbers.
   */
  write(observed: Observed, session?: number, body?: Uint8Array): void {
    if (this.#hasFailed) return;
    if (observed.kind === "message" && isOneLine(observed, body)) {
      this.#addHead(observed, session);
      this.#add(body);
      this.#add(lineEnd);
    } else this.#addText(`${this.#lineOf(observed, session)}\n`);
  }

  /** Writes the buffered lines. */
  flush(): void {
    const waiting = this.#buffer.subarray(0, this.#waiting);
    this.#waiting = 0;
    this.#writeNow(waiting);
  }

  /** Closes the file. Returns whether all lines were written. */
  close(): boolean {
    this.flush();
    closeSync(this.#fd);
    return !this.#hasFailed;
  }

  /**
   * Adds the part of a line that precedes the message. For speed, it writes bytes rather than
   * strings.
   */
  #addHead({ time, from, offset, length, bytes }: ObservedMessage, session?: number): void {
    const begin = this.#begin;
    if (begin.time !== time || begin.from !== from || begin.session !== session) {
      const place = JSON.stringify({ session, kind: "message", time, from });
      this.#begin = { time, from, session, bytes: utf8.encode(`${place.slice(0, -1)},"offset":`) };
    }
    this.#add(this.#begin.bytes);
    this.#addNumber(offset);
    this.#add(lengthKey);
    this.#addNumber(length);
    if (bytes !== undefined) this.#addText(`,"bytes":${JSON.stringify(bytes)}`);
    this.#add(messageKey);
  }

  /** @param number A non-negative integer. */
  #addNumber(number: number): void {
    if (mostWaiting - this.#waiting < mostDigits) this.flush();
    let digits = 1;
    for (let left = number; left >= 10; left = Math.floor(left / 10)) digits++;
    let at = (this.#waiting += digits);
    let left = number;
    do {
      this.#buffer[--at] = zero + (left % 10);
      left = Math.floor(left / 10);
    } while (left > 0);
  }

  #addText(text: string): void {
    // Each UTF-16 code unit takes up at most three bytes.
    if (text.length * 3 > mostWaiting) this.#add(Buffer.from(text));
    else {
      if (text.length * 3 > mostWaiting - this.#waiting) this.flush();
      this.#waiting += this.#buffer.write(text, this.#waiting);
    }
  }

  #add(bytes: Uint8Array): void {
    if (bytes.length > mostWaiting - this.#waiting) this.flush();
    if (bytes.length > mostWaiting) return this.#writeNow(bytes);
    this.#buffer.set(bytes, this.#waiting);
    this.#waiting += bytes.length;
  }

  #writeNow(bytes: Uint8Array): void {
    if (this.#hasFailed) return;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      this.#hasFailed = true;
      this.#onFailed(error as Error);
    }
  }

  #lineOf(observed: Observed, session: number | undefined): string {
    const named = session === undefined ? observed : { session, ...observed };
    try {
      return JSON.stringify(named);
    } catch (error) {
      if (!(error instanceof RangeError) || observed.kind !== "message") throw error;
      // Do not create the message's JSON, which would exceed the maximum length of a string.
      const { message: _, ...place } = { ...named } as ObservedMessage;
      const text = `Cannot record a message of ${observed.length} bytes: its line would be too long`;
      return JSON.stringify({ ...place, kind: "fault", code: "ERR_BODY_TOO_LONG", text });
    }
  }
}

/**
 * Returns whether a message's bytes can be copied to a line. They must be well-formed, contain no
 * line breaks, and not begin with a byte order mark.
 */
function isOneLine({ message }: ObservedMessage, body: Uint8Array | undefined): body is Uint8Array {
  if (message === unparsed) return true;
  return (
    body?.[0] === openingBrace &&
    !body.includes(lineFeed) &&
    !body.includes(carriageReturn) &&
    isUtf8(body)
  );
}
