import { closeSync, openSync, writeSync } from "node:fs";
import { InputError } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";
import type { Redactor } from "../redact/redactor.js";
import { recordingHead } from "../session/recording-lines.js";
import type { Observed, ObservedMessage } from "../session/session-observer.js";

/** Characters that are written at once. */
const mostWaiting = 256 * 1024;

/** Writes a recording: a head, then one line of JSON per observation. Waits for the disk. */
export class SessionLog {
  readonly #fd: number;
  readonly #onFailed: (error: Error) => void;
  readonly #redactor: Redactor | undefined;
  #lines: string[] = [];
  #waiting = 0;
  #hasFailed = false;

  /**
   * @param began When the first session began, in ISO 8601.
   * @param onFailed Called once if the recording can no longer be written.
   * @param redactor Replaces what it has learned until then.
   * @throws InputError `ERR_OUTPUT` if the file cannot be written.
   */
  constructor(
    path: string,
    protocol: Protocol,
    began: string,
    onFailed: (error: Error) => void,
    redactor?: Redactor,
  ) {
    this.#onFailed = onFailed;
    this.#redactor = redactor;
    try {
      this.#fd = openSync(path, "w");
    } catch (error) {
      const { message } = error as Error;
      throw new InputError("ERR_OUTPUT", `Cannot write the recording: ${message}`, { file: path });
    }
    this.#add(recordingHead(protocol, { began }));
    this.flush();
  }

  /** @param session Number of the session, if the recording has several. */
  write(observed: Observed, session?: number): void {
    if (this.#hasFailed) return;
    this.#add(`${this.#lineOf(observed, session)}\n`);
    if (this.#waiting >= mostWaiting) this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting === 0) return;
    const bytes = Buffer.from(this.#lines.length === 1 ? this.#lines[0]! : this.#lines.join(""));
    this.#lines = [];
    this.#waiting = 0;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      this.#hasFailed = true;
      this.#onFailed(error as Error);
    }
  }

  /** Returns whether everything has been written. */
  close(): boolean {
    if (!this.#hasFailed) this.flush();
    closeSync(this.#fd);
    return !this.#hasFailed;
  }

  #add(line: string): void {
    if (line.length > mostWaiting) this.flush();
    this.#lines.push(line);
    this.#waiting += line.length;
  }

  #lineOf(observed: Observed, session: number | undefined): string {
    const named = session === undefined ? observed : { session, ...observed };
    this.#redactor?.find(named);
    try {
      return JSON.stringify(this.#redactor === undefined ? named : this.#redactor.redacted(named));
    } catch (error) {
      if (!(error instanceof RangeError) || observed.kind !== "message") throw error;
      // As JSON it would exceed the maximum string length.
      const { message: _, ...place } = { ...named } as ObservedMessage;
      const text = `Cannot record a message of ${observed.length} bytes: as a line it is too long`;
      return JSON.stringify({ ...place, kind: "fault", code: "ERR_BODY_TOO_LONG", text });
    }
  }
}
