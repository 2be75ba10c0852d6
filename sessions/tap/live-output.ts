import { constants, openSync, readlinkSync, writeSync } from "node:fs";

/**
 * Maximum number of bytes that may wait for a slow or paused reader. Once it is reached, lines are
 * dropped.
 */
const maxWaitingBytes = 1024 * 1024;

/** Milliseconds to wait before writing to a busy reader again. */
const retryMs = 20;

/**
 * Prints lines to a file descriptor without ever waiting for its reader, which may be slow, stopped
 * or gone. Counts the lines that have to be dropped.
 */
export class LiveOutput {
  readonly #fd: number;
  #lines: string[] = [];
  #waiting = 0;
  /** The bytes of the last write that the reader has not accepted yet. */
  #rest: Uint8Array = new Uint8Array(0);
  #dropped = 0;
  #isPaused = false;
  #isGone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = openWithoutWaiting(fd);
  }

  /** Whether all lines have been printed, or the reader is gone. */
  get isEmpty(): boolean {
    return this.#isGone || (this.#lines.length === 0 && this.#rest.length === 0);
  }

  print(line: string): void {
    if (this.#isGone) return;
    if (this.#waiting + line.length > maxWaitingBytes) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) this.#reportDropped();
    this.#lines.push(line);
    this.#waiting += line.length;
  }

  /**
   * Whether lines are held back because the user has paused the display. The session itself
   * continues.
   */
  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.flush();
  }

  /** Prints as much as the reader will accept. */
  flush(): void {
    while (!this.isEmpty && !this.#isPaused) {
      if (this.#rest.length === 0) {
        this.#rest = Buffer.from(`${this.#lines.join("\n")}\n`);
        this.#lines = [];
        this.#waiting = 0;
      }
      if (!this.#write()) return;
      if (this.#dropped > 0 && this.#rest.length === 0) this.#reportDropped();
    }
  }

  #write(): boolean {
    try {
      this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") this.#isGone = true;
      else
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.flush();
        }, retryMs);
      return false;
    }
  }

  #reportDropped(): void {
    const line = `            ${this.#dropped} lines were not printed, because the output was not read`;
    this.#dropped = 0;
    this.#lines.push(line);
    this.#waiting += line.length;
  }
}

/**
 * Reopens the terminal or pipe that a file descriptor refers to in non-blocking mode and returns
 * the new descriptor. Any other descriptor is returned unchanged, as is every descriptor on systems
 * without /proc.
 */
function openWithoutWaiting(fd: number): number {
  try {
    const path = `/proc/self/fd/${fd}`;
    if (!/^(\/dev\/(pts\/|tty)|pipe:)/.test(readlinkSync(path))) return fd;
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}
