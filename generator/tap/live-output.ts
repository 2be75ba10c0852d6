import { constants, openSync, readlinkSync, writeSync } from "node:fs";

/** Maximum number of bytes that wait for a slow or paused reader. Further lines are dropped. */
const mostWaitingBytes = 1024 * 1024;

/** Milliseconds until a busy reader is tried again. */
const retryMs = 20;

/**
 * Prints lines to a descriptor that may be slow, stopped or closed, without ever waiting for it. Lines that do not fit are
 * dropped, and counted.
 */
export class LiveOutput {
  readonly #fd: number;
  #lines: string[] = [];
  #waiting = 0;
  /** The rest of the last write. */
  #rest: Uint8Array = new Uint8Array(0);
  #dropped = 0;
  #isPaused = false;
  #isGone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = openWithoutWaiting(fd);
  }

  /** Whether everything has been printed, or the reader has closed it. */
  get isEmpty(): boolean {
    return this.#isGone || (this.#lines.length === 0 && this.#rest.length === 0);
  }

  print(line: string): void {
    if (this.#isGone) return;
    if (this.#waiting + line.length > mostWaitingBytes) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) this.#tellDropped();
    this.#lines.push(line);
    this.#waiting += line.length;
  }

  /** Holds lines back. The session continues. */
  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.flush();
  }

  /** Prints as much as the reader accepts. */
  flush(): void {
    while (!this.isEmpty && !this.#isPaused) {
      if (this.#rest.length === 0) {
        this.#rest = Buffer.from(`${this.#lines.join("\n")}\n`);
        this.#lines = [];
        this.#waiting = 0;
      }
      if (!this.#write()) return;
      if (this.#dropped > 0 && this.#rest.length === 0) this.#tellDropped();
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

  #tellDropped(): void {
    const line = `            ${this.#dropped} lines were not printed, because the output was not read`;
    this.#dropped = 0;
    this.#lines.push(line);
    this.#waiting += line.length;
  }
}

/**
 * Opens a terminal or a pipe once more, so that writing to it never waits. Other descriptors, and systems without
 * /proc, keep their own.
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
