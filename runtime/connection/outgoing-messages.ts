import type { Notation } from "../frames/decoder-options.js";
import type { JsonFraming } from "../protocol/protocol-description.js";
import type { AnyConnectOptions } from "./connection-settings.js";
import { FrameEncoder, type FrameEncoderOptions } from "../frames/frame-encoder.js";
import { FrameQueue, type FrameQueueEvents, type Unit } from "./frame-queue.js";
import type { MiddlewareChain } from "./middleware-chain.js";
import type { Transport } from "./transport.js";
import { noBytes } from "../base/byte-buffer.js";

/**
 * Sends messages: applies the middleware, encodes each message, and queues it for the transport.
 */
export class OutgoingMessages {
  readonly #middleware: MiddlewareChain;
  readonly #encoder: FrameEncoder;
  readonly #options: FrameEncoderOptions;
  /** Whether the transport carries strings rather than bytes. */
  readonly #isText: boolean;
  readonly queue: FrameQueue;

  constructor(
    framing: JsonFraming | Notation,
    { dialect, validate }: AnyConnectOptions,
    middleware: MiddlewareChain,
    transport: Transport,
    events: FrameQueueEvents,
  ) {
    this.#middleware = middleware;
    this.#isText = transport.messages !== undefined;
    // Transports that carry strings always carry JSON.
    this.#options = {
      ...(this.#isText ? {} : { framing }),
      ...(dialect === undefined ? {} : { dialect }),
    };
    this.#encoder = new FrameEncoder({
      ...this.#options,
      ...(validate === undefined ? {} : { validate }),
    });
    this.queue = new FrameQueue(transport.messages ?? transport, events);
  }

  /**
   * Encodes a message exactly as it will be written. Returns undefined if a middleware drops it.
   *
   * @throws EncodeError, and any exceptions thrown by callbacks.
   */
  encode(message: object): Unit | undefined {
    const seen = this.#middleware.beforeSend(message);
    if (seen === null) return undefined;
    const unit = this.#encodeWith(this.#encoder, seen);
    this.#middleware.afterSend(seen, typeof unit === "string" ? noBytes : unit);
    return unit;
  }

  /**
   * Encodes a message without calling any callbacks, because it must be sent even if they would
   * reject it.
   */
  encodeUnseen(message: object): Unit {
    return this.#encodeWith(new FrameEncoder(this.#options), message);
  }

  #encodeWith(encoder: FrameEncoder, message: object): Unit {
    return this.#isText ? encoder.encodeText(message) : encoder.encode(message);
  }
}
