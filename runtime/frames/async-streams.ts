import { checkOptions, signal as signalCheck } from "../base/check-options.js";
import { untilAborted } from "../base/until-aborted.js";
import type { HostTransform, Signal, TransformStreamClass } from "../base/web-standards.js";
import type { CreateDecoder, FrameDecoderOptions } from "./decoder-options.js";
import type { FrameFault } from "./frame-faults.js";
import { NoMessageError } from "./no-message-error.js";

declare const TransformStream: TransformStreamClass;

/** Options for a decoder that emits messages to a stream instead of calling a handler. */
export type StreamOptions = Omit<FrameDecoderOptions, "onMessage" | "onFrame">;

/** Options for `decodeMessages`. */
export interface MessageReadOptions extends StreamOptions {
  /** Aborting this signal closes the source and makes the iterator throw the abort reason. */
  readonly signal?: Signal;
}

/**
 * Yields the messages from a byte source. The next chunk is read only once all messages so far have
 * been consumed, so a slow consumer slows the source down. If `onFault` or `onNoise` throws, the
 * exception is thrown after the chunk's messages.
 *
 * @throws NoMessageError at the end, if there were bytes but no message and `onFault` was not
 * given; or the signal's abort reason.
 */
export async function* decodeMessages(
  decode: CreateDecoder,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { signal, ...options }: MessageReadOptions = {},
): AsyncGenerator<object, void, void> {
  checkOptions("readMessages", { signal }, { signal: signalCheck });
  let arrived: object[] = [];
  let hasMessages = false;
  let fault: FrameFault | undefined;
  let length = 0;
  const decoder = decode({
    onFault: (error) => void (fault ??= error),
    ...options,
    onMessage: (message) => {
      hasMessages = true;
      arrived.push(message);
    },
  });
  function* messagesOf(read: () => void): Generator<object, void, void> {
    arrived = [];
    try {
      read();
    } finally {
      for (const message of arrived) yield message;
    }
  }
  for await (const chunk of signal === undefined ? source : untilAborted(source, signal)) {
    length += chunk.length;
    yield* messagesOf(() => decoder.push(chunk));
    if (decoder.failed) break;
  }
  yield* messagesOf(() => decoder.end());
  if (fault !== undefined && !hasMessages) throw new NoMessageError(fault, length);
}

/** Creates a WHATWG `TransformStream` that maps bytes to the results of `map` for each message. */
export function createMappedStream<Mapped>(
  decode: CreateDecoder,
  options: StreamOptions,
  map: (message: object) => Mapped,
): HostTransform<Uint8Array, Mapped> {
  let enqueue: (message: Mapped) => void = () => undefined;
  const decoder = decode({ ...options, onMessage: (message) => enqueue(map(message)) });
  return new TransformStream<Uint8Array, Mapped>({
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
