import { ContentLengthDecoder } from "./content-length-decoder.js";
import {
  framingCheck,
  resolveOptions,
  type FrameDecoderOptions,
  type JsonFraming,
  type ResolvedOptions,
  type StreamDecoder,
} from "./decoder-options.js";
import { LengthPrefixDecoder } from "./length-prefix-decoder.js";
import { LineDecoder } from "./line-decoder.js";
import type { BodyFormat } from "./spelling.js";

/**
 * Creates the decoder for a framing.
 *
 * @param format Reads bodies that are not JSON.
 */
export function createFramedDecoder(
  framing: JsonFraming,
  options: ResolvedOptions,
  format?: BodyFormat,
): StreamDecoder {
  switch (framing) {
    case "content-length":
      return new ContentLengthDecoder(options);
    case "lines":
    case "nul":
    case "decimal-nul":
      return new LineDecoder(options, format, framing);
    default:
      return new LengthPrefixDecoder(options, framing, format);
  }
}

/** Creates a decoder for any framing. @throws TypeError in the same cases as FrameDecoder. */
export function decodeFrames(options: FrameDecoderOptions): StreamDecoder {
  return new FrameDecoder(options);
}

/**
 * Decodes a byte stream into messages. The stream may be split into chunks anywhere.
 *
 * Decoding is synchronous: `push` calls the handlers before it returns. It keeps no reference to
 * the chunk, which may be reused. After a fault, decoding continues at the next message, so that
 * only the damaged message is lost. If a handler throws, the exception is reported as
 * `ERR_HANDLER`. If `onFault` is not given, `push` rethrows the exception once it is done. Later
 * messages are delivered in any case.
 */
export class FrameDecoder implements StreamDecoder {
  readonly #decoder: StreamDecoder;

  /** @throws TypeError for unknown options and invalid values, and if no handler is given. */
  constructor(options: FrameDecoderOptions) {
    const resolved = resolveOptions(options, framingCheck);
    const { framing } = options;
    this.#decoder =
      typeof framing === "object"
        ? framing.createDecoder(resolved)
        : createFramedDecoder(framing ?? "content-length", resolved);
  }

  /** Decodes the next bytes. Once a fault has stopped a strict decoder, bytes are ignored. */
  push(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
  }

  /** Ends the stream and reports incomplete data. */
  end(): void {
    this.#decoder.end();
  }

  /** Whether a fault has stopped a strict decoder. */
  get failed(): boolean {
    return this.#decoder.failed;
  }
}
