import { defaultGraceMs, graceOf, type CloseOptions } from "../connection/options.js";
import type { FrameDecoderOptions, Notation } from "../frames/decoder-options.js";
import { FrameDecoder } from "../frames/frame-decoder.js";
import type { Frame } from "../frames/frame.js";
import * as option from "../base/check-options.js";
import { limitChecks, type FrameFault } from "../frames/frame-faults.js";
import { asPromise, callQuietly } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import type { LaneProblem } from "./lane-error.js";
import { startTimer } from "../base/waiting-limits.js";

/** Options passed on to the decoder. */
type DecoderOptions = Pick<
  FrameDecoderOptions,
  "onFault" | "onNoise" | "limits" | "recovery" | "invalidUtf8"
>;

/** Options for a stream: functions for writing and closing it, and the decoder's options. */
export interface LaneStreamOptions extends DecoderOptions {
  /**
   * Writes bytes to the peer. Called once per message. If this returns a promise, nothing else is
   * written until the promise settles. If it throws, the connection ends.
   */
  readonly write: (bytes: Uint8Array) => unknown;
  /** Called with each message before it is encoded. Throw to reject the message. */
  readonly validate?: (message: object) => void;
  /** Ends the transport after pending writes. May return a promise. Called by `close`. */
  readonly close?: () => unknown;
  /** Ends the transport immediately. Called once, when the connection has ended. */
  readonly destroy?: () => unknown;
  /** Called once when the connection has ended, with the problem, if any. */
  readonly onClose?: (problem?: LaneProblem) => unknown;
}

export const laneStreamChecks: option.OptionChecks<LaneStreamOptions> = {
  write: option.callback,
  validate: option.callback,
  close: option.callback,
  destroy: option.callback,
  onClose: option.callback,
  onFault: option.callback,
  onNoise: option.callback,
  limits: limitChecks,
  recovery: /* @__PURE__ */ option.oneOf("tolerant", "strict"),
  invalidUtf8: /* @__PURE__ */ option.oneOf("replace", "error"),
};

/** Functions that process a connection's stream. */
export interface LaneStreamHandlers {
  readonly onMessage?: (message: object, frame: Frame) => void;
  readonly onFrame?: (frame: Frame) => void;
  /** Called once when the peer has ended the stream. */
  readonly onEnd: () => void;
  /** Called once when reading and writing stop, with the problem, if any. */
  readonly onClosing: (problem: LaneProblem | undefined) => void;
}

/** Reads and writes a connection's bytes, and ends the connection. */
export class LaneStream {
  readonly #settings: LaneStreamOptions;
  readonly #handlers: LaneStreamHandlers;
  readonly #decoder: FrameDecoder;
  /** Chunks pushed while another chunk was being read. */
  readonly #deferred: Uint8Array[] = [];
  #isReading = false;
  #hasEnded = false;
  /** The latest fault. In strict recovery, this is the one that stopped the decoder. */
  #fault: FrameFault | undefined;
  readonly #unwritten: Uint8Array[] = [];
  /** Number of items in `#unwritten` that have been written. */
  #written = 0;
  #isWriting = false;
  /** Resolves to true once all bytes are written, or to false if they can no longer be written. */
  #writing: Promise<boolean> | undefined;
  #settleWriting: (isWritten: boolean) => void = ignore;
  #problem: LaneProblem | undefined;
  #isClosing = false;
  #isClosed = false;
  #settleClosed: () => void = ignore;
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;

