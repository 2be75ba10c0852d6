import { ContentLengthDecoder } from "./content-length-decoder.js";
import { checkOptions } from "../base/check-options.js";
import {
  decoderChecks,
  type FrameDecoderOptions,
  type ResolvedOptions,
  type StreamDecoder,
} from "./decoder-options.js";
import { resolveLimits } from "./frame-faults.js";
import { LineDecoder } from "./line-decoder.js";

/** Options of a decoder whose framing is known, so that bundles need not contain the others. */
type OneFramingOptions = Omit<FrameDecoderOptions, "framing">;

/** Creates a decoder of `Content-Length` frames. @throws TypeError, as FrameDecoder does. */
export function decodeContentLength(options: OneFramingOptions): StreamDecoder {
  return new ContentLengthDecoder(resolveOptions(options));
}

/** Creates a decoder of lines. @throws TypeError, as FrameDecoder does. */
export function decodeLines(options: OneFramingOptions): StreamDecoder {
  return new LineDecoder(resolveOptions(options));
}

/** Creates a decoder of messages that a byte 0 follows. @throws TypeError, as FrameDecoder does. */
export function decodeNul(options: OneFramingOptions): StreamDecoder {
  return new LineDecoder(resolveOptions(options), undefined, "nul");
}

/** Fills in defaults. @throws TypeError for unknown options and values, and without a handler. */
export function resolveOptions(options: FrameDecoderOptions): ResolvedOptions {
  checkOptions("decoder", options, decoderChecks);
  if ((options.onMessage === undefined) === (options.onFrame === undefined)) {
    throw new TypeError("Cannot create a decoder: give either onMessage or onFrame");
  }
  return {
    ...options,
    limits: resolveLimits(options.limits),
    strict: options.recovery === "strict",
    utf8: options.invalidUtf8 ?? "replace",
  };
}
