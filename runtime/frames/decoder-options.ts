import * as option from "../base/check-options.js";
import { limitChecks, resolveLimits, type FrameFault, type FrameLimits } from "./frame-faults.js";
import type { Frame } from "./frame.js";
import type { JsonFraming } from "../protocol/protocol-description.js";

export type { JsonFraming };

/** Options for a frame decoder. */
export interface FrameDecoderOptions {
  /**
   * How JSON messages are framed, or the notation of messages that are not JSON. Default:
   * `content-length`.
   */
  readonly framing?: JsonFraming | Notation;
  /** Called with each message, in order. If omitted, bodies are not parsed; see `onFrame`. */
  readonly onMessage?: ((message: object, frame: Frame) => void) | undefined;
  /** Called with each frame, whose body is not parsed. Pass either `onMessage` or `onFrame`. */
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  /** Called with each fault in the stream. */
  readonly onFault?: (error: FrameFault) => void;
  /** Called with bytes that do not belong to a message. The view is valid only during the call. */
  readonly onNoise?: ((bytes: Uint8Array, offset: number) => void) | undefined;
  readonly limits?: Partial<FrameLimits> | undefined;
  /**
   * `tolerant` continues at the next message after a fault; `strict` stops at the first fault.
   * Default: `tolerant`.
   */
  readonly recovery?: "tolerant" | "strict" | undefined;
  /** How to treat ill-formed UTF-8 in a body. Default: `replace`. */
  readonly invalidUtf8?: "replace" | "error" | undefined;
}

/** Checks the `framing` option. */
export const framingCheck: option.OptionCheck = /* @__PURE__ */ option.either(
  /* @__PURE__ */ option.oneOf(
    "content-length",
    "lines",
    "nul",
    "decimal-nul",
    "uint32-be",
    "uint32-le",
    "uint64-be",
    "uint64-le",
  ),
  option.object,
);

/** Option checks shared by all decoders. The last options exist only in generated packages. */
const decoderChecks: option.OptionChecks<
  OneFramingOptions & Record<"dialect" | "from" | "spelling", unknown>
> = {
  onMessage: option.callback,
  onFrame: option.callback,
  onFault: option.callback,
  onNoise: option.callback,
  limits: limitChecks,
  recovery: /* @__PURE__ */ option.oneOf("tolerant", "strict"),
  invalidUtf8: /* @__PURE__ */ option.oneOf("replace", "error"),
  dialect: option.object,
  from: option.text,
  spelling: option.text,
};

/** Decodes a byte stream. Decoding is synchronous: `push` calls the handlers before it returns. */
export interface StreamDecoder {
  /**
   * Decodes the next bytes, without keeping a reference to them. Once a fault has stopped a strict
   * decoder, bytes are ignored.
   */
  push(chunk: Uint8Array): void;
  /** Ends the stream and reports incomplete data. */
  end(): void;
  /** Whether a fault has stopped a strict decoder. */
  readonly failed: boolean;
}

/**
 * Options for a decoder whose framing is fixed, so that bundles can leave out decoders for other
 * framings.
 */
export type OneFramingOptions = Omit<FrameDecoderOptions, "framing">;

/**
 * Creates a decoder for one of a protocol's framings. Generated code passes such a function so that
 * bundles do not contain decoders for other framings.
 */
export type CreateDecoder = (options: FrameDecoderOptions) => StreamDecoder;

/** Decoder options with the defaults filled in. */
export interface ResolvedOptions extends FrameDecoderOptions {
  readonly limits: FrameLimits;
  readonly strict: boolean;
  readonly utf8: "replace" | "error";
}

/**
 * Fills in defaults.
 *
 * @param framing Checks the `framing` option of a decoder whose framing is not fixed.
 * @throws TypeError for unknown options and invalid values, and if no handler is given.
 */
export function resolveOptions(
  options: FrameDecoderOptions,
  framing: option.OptionCheck = option.anything,
): ResolvedOptions {
  option.checkOptions("decoder", options, { ...decoderChecks, framing });
  if ((options.onMessage === undefined) === (options.onFrame === undefined)) {
    throw new TypeError("Cannot create a decoder: pass either onMessage or onFrame");
  }
  return {
    ...options,
    limits: resolveLimits(options.limits),
    strict: options.recovery === "strict",
    utf8: options.invalidUtf8 ?? "replace",
  };
}

/**
 * A notation for messages that are not JSON: how to split a stream into messages, and how to read
 * and write them.
 */
export interface Notation {
  /** Creates a decoder for messages in this notation. */
  createDecoder(options: ResolvedOptions): StreamDecoder;
  /**
   * Writes a message as a string for the stream. The string includes the terminator unless there is
   * a `framing`.
   *
   * @throws EncodeError with the path of a value that cannot be encoded.
   */
  write(message: object): string;
  /**
   * How the strings returned by `write` are framed. If absent, the strings include their own
   * terminators.
   */
  readonly framing?: JsonFraming;
}
