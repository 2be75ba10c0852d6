import { latin1 } from "../base/buffer-methods.js";

/**
 * What can be wrong with a received stream. Stable: match on these.
 *
 * docs/reference/error-codes.md documents each.
 */
export type FrameErrorCode =
  | "ERR_NOISE"
  | "ERR_FRAMING"
  | "ERR_HEADER_LINE"
  | "ERR_HEADER_TOO_LONG"
  | "ERR_HEADER_COUNT"
  | "ERR_LENGTH_MISSING"
  | "ERR_LENGTH_INVALID"
  | "ERR_LENGTH_CONFLICT"
  | "ERR_LENGTH_WRONG"
  | "ERR_BODY_TOO_LONG"
  | "ERR_CHARSET"
  | "ERR_UTF8"
  | "ERR_DEPTH"
  | "ERR_JSON"
  | "ERR_ELEMENT"
  | "ERR_NOT_OBJECT"
  | "ERR_TRUNCATED"
  | "ERR_HANDLER";

/**
 * A fault of the stream. Data, not an exception: decoding goes on unless recovery is strict.
 *
 * Messages, errors and noise tile the stream: reported in its order, each byte belongs to exactly one frame, one
 * error or one piece of noise. Only separators belong to none: line ends in front of a header or behind a line, and a
 * byte order mark at the start of the stream. Two kinds of errors have no bytes of their own:
 *
 * - `ERR_NOISE` spans what `onNoise` got since the last message or error, with the separators in between.
 * - A recovered error is about the message before it and repeats the range of its frame.
 *
 * All others own their range: its bytes are in no frame and do not go to `onNoise`. A strict decoder stops with the
 * first error; what follows its range belongs to nothing.
 */
export interface FrameError {
  readonly code: FrameErrorCode;
  /** Sentence for people, with nothing in it that is not safe to print. */
  readonly message: string;
  /** Place of the first byte concerned, counted from the start of the stream. */
  readonly offset: number;
  /** Number of bytes concerned. */
  readonly length: number;
  /** The first of these bytes as text that is safe to print, at most 80 characters. */
  readonly sample: string;
  /** True where the message was delivered all the same. */
  readonly recovered: boolean;
  /** What the handler threw. */
  readonly cause?: unknown;
}

/**
 * Bounds that are checked before memory is taken: whole numbers from 1. A larger number costs nothing until a peer
 * sends that much, but there is no value for "no limit".
 *
 * A decoder holds up to three times `maxBodyBytes` while a body grows. What `JSON.parse` makes of it can take 25
 * times its bytes (`{}` or `[]` again and again), and a second for 6 MB of that: lower the limit for a peer that is
 * not trusted. A push takes as long as the parsing of what it holds; to let other work in between, push a large
 * stream in pieces.
 */
export interface FrameLimits {
  /** Largest body, in bytes. Default: 128 MiB. */
  readonly maxBodyBytes: number;
  /**
   * Largest header block, in bytes: all lines with their ends, the blank one too. Default: 8 KiB. The usual header
   * (`Content-Length: N` alone, at most 30 bytes) passes under any limit.
   */
  readonly maxHeaderBytes: number;
  /** Most lines in a header block. Default: 32. */
  readonly maxHeaderCount: number;
  /**
   * Deepest nesting of objects and lists in a body. Default: 4,096. For bodies up to 2 MiB it is checked behind
   * parsing, which needs no stack and takes 100 bytes of memory a level.
   */
  readonly maxDepth: number;
}

export const defaultLimits: FrameLimits = {
  maxBodyBytes: 128 * 1024 * 1024,
  maxHeaderBytes: 8 * 1024,
  maxHeaderCount: 32,
  maxDepth: 4_096,
};

/**
 * Fills in defaults, also for what is undefined.
 *
 * @throws RangeError for a limit that does not exist, or that is no whole number from 1.
 */
export function resolveLimits(limits: Partial<FrameLimits> | undefined): FrameLimits {
  const resolved: Record<string, number> = { ...defaultLimits };
  for (const [name, value] of Object.entries(limits ?? {}) as [string, unknown][]) {
    if (!Object.hasOwn(defaultLimits, name)) {
      const names = Object.keys(defaultLimits).join(", ");
      throw new RangeError(`Cannot use the limit ${name}: there are ${names}`);
    }
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`Cannot use ${name} ${String(value)}: a limit is a whole number from 1`);
    resolved[name] = value;
  }
  return resolved as unknown as FrameLimits;
}

/** Longest sample of foreign bytes. */
const sampleBytes = 80;

/** The first bytes of a range as text that is safe to print. */
export function sampleOf(bytes: Uint8Array, start: number, end: number): string {
  return visibleText(latin1(bytes, start, Math.min(end, start + sampleBytes)), sampleBytes);
}

/** Foreign text, cut off, as ASCII that is safe to print. */
export function visibleText(text: string, max: number): string {
  let visible = "";
  for (let at = 0; at < text.length && visible.length < max; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) visible += text[at];
    else visible += code === 0x0a ? "\\n" : code === 0x0d ? "\\r" : ".";
  }
  return visible.slice(0, max);
}
