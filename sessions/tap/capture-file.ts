import { close, fstatSync, openSync, readSync, writev } from "node:fs";
import { InputError } from "../../generator/base/input-error.js";
import type { ByteSource } from "./byte-queue.js";

/**
 * Maximum number of bytes waiting to be written. Once it is reached, the session has to wait for
 * the disk.
 */
const mostWaitingBytes = 32 * 1024 * 1024;

/**
 * Maximum number of buffers per write. Operating systems impose a limit, and a larger number would
 * not be faster.
 */
const mostParts = 512;

/** Writes a file in the background. */
export class CaptureFile {
  readonly path: string;
  readonly #fd: number;
  readonly #onFailed: (error: Error) => void;
  readonly #onWritten: () => void;
  #parts: Uint8Array[] = [];
  #waiting = 0;
  #isWriting = false;
  #hasFailed = false;
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  #whenWritten: (() => void) | undefined;

  /**
   * @param onWritten Called when bytes have been written.
   * @param onFailed Called once if the file can no longer be written.
   * @throws InputError `ERR_OUTPUT` if the file cannot be written.
   */
  constructor(path: string, onWritten: () => void, onFailed: (error: Error) => void) {
    this.path = path;
    this.#onWritten = onWritten;
    this.#onFailed = onFailed;
    try {
      // Let only the user read the file, because messages may be private.
      this.#fd = openSync(path, "w", 0o600);
    } catch (error) {
      const { message } = error as Error;
      throw new InputError("ERR_OUTPUT", `Cannot write the recording: ${message}`, { file: path });
    }
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Resolves when the file can accept more bytes. Undefined if it can already. */
  get room(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  /** Writes bytes, which must not be changed after the call. */
  write(parts: readonly Uint8Array[]): void {
    if (this.#hasFailed) return;
    this.#parts.push(...parts);
    for (const part of parts) this.#waiting += part.length;
    if (this.#waiting > mostWaitingBytes && this.#room === undefined) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((settle) => (resolve = settle));
      this.#room = { promise, resolve };
    }
    if (!this.#isWriting) this.#writeNext();
  }

  /** Closes the file. Resolves when everything has been written or writing has failed. */
  async close(): Promise<void> {
    if (this.#isWriting) await new Promise<void>((resolve) => (this.#whenWritten = resolve));
    await new Promise<void>((resolve) => close(this.#fd, () => resolve()));
  }

  #writeNext(): void {
    this.#isWriting = true;
    const parts = this.#parts.splice(0, mostParts);
    writev(this.#fd, parts, (error, written) => {
      if (error !== null) return this.#fail(error);
      this.#waiting -= written;
      const rest = restOf(parts, written);
      if (rest.length > 0) this.#parts.unshift(...rest);
      if (written > 0) this.#onWritten();
      if (this.#waiting <= mostWaitingBytes / 2) this.#makeRoom();
      if (this.#parts.length > 0) return this.#writeNext();
      this.#isWriting = false;
      this.#whenWritten?.();
    });
  }

  #fail(error: Error): void {
    this.#hasFailed = true;
    this.#isWriting = false;
    this.#parts = [];
    this.#makeRoom();
    this.#onFailed(error);
    this.#whenWritten?.();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/** Removes the bytes that have already been written from a write's parts. */
function restOf(parts: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written;
  for (const [index, part] of parts.entries()) {
    if (left < part.length) return [part.subarray(left), ...parts.slice(index + 1)];
    left -= part.length;
  }
  return [];
}

/** Maximum number of bytes to read at a time. */
const pieceBytes = 256 * 1024;

/** Reads a file while another thread is writing it. */
export class GrowingFile implements ByteSource {
  readonly #fd: number;
  readonly #piece = new Uint8Array(pieceBytes);
  #read = 0;

  constructor(path: string) {
    this.#fd = openSync(path, "r");
  }

  get waiting(): number {
    return fstatSync(this.#fd).size - this.#read;
  }

  read(): Uint8Array | undefined {
    const length = readSync(this.#fd, this.#piece, 0, pieceBytes, this.#read);
    this.#read += length;
    return length === 0 ? undefined : this.#piece.subarray(0, length);
  }
}
