import { defaultCloseMs, type CloseOptions } from "../connection/connection-settings.js";
import type { FrameDecoderOptions, Notation } from "../frames/decoder-options.js";
import { FrameDecoder } from "../frames/frame-decoder.js";
import type { Frame } from "../frames/frame.js";
import type { FrameError } from "../frames/frame-errors.js";
import { callQuietly, isThenable, textOfThrown, watchResult } from "./lane-callback.js";
import type { LaneProblem } from "./lane-error.js";
import { readMilliseconds, startTimer } from "../base/waiting-limits.js";

/** What decoders may be told. */
type DecoderSettings = Pick<
  FrameDecoderOptions,
  "onError" | "onNoise" | "limits" | "recovery" | "invalidUtf8"
>;

/** Where bytes go, and what is done at the end. */
export interface LaneStreamSettings extends DecoderSettings {
  /**
   * Writes bytes to the other side; called once for each message. If it gives a promise, nothing else is written
   * before that has settled: that is how to wait for a slow reader. If it throws, the connection is over.
   */
  readonly write: (bytes: Uint8Array) => unknown;
  /** Called with each message before it is encoded; throw to refuse it. */
  readonly check?: (message: object) => void;
  /** Ends the transport behind what was written, with a promise if that takes time. Called by `close`. */
  readonly close?: () => unknown;
  /** Ends the transport at once, whatever it is doing. Called once, when the connection is over. */
  readonly destroy?: () => unknown;
  /** Called once when the connection is over, with the problem if there was one. */
  readonly onClose?: (problem?: LaneProblem) => unknown;
}

/** What a connection does with its stream. */
export interface LaneStreamHandlers {
  readonly onMessage?: (message: object, frame: Frame) => void;
  readonly onFrame?: (frame: Frame) => void;
  /** Called once when the other side says nothing more. */
  readonly onEnd: () => void;
  /** Called once when nothing is read any more, and nothing more is written. */
  readonly onClosing: (problem: LaneProblem | undefined) => void;
}

/** The bytes of a connection: those that arrive, those that are written, and the end of both. */
export class LaneStream {
  readonly #settings: LaneStreamSettings;
  readonly #handlers: LaneStreamHandlers;
  readonly #decoder: FrameDecoder;
  /** What came while a chunk was being dealt with. */
  readonly #deferred: Uint8Array[] = [];
  #isReading = false;
  #hasEnded = false;
  /** The latest fault of the stream: the one that has stopped a strict decoder. */
  #fault: FrameError | undefined;
  readonly #unwritten: Uint8Array[] = [];
  /** How many of them have been written all the same. */
  #written = 0;
  #isWriting = false;
  /** Settles when everything is written that was to be, with false if it never will be. */
  #writing: Promise<boolean> | undefined;
  #settleWriting: (isWritten: boolean) => void = ignore;
  #problem: LaneProblem | undefined;
  #isClosing = false;
  #isClosed = false;
  #settleClosed: () => void = ignore;
  /** Settles when the connection is over, whatever ended it. */
  readonly closed: Promise<void>;

  constructor(framing: Notation, settings: LaneStreamSettings, handlers: LaneStreamHandlers) {
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
      onNoise: onNoise && ((bytes, offset) => watchResult(onNoise(bytes, offset), ignore)),
      onMessage:
        onMessage && ((message, frame) => void (this.#isClosing || onMessage(message, frame))),
      onFrame: onFrame && ((frame) => void (this.#isClosing || onFrame(frame))),
      onError: (error) => this.#receiveFault(error),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes the next bytes. What a callback pushes meanwhile is dealt with behind them. */
  push(chunk: Uint8Array): void {
    if (this.#isClosing || this.#hasEnded) return;
    if (this.#isReading) this.#deferred.push(new Uint8Array(chunk));
    else this.#read(chunk);
  }

  /** Says that nothing more arrives. */
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
    const { code, message: text } = this.#fault!;
    this.fail({ code, text, cause: this.#fault });
  }

  #receiveFault(error: FrameError): void {
    const { onError } = this.#settings;
    if (error.code !== "ERR_HANDLER") this.#fault = error;
    else if (onError === undefined) throw error.cause;
    if (onError !== undefined) watchResult(onError(error), ignore);
  }

  /** Says that a callback has rejected that was called for the message at a place. */
  reportRejection(cause: unknown, offset: number, length: number): void {
    const { onError } = this.#settings;
    const message = "The handler of a message rejected";
    const sample = "";
    callQuietly(() =>
      onError?.({ code: "ERR_HANDLER", message, offset, length, sample, recovered: true, cause }),
    );
  }

  /** Settles when everything is written, with false if it never will be; undefined if it is. */
  get writing(): Promise<boolean> | undefined {
    return this.#writing;
  }

  /** Writes one message behind those that are being written. Does nothing once the connection is closed. */
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
        if (!isThenable(result)) continue;
        this.#writing ??= new Promise((resolve) => (this.#settleWriting = resolve));
        new Promise((settle) => settle(result)).then(
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
    const text = `Cannot write any more: ${textOfThrown(cause)}`;
    this.fail({ code: "ERR_TRANSPORT", text, cause });
  }

  /**
   * Ends the connection: what was written goes out first, within a bound.
   *
   * @throws RangeError, as a rejection, for a time that is none.
   */
  async close({ timeoutMs = defaultCloseMs }: CloseOptions = {}): Promise<void> {
    this.#closeWithin(readMilliseconds("timeoutMs", timeoutMs));
    await this.closed;
  }

  /** Ends the connection because of a problem, behind what was written. */
  closeWith(problem: LaneProblem): void {
    this.#problem ??= problem;
    this.#closeWithin(defaultCloseMs);
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

  /** Ends the connection at once because of a problem. */
  fail(problem: LaneProblem): void {
    this.#problem ??= problem;
    this.finish();
  }

  #stopReading(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#handlers.onClosing(this.#problem);
  }

  /** Ends the connection at once. */
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
