import { byteOrderMark } from "../json/json-scan.js";
import { BodyReader } from "./body-reader.js";
import type { FrameDecoderOptions, ResolvedOptions, StreamDecoder } from "./decoder-options.js";
import { sampleOf, type FrameFaultCode } from "./frame-faults.js";
import { CurrentFrame } from "./frame.js";

/** Delivers a body, or returns false and sets the reader's fault. */
export type DeliverBody = (
  output: DecoderOutput,
  bytes: Uint8Array,
  start: number,
  end: number,
) => boolean;

/**
 * Passes messages, faults and noise to the user's handlers. Shared by the decoders of all framings.
 */
export class DecoderOutput {
  readonly #options: ResolvedOptions;
  readonly #deliverFormatted: DeliverBody | undefined;
  /** The handler for JSON messages. */
  readonly #onMessage: FrameDecoderOptions["onMessage"];
  readonly reader: BodyReader;
  readonly frame: CurrentFrame = new CurrentFrame();
  failed = false;
  #thrown: unknown;
  #hasThrown = false;
  #noise: { offset: number; end: number; sample: string } | undefined;

  /** @param deliverFormatted Delivers bodies that are not JSON. */
  constructor(options: ResolvedOptions, deliverFormatted?: DeliverBody) {
    this.#options = options;
    this.#deliverFormatted = deliverFormatted;
    this.#onMessage = deliverFormatted === undefined ? options.onMessage : undefined;
    this.reader = new BodyReader(options.limits, options.strict, options.utf8);
  }

  /**
   * Parses and delivers a body.
   *
   * @returns False if the body is invalid. In that case, `reader.fault` contains the reason, and
   * nothing has been reported yet.
   */
  deliver(bytes: Uint8Array, start: number, end: number): boolean {
    const { frame } = this;
    const onMessage = this.#onMessage;
    frame.setBody(bytes, start, end);
    if (onMessage === undefined) return this.#deliverUnparsed(bytes, start, end);
    const message = this.reader.read(bytes, start, end);
    if (message === undefined) return false;
    if (this.#noise !== undefined) this.flushNoise();
    try {
      onMessage(message, frame);
    } catch (error) {
      this.#handlerFailed(error);
    }
    return true;
  }

  /** Delivers a body that is not JSON, or that should not be parsed. */
  #deliverUnparsed(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#deliverFormatted !== undefined)
      return this.#deliverFormatted(this, bytes, start, end);
    if (!this.#looksLikeObject(bytes, start, end)) return false;
    this.flushNoise();
    this.call(() => this.#options.onFrame!(this.frame));
    return true;
  }

  /** Calls a handler. Its exceptions are reported as faults. */
  call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#handlerFailed(error);
    }
  }

  /** Reports a fault. In strict recovery, the fault stops the decoder. */
  report(
    code: FrameFaultCode,
    message: string,
    offset: number,
    length: number,
    sample: string,
    recovered = false,
    cause?: unknown,
  ): void {
    if (this.failed) return;
    if (this.#options.strict && code !== "ERR_HANDLER") this.failed = true;
    const error = {
      code,
      message,
      offset,
      length,
      sample,
      recovered,
      ...(cause === undefined ? {} : { cause }),
    };
    try {
      this.#options.onFault?.(error);
    } catch (thrown) {
      this.#keepThrown(thrown);
    }
  }

  /**
   * Delivers bytes that do not belong to a message. `flushNoise` then reports all of them as one
   * fault.
   */
  addNoise(bytes: Uint8Array, start: number, end: number, offset: number): void {
    if (end <= start || this.failed) return;
    const noise = this.#noise;
    const noiseEnd = offset + end - start;
    if (noise === undefined)
      this.#noise = { offset, end: noiseEnd, sample: sampleOf(bytes, start, end) };
    else {
      // The sample must not depend on how the noise was split into chunks.
      if (noise.sample.length < 80 && noise.end === offset)
        noise.sample = (noise.sample + sampleOf(bytes, start, end)).slice(0, 80);
      noise.end = noiseEnd;
    }
    try {
      this.#options.onNoise?.(bytes.subarray(start, end), offset);
    } catch (thrown) {
      this.#keepThrown(thrown);
    }
  }

  /** Reports any noise since the last message. */
  flushNoise(): void {
    if (this.#noise === undefined) return;
    const { offset, end, sample } = this.#noise;
    this.#noise = undefined;
    const length = end - offset;
    const message = `Skipped ${length} bytes that do not belong to a message`;
    this.report("ERR_NOISE", message, offset, length, sample);
  }

  /** Called after each chunk. Releases all references to the input. */
  release(): void {
    this.reader.close();
    this.frame.release();
  }

  /** Called at the end of a push. Rethrows a handler's exception unless it has been reported. */
  rethrow(): void {
    if (!this.#hasThrown) return;
    const thrown = this.#thrown;
    this.#hasThrown = false;
    this.#thrown = undefined;
    throw thrown;
  }

  /** Checks an unparsed body superficially: an object must start and end with a brace. */
  #looksLikeObject(bytes: Uint8Array, start: number, end: number): boolean {
    let first = this.#options.strict ? start : start + byteOrderMark(bytes, start, end);
    let last = end - 1;
    while (first < last && bytes[first]! <= 0x20) first++;
    while (last > first && bytes[last]! <= 0x20) last--;
    if (bytes[first] === 0x7b && bytes[last] === 0x7d && last > first) return true;
    this.reader.fault = { code: "ERR_JSON", message: "Cannot use a body that is not an object" };
    return false;
  }

  #handlerFailed(error: unknown): void {
    if (this.#options.onFault === undefined) {
      this.#keepThrown(error);
      return;
    }
    const { offset, headerLength, bodyLength } = this.frame;
    this.report(
      "ERR_HANDLER",
      "A message handler threw",
      offset,
      headerLength + bodyLength,
      "",
      true,
      error,
    );
  }

  #keepThrown(error: unknown): void {
    if (this.#hasThrown) return;
    this.#hasThrown = true;
    this.#thrown = error;
  }
}

/** Stores chunks that handlers push while the decoder is busy, for the decoder to read later. */
export class DeferredPushes {
  readonly #waiting: (Uint8Array | "end")[] = [];
  #isReplaying = false;

  /** Stores a copy of a chunk, whose memory belongs to the caller. */
  add(chunk: Uint8Array): void {
    this.#waiting.push(new Uint8Array(chunk));
  }

  /** Makes the stream end after the deferred chunks. */
  end(): void {
    this.#waiting.push("end");
  }

  /**
   * Releases a processed chunk, and reads the chunks that handlers have pushed in the meantime.
   *
   * @throws The first exception thrown by a handler, once all chunks have been read.
   */
  finishChunk(output: DecoderOutput, decoder: StreamDecoder): void {
    output.release();
    if (this.#isReplaying) return;
    if (this.#waiting.length > 0) {
      this.#isReplaying = true;
      // The handlers of these chunks may add more.
      for (const chunk of this.#waiting)
        if (chunk === "end") decoder.end();
        else decoder.push(chunk);
      this.#waiting.length = 0;
      this.#isReplaying = false;
    }
    output.rethrow();
  }
}
