import { createWriteStream, type WriteStream } from "node:fs";
import { InputError } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";
import type { Redactor } from "../redact/redactor.js";
import { recordingHead } from "../session/recording-lines.js";
import type { Observed, ObservedMessage } from "../session/session-observer.js";

/** Approximate limit of bytes waiting to be written. Beyond it, the session is slowed down to the speed of the disk. */
const mostWaitingBytes = 4 * 1024 * 1024;

/** Writes a recording: a head, then one line of JSON per observation. */
export class SessionLog {
  readonly #stream: WriteStream;
  readonly #onFailed: (error: Error) => void;
  readonly #redactor: Redactor | undefined;
  #hasFailed = false;
  /** Resolves when more can be written; undefined if that is possible now. */
  #room: Promise<void> | undefined;

  private constructor(
    stream: WriteStream,
    onFailed: (error: Error) => void,
    redactor: Redactor | undefined,
  ) {
    this.#stream = stream;
    this.#onFailed = onFailed;
    this.#redactor = redactor;
    stream.on("error", (error) => this.#fail(error));
  }

  /**
   * @param onFailed Called once if the recording can no longer be written.
   * @param redactor Replaces what it has learned until then.
   * @throws InputError `ERR_OUTPUT` if the file cannot be written.
   */
  static open(
    path: string,
    protocol: Protocol,
    began: Date,
    onFailed: (error: Error) => void,
    redactor?: Redactor,
  ): Promise<SessionLog> {
    const stream = createWriteStream(path, { highWaterMark: mostWaitingBytes });
    return new Promise((resolve, reject) => {
      stream.once("error", ({ message }) =>
        reject(
          new InputError("ERR_OUTPUT", `Cannot write the recording: ${message}`, { file: path }),
        ),
      );
      stream.once("open", () => {
        stream.removeAllListeners("error");
        const log = new SessionLog(stream, onFailed, redactor);
        stream.write(recordingHead(protocol, { began: began.toISOString() }));
        resolve(log);
      });
    });
  }

  /** @param session Number of the session, if the recording has several. */
  write(observed: Observed, session?: number): void {
    if (this.#hasFailed) return;
    const hasRoom = this.#stream.write(`${this.#lineOf(observed, session)}\n`);
    if (hasRoom || this.#room !== undefined) return;
    this.#room = new Promise((resolve) => {
      const go = (): void => {
        this.#room = undefined;
        this.#stream.off("drain", go).off("close", go);
        resolve();
      };
      // A stream that fails emits `close` instead of `drain`.
      this.#stream.on("drain", go).on("close", go);
    });
  }

  /** Resolves when more can be written; undefined if that is possible now. */
  get room(): Promise<void> | undefined {
    return this.#room;
  }

  /** Resolves when everything has been written, or writing has failed. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasFailed || this.#stream.closed) return resolve();
      this.#stream.once("close", resolve);
      this.#stream.end();
    });
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailed(error);
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
