/**
 * Conditions that must hold for any decoder input, for fuzzers and for tests with hostile streams.
 */
import assert from "node:assert/strict";
import {
  FrameDecoder,
  type Frame,
  type FrameDecoderOptions,
  type FrameFaultCode,
} from "../../runtime/index.js";

export type StreamOptions = Omit<
  FrameDecoderOptions,
  "onMessage" | "onFrame" | "onFault" | "onNoise"
>;

/** A message and its frame's range in the stream. */
export interface MessageRecord {
  readonly kind: "message";
  readonly offset: number;
  readonly length: number;
  readonly headerLength: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The delivered body, one character per byte. */
  readonly body: string;
  /** The message as JSON; undefined if bodies are not parsed. */
  readonly json: string | undefined;
}

export interface ErrorRecord {
  readonly kind: "error";
  readonly offset: number;
  readonly length: number;
  readonly code: FrameFaultCode;
  readonly message: string;
  readonly sample: string;
  readonly recovered: boolean;
}

/**
 * Noise. Adjacent pieces are joined into one record, because their boundaries depend on how the
 * stream is split.
 */
export interface NoiseRecord {
  readonly kind: "noise";
  readonly offset: number;
  readonly length: number;
  /** The noise bytes, one character each. */
  readonly text: string;
}

export type StreamRecord = MessageRecord | ErrorRecord | NoiseRecord;

export interface RecordSettings {
  /** Whether bodies are parsed (`onMessage`) or delivered as bytes (`onFrame`). Default: true. */
  readonly isParsed?: boolean;
}

/**
 * Pushes a stream split at the given offsets. Each piece is a copy that is then overwritten,
 * because a decoder must not hold on to chunks.
 */
export function pushPieces(
  decoder: { push(bytes: Uint8Array): unknown },
  bytes: Uint8Array,
  cuts: readonly number[],
): void {
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    const piece = Uint8Array.from(bytes.subarray(start, end));
    decoder.push(piece);
    piece.fill(0x7b);
    start = end;
  }
}

/**
 * Decodes a stream split at the given offsets and returns what the decoder reports. Does not catch
 * exceptions from the decoder.
 */
export function recordStream(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: StreamOptions,
  { isParsed = true }: RecordSettings = {},
): readonly StreamRecord[] {
  const records: StreamRecord[] = [];
  const keepFrame = (frame: Frame, json?: string): void => {
    const { offset, headerLength, bodyLength, headers, body } = frame;
    const length = headerLength + bodyLength;
    const text = latin1(body);
    const kind = "message";
    records.push({ kind, offset, length, headerLength, headers: [...headers], body: text, json });
  };
  const decoder = new FrameDecoder({
    ...options,
    ...(isParsed
      ? { onMessage: (message, frame) => keepFrame(frame, JSON.stringify(message)) }
      : { onFrame: (frame) => keepFrame(frame) }),
    onFault: ({ code, message, offset, length, sample, recovered }) =>
      records.push({ kind: "error", offset, length, code, message, sample, recovered }),
    onNoise: (part, offset) => {
      const text = latin1(part);
      const last = records.at(-1);
      const isNext = last?.kind === "noise" && last.offset + last.length === offset;
      if (!isNext) records.push({ kind: "noise", offset, length: part.length, text });
      else {
        const length = last.length + part.length;
        records[records.length - 1] = { ...last, length, text: last.text + text };
      }
    },
  });
  pushPieces(decoder, bytes, cuts);
  decoder.end();
  return records;
}

/**
 * Returns whether a gap between two ranges is allowed. Two kinds of bytes belong to no range: a
 * byte order mark at the start of the stream, and line endings that precede a header or follow a
 * line. The last line ending may be incomplete.
 */
export function isSeparator(bytes: Uint8Array, start: number, end: number): boolean {
  const hasMark = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let at = hasMark ? 3 : start; at < end; at++) {
    if (bytes[at] === 0x0d && at + 1 === bytes.length) return true;
    if (bytes[at] === 0x0d && at + 1 < end) at++;
    if (bytes[at] !== 0x0a) return false;
  }
  return true;
}

export interface TilingSettings {
  /** Whether decoding stops at the first fault. If so, the bytes after it belong to no range. */
  readonly isStrict?: boolean;
  /** Whether a gap between ranges is allowed. Default: `isSeparator`. */
  readonly isGap?: (bytes: Uint8Array, start: number, end: number) => boolean;
}

/**
 * Returns the reason why the ranges of a recording do not cover the stream, or undefined if they
 * do.
 * Messages, noise and errors must follow each other in stream order, without overlaps and without
 * gaps other than separators. Two kinds of errors have no bytes of their own: `ERR_NOISE` spans
 * exactly the noise since the last message or error, and a recovered error repeats the range of the
 * message before it.
 */
