import { checkOptions, signal as signalCheck } from "../base/check-options.js";
import { isBranded, setBrand } from "../base/errors.js";
import { callSafely, nothing } from "../base/promises.js";
import { abortReason, onAbort } from "../base/waiting-limits.js";
import type { HostTransform, Signal, TransformStreamClass } from "../base/web-standards.js";
import type { CreateDecoder, FrameDecoderOptions } from "./decoder-options.js";
import { textOfFault, type FrameFault } from "./frame-faults.js";

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

const noMessageBrand = /* @__PURE__ */ Symbol.for("wirewright.NoMessageError");

/** Thrown when a source contained bytes but no message. Check `code` for the reason. */
export class NoMessageError extends Error {
  override readonly name = "NoMessageError";
  readonly code = "ERR_NO_MESSAGE";
  /** The first fault. */
  readonly fault: FrameFault;

  /** @param length Number of bytes read. */
  constructor(fault: FrameFault, length: number) {
    const { code, sample } = fault;
    const text =
      code === "ERR_FRAMING" && sample.startsWith("{")
        ? `these are lines of JSON without Content-Length headers, as in a recording: ${sample}`
        : textOfFault(fault);
    super(`Cannot find a message in ${length} bytes: ${text}`);
    this.fault = fault;
    setBrand(this, noMessageBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, NoMessageError, noMessageBrand, value);
  }
}

/**
 * Yields a source's values until a signal is aborted. Then closes the source without waiting for
 * it, because a silent source would not close until its next value arrived.
 *
 * @throws The signal's abort reason.
 */
async function* untilAborted<Value>(
  source: AsyncIterable<Value> | Iterable<Value>,
  signal: Signal,
): AsyncGenerator<Value, void, void> {
  let abort: (reason: unknown) => void = nothing;
  const stopWatching = onAbort(signal, () => abort(abortReason(signal)));
  const values = iteratorOf(source);
  let isOpen = false;
  try {
    for (;;) {
      if (signal.aborted) throw abortReason(signal);
      isOpen = false;
      // Do not use `Promise.race`: a promise that outlives the chunks would accumulate a reaction
      // for each of them.
      const next = await new Promise<IteratorResult<Value>>((resolve, reject) => {
        abort = reject;
        Promise.resolve(values.next()).then(resolve, reject);
      });
      if (next.done === true) return;
      isOpen = true;
      yield next.value;
    }
  } finally {
    stopWatching();
    if (signal.aborted) callSafely(() => values.return?.());
    else if (isOpen) await values.return?.();
  }
}

function iteratorOf<Value>(
  source: AsyncIterable<Value> | Iterable<Value>,
): AsyncIterator<Value> | Iterator<Value> {
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}
