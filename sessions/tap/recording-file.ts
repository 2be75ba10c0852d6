import { fstatSync, openSync, writeSync } from "node:fs";
import { InputError, systemReason } from "../../generator/base/input-error.js";
import { captureLine, type CaptureHead, type CaptureRecord } from "../read/capture-format.js";

/** Records the bytes that a tap has forwarded. */
export interface Recorder {
  /** @param bytes The record's bytes, if it has any. They are valid only during the call. */
  take(record: CaptureRecord, bytes?: Uint8Array): void;
}

/**
 * A file that a recorder appends to. Every write reaches the operating system before it returns, so
 * nothing is lost if the process is killed. If a write fails, recording stops, but the session
 * continues. The file is open until the process ends.
 */
export class RecordingFile {
  readonly path: string;
  /** Size of the file when it was opened: 0, unless the recording is appended to it. */
  readonly start: number;
  /** Whether the file can be read while it grows, unlike a pipe. */
  readonly isRegular: boolean;
  readonly #fd: number;
  readonly #onFailed: (error: Error) => void;
  #hasFailed = false;

  /**
   * @param onFailed Called once if the file can no longer be written.
   * @param isAppended Whether to keep what the file contains.
   * @throws InputError `ERR_OUTPUT` if the file cannot be opened.
   */
  constructor(path: string, onFailed: (error: Error) => void, isAppended = false) {
    this.path = path;
    this.#onFailed = onFailed;
    try {
      // Let only the user read the file, because messages may be private.
      this.#fd = openSync(path, isAppended ? "a" : "w", 0o600);
      const stats = fstatSync(this.#fd);
      this.isRegular = stats.isFile();
      this.start = stats.isFile() ? stats.size : 0;
    } catch (error) {
      const message = `Cannot write the recording: ${systemReason(error)}`;
      throw new InputError("ERR_OUTPUT", message, { file: path });
    }
  }

  write(bytes: Uint8Array): void {
    if (this.#hasFailed) return;
    try {
      for (let start = 0; start < bytes.length;) start += writeSync(this.#fd, bytes, start);
    } catch (error) {
      this.#hasFailed = true;
      this.#onFailed(error as Error);
    }
  }
}

/** Records bytes unchanged. */
export class BytesRecorder implements Recorder {
  readonly #file: RecordingFile;

  constructor(file: RecordingFile, head: Omit<CaptureHead, "recording" | "form">) {
    this.#file = file;
    const line: CaptureHead = { recording: "wirewright", form: 2, ...head };
    file.write(Buffer.from(`${JSON.stringify(line)}\n`));
  }

  take(record: CaptureRecord, bytes?: Uint8Array): void {
    if (bytes === undefined) return this.#file.write(Buffer.from(captureLine(record)));
    const line = Buffer.from(captureLine({ ...record, length: bytes.length }));
    this.#file.write(Buffer.concat([line, bytes, lineFeed]));
  }
}

const lineFeed = Buffer.from("\n");