export function findTilingFault(
  bytes: Uint8Array,
  records: readonly StreamRecord[],
  { isStrict = false, isGap = isSeparator }: TilingSettings = {},
): string | undefined {
  let place = 0;
  let message: MessageRecord | undefined;
  let noise: { start: number; end: number } | undefined;
  let hasFailed = false;
  const shown = (record: StreamRecord): string =>
    `${record.kind === "error" ? record.code : record.kind} ${record.offset}+${record.length}`;
  for (const record of records) {
    const { kind, offset, length } = record;
    const end = offset + length;
    if (hasFailed) return `${shown(record)} follows the fault that stopped the decoder`;
    if (kind === "error" && record.code === "ERR_NOISE") {
      if (noise === undefined) return `${shown(record)} summarises no noise`;
      if (offset !== noise.start || end !== noise.end)
        return `${shown(record)} does not span the noise ${noise.start}+${noise.end - noise.start}`;
      noise = undefined;
      hasFailed = isStrict;
      continue;
    }
    if (kind === "error" && record.recovered) {
      if (message === undefined || message.offset !== offset || message.length !== length)
        return `${shown(record)} is not the range of the message before it`;
      hasFailed = isStrict && record.code !== "ERR_HANDLER";
      continue;
    }
    // If messages are not JSON, a single body can contain several of them.
    if (kind === "message" && message?.offset === offset && message.length === length) continue;
    if (length <= 0) return `${shown(record)} has no bytes`;
    if (offset < place) return `${shown(record)} overlaps what ends at ${place}`;
    if (!isGap(bytes, place, offset)) return `a gap from ${place} to ${shown(record)}`;
    if (end > bytes.length) return `${shown(record)} ends after the stream's end ${bytes.length}`;
    if (kind === "noise") {
      if (record.text !== latin1(bytes.subarray(offset, end)))
        return `${shown(record)} shows other bytes`;
      noise = { start: noise?.start ?? offset, end };
    } else if (noise !== undefined) return `${shown(record)} precedes the summary of its noise`;
    if (kind === "message" && !endsWithBody(bytes, record))
      return `${shown(record)} has its body in a different place`;
    if (kind === "error") hasFailed = isStrict;
    message = kind === "message" ? record : undefined;
    place = end;
  }
  if (hasFailed) return undefined;
  if (noise !== undefined) return `noise from ${noise.start} on is never summarised`;
  return isGap(bytes, place, bytes.length) ? undefined : `a gap from ${place} to the end`;
}

/** Returns whether the delivered body equals the bytes after the header. */
function endsWithBody(bytes: Uint8Array, { offset, headerLength, length, body }: MessageRecord) {
  return latin1(bytes.subarray(offset + headerLength, offset + length)) === body;
}

export interface OracleSettings extends RecordSettings {
  /** Whether a gap between ranges is allowed. Default: `isSeparator`. */
  readonly isGap?: TilingSettings["isGap"];
}

/**
 * Asserts what must hold for any stream: nothing is thrown, the ranges cover the stream, and every
 * way of splitting the stream gives the same records.
 * @returns The records.
 */
export function assertStreamHolds(
  bytes: Uint8Array,
  cutLists: Iterable<readonly number[]>,
  options: StreamOptions,
  settings: OracleSettings = {},
): readonly StreamRecord[] {
  const where = (cuts: readonly number[]): string =>
    `${showBytes(bytes)} split at [${cuts.slice(0, 40).join()}], ${JSON.stringify(options)}`;
  const record = (cuts: readonly number[]): readonly StreamRecord[] => {
    try {
      return recordStream(bytes, cuts, options, settings);
    } catch (error) {
      throw new assert.AssertionError({
        message: `the decoder threw ${String(error)} for ${where(cuts)}`,
      });
    }
  };
  const whole = record([]);
  const isStrict = options.recovery === "strict";
  const { isGap = isSeparator } = settings;
  const fault = findTilingFault(bytes, whole, { isStrict, isGap });
  assert.equal(fault, undefined, `ranges do not cover ${where([])}`);
  for (const cuts of cutLists) assert.deepEqual(record(cuts), whole, where(cuts));
  return whole;
}

/**
 * Writes bytes as a literal for a test case, with `\r`, `\n` and `\xNN` for bytes that are not
 * printable ASCII.
 */
function showBytes(bytes: Uint8Array): string {
  const text = latin1(bytes.length > 4_000 ? bytes.subarray(0, 4_000) : bytes);
  const shown = JSON.stringify(text).replaceAll(
    /\\u00([0-9a-f]{2})|[\x7f-\xff]/g,
    (unit, hex?: string) => `\\x${hex ?? unit.charCodeAt(0).toString(16)}`,
  );
  return bytes.length > 4_000 ? `${shown}… (${bytes.length} bytes)` : shown;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