  constructor(framing: Notation, settings: LaneStreamOptions, handlers: LaneStreamHandlers) {
    const { limits, recovery, invalidUtf8, onNoise } = settings;
    const { onMessage, onFrame } = handlers;
    this.#settings = settings;
    this.#handlers = handlers;
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve));
    this.#decoder = new FrameDecoder({
      framing,
      limits,
      recovery,
      invalidUtf8,
      onNoise: onNoise && ((bytes, offset) => callQuietly(() => onNoise(bytes, offset))),
      onMessage:
        onMessage && ((message, frame) => void (this.#isClosing || onMessage(message, frame))),
      onFrame: onFrame && ((frame) => void (this.#isClosing || onFrame(frame))),
      onFault: (error) => this.#receiveFault(error),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Reads the next bytes. Chunks that a callback pushes are read afterwards. */
  push(chunk: Uint8Array): void {
    if (this.#isClosing || this.#hasEnded) return;
    if (this.#isReading) this.#deferred.push(new Uint8Array(chunk));
    else this.#read(chunk);
  }

  /** Ends the incoming byte stream. */
  end(): void {
    if (this.#isClosed || this.#hasEnded) return;
    this.#hasEnded = true;
    if (!this.#isReading) this.#read(new Uint8Array(0));
  }

  #read(chunk: Uint8Array): void {
    const decoder = this.#decoder;
    const thrown: unknown[] = [];
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        thrown.push(error);
      }
    };
    this.#isReading = true;
    for (
      let next: Uint8Array | undefined = chunk;
      next !== undefined;
      next = this.#deferred.shift()
    ) {
      const bytes = next;
      if (!this.#isClosing) attempt(() => decoder.push(bytes));
    }
    if (this.#hasEnded && !this.#isClosing) attempt(() => decoder.end());
    this.#isReading = false;
    if (decoder.failed) this.#failRead();
    else if (this.#hasEnded) this.#handlers.onEnd();
    if (thrown.length > 0) throw thrown[0];
  }

  #failRead(): void {
    const { code, message } = this.#fault!;
    this.fail({ code, message, cause: this.#fault });
  }

  #receiveFault(error: FrameFault): void {
    const { onFault } = this.#settings;
    if (error.code !== "ERR_HANDLER") this.#fault = error;
    else if (onFault === undefined) throw error.cause;
    if (onFault !== undefined) callQuietly(() => onFault(error));
  }

  /** Reports that a callback for the message at an offset has thrown or rejected. */
  reportFailure(cause: unknown, offset: number, length: number): void {
    const { onFault } = this.#settings;
    const message = "A message handler failed";
    const sample = "";
    callQuietly(() =>
      onFault?.({ code: "ERR_HANDLER", message, offset, length, sample, recovered: true, cause }),
    );
  }

  /**
   * Resolves to true once all bytes are written, or to false if they can no longer be written.
   * Undefined if no bytes are waiting.
   */
  get writing(): Promise<boolean> | undefined {
    return this.#writing;
  }

  /**
   * Writes a message after those already being written. Does nothing while the connection is
   * closing.
   */
  write(bytes: Uint8Array): void {
    if (this.#isClosing) return;
    this.#unwritten.push(bytes);
    if (!this.#isWriting) this.#writeAll();
  }

  #writeAll(): void {
    this.#isWriting = true;
    try {
      while (this.#written < this.#unwritten.length) {
        const result = this.#settings.write(this.#unwritten[this.#written++]!);
        const promise = asPromise(result);
        if (promise === undefined) continue;
        this.#writing ??= new Promise((resolve) => (this.#settleWriting = resolve));
        promise.then(
          () => this.#writeAll(),
          (cause: unknown) => this.#failWrite(cause),
        );
        return;
      }
    } catch (cause) {
      this.#failWrite(cause);
    }
    this.#stopWriting(!this.#isClosed);
  }

  #stopWriting(isWritten: boolean): void {
    this.#unwritten.length = 0;
    this.#written = 0;
    this.#isWriting = false;
    this.#writing = undefined;
    this.#settleWriting(isWritten);
  }

  #failWrite(cause: unknown): void {
    const message = `Cannot write: ${textOfThrown(cause)}`;
    this.fail({ code: "ERR_TRANSPORT", message, cause });
  }

  /**
   * Closes the connection after writing all pending bytes, subject to a timeout.
   *
   * @throws Rejects with TypeError for unknown options and invalid values.
   */
  async close(options?: CloseOptions): Promise<void> {
    this.#closeWithin(graceOf(options));
    await this.closed;
  }

  /** Closes the connection because of a problem, after writing all pending bytes. */
  closeWith(problem: LaneProblem): void {
    this.#problem ??= problem;
    this.#closeWithin(defaultGraceMs);
  }

  #closeWithin(milliseconds: number): void {
    const isFirst = !this.#isClosing;
    this.#stopReading();
    if (milliseconds === 0) this.finish();
    if (this.#isClosed) return;
    const stop = startTimer(milliseconds, () => this.finish());
    void this.closed.then(stop);
    if (isFirst) void this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      await this.#writing;
      if (!this.#isClosed) await this.#settings.close?.();
    } catch (cause) {
      this.#failWrite(cause);
    }
    this.finish();
  }

  /** Ends the connection immediately because of a problem. */
  fail(problem: LaneProblem): void {
    this.#problem ??= problem;
    this.finish();
  }

  #stopReading(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#handlers.onClosing(this.#problem);
  }

  /** Ends the connection immediately. */
  finish(): void {
    this.#stopReading();
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopWriting(false);
    const problem = this.#problem;
    const { destroy, onClose } = this.#settings;
    if (destroy !== undefined) callQuietly(destroy);
    if (onClose !== undefined) callQuietly(() => onClose(problem));
    this.#settleClosed();
  }
}

function ignore(): void {}
