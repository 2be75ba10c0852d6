import { latin1 } from "../base/buffer-methods.js";
import * as option from "../base/check-options.js";

/**
 * Faults in a byte stream. The codes are stable.
 *
 * See docs/reference/error-codes.md.
 */
export type FrameFaultCode =
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
 * A fault in a byte stream. It is data, not an exception: decoding continues unless recovery is
 * strict.
 *
 * Messages, faults and noise cover the stream in order: each byte belongs to exactly one frame,
 * fault or piece of noise. The only exceptions are separators: line endings before a header or
 * after a line, and a byte order mark at the start of the stream. Two kinds of faults share their
 * bytes with other items:
 *
 * - `ERR_NOISE` spans the bytes passed to `onNoise` since the last message or fault, including the
 *   separators between them.
 * - A recovered fault concerns the message before it and has the same range as that message's
 *   frame.
 *
 * All other faults own the bytes in their range: these bytes are not part of any frame and are not
 * passed to `onNoise`. A strict decoder stops at the first fault and does not process any bytes
 * after its range.
 */
export interface FrameFault {
  readonly code: FrameFaultCode;
  /** A human-readable sentence that is safe to print. */
  readonly message: string;
  /** Stream offset of the first affected byte. */
  readonly offset: number;
  /** Number of affected bytes. */
  readonly length: number;
  /** The first affected bytes as printable text, at most 80 characters. */
  readonly sample: string;
  /** Whether the message was delivered despite the fault. */
  readonly recovered: boolean;
  /** The exception thrown by the handler, for `ERR_HANDLER`. */
  readonly cause?: unknown;
}

/**
 * Limits that are checked before memory is allocated. Each is a whole number, at least 1. A high
 * limit costs nothing until a peer actually sends that much. There is no value for "unlimited".
 *
 * While a body grows, a decoder may hold three times `maxBodyBytes`. The result of `JSON.parse` can
 * take up to 25 times as much memory as the body (for repeated `{}` or `[]`), and parsing 6 MB of
 * such text takes a second. Lower the limit if you do not trust the peer. A push takes as long as
 * parsing its messages does. Push a large stream in pieces to let other work run in between.
 */
export interface FrameLimits {
  /** Maximum body size, in bytes. Default: 128 MiB. */
  readonly maxBodyBytes: number;
  /**
   * Maximum size of a header block, in bytes, including line endings and the blank line. Default: 8
   * KiB. The canonical header (`Content-Length: N` alone, at most 30 bytes) is always accepted.
   */
  readonly maxHeaderBytes: number;
  /** Maximum number of lines in a header block. Default: 32. */
  readonly maxHeaderCount: number;
  /**
   * Maximum nesting depth of objects and arrays in a body. Default: 4,096. Bodies larger than 2 MiB
   * are checked before they are parsed. The check works on the text, so a repeated key cannot hide
   * a deeply nested value.
   */
  readonly maxDepth: number;
}

/** Limits that apply to a decoder unless overridden by its options. */
export const defaultLimits: FrameLimits = {
  maxBodyBytes: 0x800_0000,
  maxHeaderBytes: 0x2000,
  maxHeaderCount: 32,
  maxDepth: 4_096,
};

const wholeFrom1: option.OptionCheck = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 1 ? undefined : "a whole number, at least 1";

/** Checks the `limits` option. */
export const limitChecks: option.OptionCheck = /* @__PURE__ */ option.recordOf(
  wholeFrom1,
  /* @__PURE__ */ new Map(/* @__PURE__ */ Object.entries(defaultLimits)),
);

/** Fills in defaults for missing and undefined limits. */
export function resolveLimits(limits: Partial<FrameLimits> | undefined): FrameLimits {
  const given = Object.entries(limits ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(given) };
}

/** Maximum length of a sample. */
const sampleBytes = 80;

/** Returns the first bytes of a range as printable text. */
export function sampleOf(bytes: Uint8Array, start: number, end: number): string {
  return visibleText(latin1(bytes, start, Math.min(end, start + sampleBytes)), sampleBytes);
}

/** Describes a fault in one line, including the affected bytes. */
export function textOfFault({ message, sample }: Pick<FrameFault, "message" | "sample">): string {
  return sample === "" ? message : `${message}: ${sample}`;
}

/** Truncates untrusted text and converts it to printable ASCII. */
export function visibleText(text: string, max: number): string {
  let visible = "";
  for (let at = 0; at < text.length && visible.length < max; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) visible += text[at];
    else visible += code === 0x0a ? "\\n" : code === 0x0d ? "\\r" : ".";
  }
  return visible.slice(0, max);
}
