import type { ConnectionSettings } from "./connection-settings.js";
import { FrameEncoder, type FrameEncoderOptions } from "../frames/frame-encoder.js";
import { FrameQueue, type FrameQueueEvents } from "./frame-queue.js";
import type { MiddlewareChain } from "./middleware-chain.js";
import type { Transport } from "./transport.js";

/** Outgoing messages: applies the middleware, encodes, and queues for the transport. */
export class OutgoingMessages {
  readonly #middleware: MiddlewareChain;
  readonly #encoder: FrameEncoder;
  readonly #options: FrameEncoderOptions;
  readonly queue: FrameQueue;

  constructor(
    framing: "content-length" | "lines",
    { dialect, check }: ConnectionSettings,
    middleware: MiddlewareChain,
    transport: Transport,
    events: FrameQueueEvents,
  ) {
    this.#middleware = middleware;
    this.#options = { framing, ...(dialect === undefined ? {} : { dialect }) };
    this.#encoder = new FrameEncoder({
      ...this.#options,
      ...(check === undefined ? {} : { check }),
    });
    this.queue = new FrameQueue(transport, events);
  }

  /**
   * The bytes of a message, or undefined if a middleware holds it back.
   *
   * @throws EncodeError, and what callbacks throw.
   */
  encode(message: object): Uint8Array | undefined {
    const seen = this.#middleware.beforeSend(message);
    if (seen === undefined) return undefined;
    const bytes = this.#encoder.encode(seen);
    this.#middleware.afterSend(seen, bytes);
    return bytes;
  }

  /** Encodes without any callbacks, for a message that must be sent even if they reject it. */
  encodeUnseen(message: object): Uint8Array {
    return new FrameEncoder(this.#options).encode(message);
  }
}
