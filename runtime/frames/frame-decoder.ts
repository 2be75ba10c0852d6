import { ContentLengthDecoder } from "./content-length-decoder.js";
import type { FrameDecoderOptions, ResolvedOptions, StreamDecoder } from "./decoder-options.js";
import { resolveLimits } from "./frame-errors.js";
import { LineDecoder } from "./line-decoder.js";

/**
 * Bytes in any chunking become messages.
 *
 * Synchronous: `push` calls the handlers before it returns and keeps no reference to the chunk, which may be
 * reused. After a fault, decoding goes on at the next message: what is lost is the damaged message and
 * nothing else. An exception of a handler is reported as `ERR_HANDLER`, and thrown by `push` at its end if
 * nobody listens to errors; the messages behind it arrive all the same.
 */
export class FrameDecoder implements StreamDecoder {
  readonly #decoder: StreamDecoder;

  /** @throws RangeError for limits that are no limits, TypeError without a handler. */
  constructor(options: FrameDecoderOptions) {
    if ((options.onMessage === undefined) === (options.onFrame === undefined)) {
      throw new TypeError("Cannot decode without exactly one of onMessage and onFrame");
    }
    const resolved: ResolvedOptions = {
      ...options,
      limits: resolveLimits(options.limits),
      strict: options.recovery === "strict",
      utf8: options.invalidUtf8 ?? "replace",
    };
    const { framing } = options;
    this.#decoder =
      typeof framing === "object"
        ? framing.createDecoder(resolved)
        : framing === "lines"
          ? new LineDecoder(resolved)
          : new ContentLengthDecoder(resolved);
  }

  /** Takes the next bytes of the stream. After a fault in strict recovery they are ignored. */
  push(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
  }

  /** Says that the stream is over: reports what is unfinished. */
  end(): void {
    this.#decoder.end();
  }

  /** True once a fault has stopped a strict decoder. */
  get failed(): boolean {
    return this.#decoder.failed;
  }
}
