import { ContentLengthDecoder } from "./content-length-decoder.js";
import { resolveLimits, type FrameError, type FrameLimits } from "./frame-errors.js";
import type { Frame } from "./frame.js";
import { LineDecoder } from "./line-decoder.js";
import type { Notation } from "./notation.js";

export interface FrameDecoderOptions {
  /** How messages are cut out of the stream, or how they are spelled if not in JSON. Default: `content-length`. */
  readonly framing?: JsonFraming | Notation;
  /** Called with each message, in order. Without it, bodies are not parsed: see `onFrame`. */
  readonly onMessage?: ((message: object, frame: Frame) => void) | undefined;
  /** Called with each frame instead, its body as bytes. Of `onMessage` and `onFrame` give one. */
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  /** Called with each fault of the stream. */
  readonly onError?: (error: FrameError) => void;
  /** Called with bytes that belong to no message, a view that is valid during the call. */
  readonly onNoise?: ((bytes: Uint8Array, offset: number) => void) | undefined;
  readonly limits?: Partial<FrameLimits> | undefined;
  /** `tolerant` (default) goes on after a fault at the next message; `strict` stops at the first one. */
  readonly recovery?: "tolerant" | "strict" | undefined;
  /** What to do with ill-formed UTF-8 in a body. Default: `replace`. */
  readonly invalidUtf8?: "replace" | "error" | undefined;
}

/** How messages in JSON are cut out of a byte stream. */
export type JsonFraming = "content-length" | "lines";

/** What decoders of all framings do. */
export interface StreamDecoder {
  push(chunk: Uint8Array): void;
  end(): void;
  readonly failed: boolean;
}

/** Options with everything filled in. */
export interface ResolvedOptions extends FrameDecoderOptions {
  readonly limits: FrameLimits;
  readonly strict: boolean;
  readonly utf8: "replace" | "error";
}

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
