import type { HostTransform, TransformStreamClass } from "../base/web-standards.js";
import type { FrameDecoderOptions } from "./decoder-options.js";
import { FrameDecoder } from "./frame-decoder.js";

declare const TransformStream: TransformStreamClass;

/** Options of a decoder that emits messages to a stream instead of a handler. */
export type StreamOptions = Omit<FrameDecoderOptions, "onMessage" | "onFrame">;

/**
 * Yields the messages of a byte source. The next chunk is read only when all messages so far have
 * been consumed, so a slow consumer slows down the source. If `onError` or `onNoise` throws, the
 * exception follows the messages of the chunk.
 */
export async function* decodeMessages(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: StreamOptions = {},
): AsyncGenerator<object, void, void> {
  let arrived: object[] = [];
  const decoder = new FrameDecoder({
    ...options,
    onMessage: (message) => void arrived.push(message),
  });
  function* messagesOf(read: () => void): Generator<object, void, void> {
    arrived = [];
    try {
      read();
    } finally {
      for (const message of arrived) yield message;
    }
  }
  for await (const chunk of source) {
    yield* messagesOf(() => decoder.push(chunk));
    if (decoder.failed) return;
  }
  yield* messagesOf(() => decoder.end());
}

/** A WHATWG `TransformStream` from bytes to messages. */
export function createDecoderStream(
  options: StreamOptions = {},
): HostTransform<Uint8Array, object> {
  let enqueue: (message: object) => void = () => undefined;
  const decoder = new FrameDecoder({ ...options, onMessage: (message) => enqueue(message) });
  return new TransformStream<Uint8Array, object>({
    transform(chunk, controller) {
      enqueue = (message) => controller.enqueue(message);
      decoder.push(chunk);
      if (decoder.failed) controller.terminate();
    },
    flush(controller) {
      enqueue = (message) => controller.enqueue(message);
      decoder.end();
    },
  });
}
