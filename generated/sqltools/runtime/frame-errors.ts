/**
 * What can be wrong with a received stream. Stable: match on these.
 *
 * The README documents each under "Error codes".
 */
export type FrameErrorCode =
  | "ERR_NOISE"
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

/** A fault of the stream. Data, not an exception: decoding goes on unless recovery is strict. */
export interface FrameError {
  readonly code: FrameErrorCode;
  /** Sentence for people. */
  readonly message: string;
  /** Place of the first byte concerned, counted from the start of the stream. */
  readonly offset: number;
  /** Number of bytes concerned. */
  readonly length: number;
  /** The first of these bytes as text, at most 80 characters. */
  readonly sample: string;
  /** True where the message was delivered all the same. */
  readonly recovered: boolean;
  /** What the handler threw. */
  readonly cause?: unknown;
}

/**
 * Bounds that are checked before memory is taken; the depth of a body up to 2 MiB behind parsing it, which
 * takes 100 bytes a level.
 */
export interface FrameLimits {
  /** Largest body, in bytes. Default: 128 MiB. */
  readonly maxBodyBytes: number;
  /** Largest header block, in bytes. Default: 8 KiB. */
  readonly maxHeaderBytes: number;
  /** Most lines in a header block. Default: 32. */
  readonly maxHeaderCount: number;
  /** Deepest nesting of objects and lists in a body. Default: 4,096. */
  readonly maxDepth: number;
}

export const defaultLimits: FrameLimits = {
  maxBodyBytes: 128 * 1024 * 1024,
  maxHeaderBytes: 8 * 1024,
  maxHeaderCount: 32,
  maxDepth: 4_096,
};

/** Fills in defaults and refuses limits that are no limits. */
export function resolveLimits(limits: Partial<FrameLimits> | undefined): FrameLimits {
  const resolved = { ...defaultLimits, ...limits };
  for (const [name, value] of Object.entries(resolved) as [string, number][]) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`Cannot use ${name} ${String(value)}: a limit is a whole number from 1`);
    }
  }
  return resolved;
}

/** The first bytes of a range as text that is safe to print. */
export function sampleOf(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < Math.min(end, start + 80); at++) {
    const byte = bytes[at]!;
    text +=
      byte >= 0x20 && byte < 0x7f
        ? String.fromCharCode(byte)
        : byte === 0x0a
          ? "\\n"
          : byte === 0x0d
            ? "\\r"
            : ".";
  }
  return text.slice(0, 80);
}
