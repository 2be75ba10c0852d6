import type { ConnectionSettings, Problem } from "./connection-settings.js";
import { FrameDecoder } from "../frames/frame-decoder.js";
import type { Frame } from "../frames/frame.js";
import { onRejection } from "../base/promises.js";

/** Bytes of a chunk that are decoded before it is asked whether there is room for more. */
const sliceBytes = 1024 * 1024;

export interface IncomingEvents {
  onMessage(message: object, frame: Frame): void;
  onProblem(problem: Problem): void;
  /** In strict recovery a fault was reported. */
  onFault(text: string): void;
  /** Decoding failed. */
  onFailure(cause: unknown): void;
  /** Whether nobody is interested any more. */
  isOver(): boolean;
  /** Settles when reading may go on; undefined if it may. */
  untilRoom(): Promise<void> | undefined;
}

/** Chunks of a transport on their way into messages. Never throws. */
export class IncomingBytes {
  readonly #events: IncomingEvents;
  readonly #decoder: FrameDecoder;
  /** A chunk that waits for room, and those behind it. */
  #waiting: Promise<void> | undefined;
  /** The last fault: in strict recovery the one that stopped the decoder. */
  #fault = "";

  constructor(
    framing: "content-length" | "lines",
    { limits, recovery, invalidUtf8, onNoise }: ConnectionSettings,
    events: IncomingEvents,
  ) {
    this.#events = events;
    this.#decoder = new FrameDecoder({
      framing,
      limits,
      recovery,
      invalidUtf8,
      onNoise: onNoise && ((bytes, offset) => this.#callOnNoise(onNoise, bytes, offset)),
      onMessage: (message, frame) => events.onMessage(message, frame),
      onError: ({ code, message: text, cause }) => {
        this.#fault = text;
        events.onProblem({ code, text, ...(cause === undefined ? {} : { cause }) });
      },
    });
  }

  /** Takes a chunk; a promise while there is no room for what it brings. */
  take(chunk: Uint8Array): void | Promise<void> {
    const waiting =
      this.#waiting === undefined
        ? this.#push(chunk, 0)
        : // A transport that does not wait for its chunks gets them taken in order.
          this.#waiting.then(() => this.#push(chunk, 0));
    if (waiting === undefined) return;
    const own: Promise<void> = waiting.then(() => {
      if (this.#waiting === own) this.#waiting = undefined;
    });
    this.#waiting = own;
    return own;
  }

  /** The stream is over: reports what is unfinished. A promise while there is no room for what came before. */
  end(): void | Promise<void> {
    if (this.#waiting !== undefined) return this.#waiting.then(() => this.end());
    if (this.#events.isOver()) return;
    try {
      this.#decoder.end();
    } catch (cause) {
      this.#events.onFailure(cause);
    }
  }

  /** Decodes a chunk from a place on; a promise if there is no room for all of it. */
  #push(chunk: Uint8Array, from: number): Promise<void> | undefined {
    if (!ArrayBuffer.isView(chunk)) {
      this.#events.onFailure(new TypeError(`Expected bytes, received a ${typeof chunk}`));
      return undefined;
    }
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
      if (this.#decoder.failed) {
        this.#events.onFault(this.#fault);
        return undefined;
      }
      const room = this.#events.untilRoom();
      if (room !== undefined) return room.then(() => this.#push(chunk, at + sliceBytes));
    }
    return undefined;
  }

  #callOnNoise(
    onNoise: NonNullable<ConnectionSettings["onNoise"]>,
    bytes: Uint8Array,
    offset: number,
  ): void {
    const failed = (cause: unknown): void =>
      this.#events.onProblem({ code: "ERR_CALLBACK", text: "onNoise threw", cause });
    try {
      onRejection(onNoise(bytes, offset), failed);
    } catch (cause) {
      failed(cause);
    }
  }
}
