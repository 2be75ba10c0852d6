import type { AnyConnectOptions, Problem } from "./connection-settings.js";
import { FirstBytes } from "./first-bytes.js";
import type { CreateDecoder, StreamDecoder } from "../frames/decoder-options.js";
import { textOfFault } from "../frames/frame-faults.js";
import type { ReceivedFrame } from "./middleware-chain.js";
import { onRejection } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import { isObject } from "../protocol/message-fields.js";
import { noBytes } from "../base/byte-buffer.js";

/** Number of bytes to decode before checking whether the queue has room. */
const sliceBytes = 0x10_0000;

export interface IncomingEvents {
  onMessage(message: object, frame: ReceivedFrame): void;
  onProblem(problem: Problem): void;
  /** Called after a fault in strict recovery. */
  onFault(text: string): void;
  /** Called if decoding failed. */
  onFailure(cause: unknown): void;
  /** Returns whether the connection has ended. */
  isOver(): boolean;
  /** Settles when reading may continue. Undefined if it may continue right away. */
  untilRoom(): Promise<void> | undefined;
}

/** Decodes a transport's chunks. Never throws. */
export class IncomingBytes {
  readonly #events: IncomingEvents;
  readonly #decoder: StreamDecoder;
  /**
   * Settles once the chunk that is waiting for room in the queue, and all chunks after it, have
   * been decoded.
   */
  #waiting: Promise<void> | undefined;
  /** The bytes before the first message; undefined once that message has arrived. */
  #first: FirstBytes | undefined;
  /** Describes the latest fault. In strict recovery, this is the one that stopped the decoder. */
  #fault = "";

  constructor(
    decode: CreateDecoder,
    { limits, recovery, invalidUtf8, onNoise }: AnyConnectOptions,
    events: IncomingEvents,
  ) {
    this.#events = events;
    this.#first = new FirstBytes((message) =>
      events.onProblem({ code: "ERR_NO_MESSAGE", message }),
    );
    this.#decoder = decode({
      limits,
      recovery,
      invalidUtf8,
      onNoise: onNoise && ((bytes, offset) => this.#callOnNoise(onNoise, bytes, offset)),
      onMessage: (message, frame) => {
        if (this.#first !== undefined) this.#hasBegun();
        events.onMessage(message, frame);
      },
      onFault: (error) => {
        const { code, cause } = error;
        const message = textOfFault(error);
        this.#fault = message;
        this.#first?.markReported();
        events.onProblem({ code, message, ...(cause === undefined ? {} : { cause }) });
      },
    });
  }

  /** Decodes a chunk. Returns a promise if the queue is full. */
  take(chunk: Uint8Array): void | Promise<void> {
    const waiting =
      this.#waiting === undefined
        ? this.#push(chunk, 0)
        : // The transport might not wait for the promise, so make sure that the chunks stay in order.
          this.#waiting.then(() => this.#push(chunk, 0));
    if (waiting === undefined) return;
    const own: Promise<void> = waiting.then(() => {
      if (this.#waiting === own) this.#waiting = undefined;
    });
    this.#waiting = own;
    return own;
  }

  /** Processes a message that arrived as a string. Returns a promise if the queue is full. */
  takeText(text: string): void | Promise<void> {
    if (this.#events.isOver()) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (cause) {
      const what = `Cannot parse a message: ${textOfThrown(cause)}`;
      this.#events.onProblem({ code: "ERR_JSON", message: what, cause });
      return;
    }
    if (isObject(message))
      this.#events.onMessage(message, { bodyLength: text.length, raw: noBytes });
    else
      this.#events.onProblem({
        code: "ERR_NOT_OBJECT",
        message: "Cannot use a message that is not an object",
      });
    return this.#events.untilRoom();
  }

  /**
   * Describes the bytes that arrived instead of a message, as part of a sentence; empty if there
   * are none.
   */
  get instead(): string {
    return this.#first?.text ?? "";
  }

  /** Stops decoding. Called when the connection has ended. */
  stop(): void {
    this.#first?.end();
  }

  /**
   * Ends the stream and reports incomplete data. Returns a promise if earlier chunks are still
   * waiting.
   */
  end(): void | Promise<void> {
    if (this.#waiting !== undefined) return this.#waiting.then(() => this.end());
    if (this.#events.isOver()) return;
    try {
      this.#decoder.end();
    } catch (cause) {
      this.#events.onFailure(cause);
    }
  }

  /** Decodes a chunk, starting at an index. Returns a promise if the queue becomes full. */
  #push(chunk: Uint8Array, from: number): Promise<void> | undefined {
    if (!ArrayBuffer.isView(chunk)) {
      this.#events.onFailure(new TypeError(`Expected bytes, received a ${typeof chunk}`));
      return undefined;
    }
    if (from === 0 && chunk.length > 0) this.#first?.add(chunk);
    for (let at = from; at < chunk.length; at += sliceBytes) {
      if (this.#events.isOver()) return undefined;
      try {
        this.#decoder.push(
          chunk.length <= sliceBytes ? chunk : chunk.subarray(at, at + sliceBytes),
        );
      } catch (cause) {
        this.#events.onFailure(cause);
        return undefined;
      }
      this.#first?.wait();
      if (this.#decoder.failed) {
        this.#events.onFault(this.#fault);
        return undefined;
      }
      const room = this.#events.untilRoom();
      if (room !== undefined) return room.then(() => this.#push(chunk, at + sliceBytes));
    }
    return undefined;
  }

  #hasBegun(): void {
    this.#first?.stop();
    this.#first = undefined;
  }

  #callOnNoise(
    onNoise: NonNullable<AnyConnectOptions["onNoise"]>,
    bytes: Uint8Array,
    offset: number,
  ): void {
    const failed = (cause: unknown): void =>
      this.#events.onProblem({
        code: "ERR_CALLBACK",
        message: `onNoise threw: ${textOfThrown(cause)}`,
        cause,
      });
    try {
      onRejection(onNoise(bytes, offset), failed);
    } catch (cause) {
      failed(cause);
    }
  }
}
