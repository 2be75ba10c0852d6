import type { FrameError, FrameLimits } from "./frame-errors.js";
import type { Frame } from "./frame.js";

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

/** How one side spells its messages, where that is not JSON: cuts, reads and writes them. */
export interface Notation {
  /** A decoder of what that side sends. */
  createDecoder(options: ResolvedOptions): StreamDecoder;
  /**
   * A message as it goes on the wire, with what ends it.
   *
   * @throws EncodeError with the path of what cannot be written.
   */
  write(message: object): string;
}
