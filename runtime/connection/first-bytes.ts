import { latin1 } from "../base/buffer-methods.js";
import { startTimer } from "../base/waiting-limits.js";
import { visibleText } from "../frames/frame-faults.js";

/** How long to wait for a peer's first message, in milliseconds. */
const patienceMs = 1_000;

/** Maximum number of bytes to report. */
const shownBytes = 80;

/**
 * The bytes that a peer sends before its first message. If no message follows, only these bytes
 * show why. For example, a program that does not support the protocol may print its usage.
 */
export class FirstBytes {
  readonly #report: (text: string) => void;
  #length = 0;
  readonly #kept = new Uint8Array(shownBytes);
  #isReported = false;
  #stopTimer: (() => void) | undefined;

  /** @param report Called once, either when no message has arrived for a while or at the end. */
  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  add(chunk: Uint8Array): void {
    const room = shownBytes - this.#length;
    if (room > 0) this.#kept.set(chunk.subarray(0, room), this.#length);
    this.#length += chunk.length;
  }

  /** Called when the added bytes do not contain a message yet. */
  wait(): void {
    this.#stopTimer ??= startTimer(patienceMs, () => {
      // Do not report the beginning of a large message, which may take longer.
      if (!/^(Content-Length|\s*\{)/i.test(this.#excerpt)) this.#reportOnce();
    });
  }

  /** Called when the bytes have been reported in some other way. */
  markReported(): void {
    this.#isReported = true;
  }

  /** Called when the first message has arrived. */
  stop(): void {
    this.#stopTimer?.();
  }

  /** Called when the connection has ended without a message. */
  end(): void {
    this.stop();
    this.#reportOnce();
  }

  /** Describes the bytes as part of a sentence; empty if none have arrived. */
  get text(): string {
    if (this.#length === 0) return "";
    const excerpt = visibleText(this.#excerpt, 2 * shownBytes);
    const isCut = this.#length > shownBytes || excerpt.length > shownBytes;
    const shown = excerpt.slice(0, shownBytes);
    return `received no message, only ${this.#length} bytes: ${shown}${isCut ? "…" : ""}`;
  }

  get #excerpt(): string {
    return latin1(this.#kept, 0, Math.min(this.#length, shownBytes));
  }

  #reportOnce(): void {
    if (this.#isReported || this.#length === 0) return;
    this.#isReported = true;
    this.#report(`The connection has ${this.text}`);
  }
}
