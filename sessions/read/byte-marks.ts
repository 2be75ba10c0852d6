import type { Frame, FrameFault } from "../../runtime/index.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import type { ByteMark } from "./recorded-entry.js";
import { isUtf8 } from "node:buffer";
import { pointerStep } from "../../runtime/base/json-pointer.js";
import { isClosing, isOpening, skipString } from "../../runtime/json/json-scan.js";

/**
 * Maximum number of bytes to keep after a frame while the next one is incomplete. No header is
 * longer.
 */
const keptBytes = 64 * 1024;

/**
 * Runs alongside the decoder and finds quirks in the bytes of frames that some readers cannot
 * handle.
 *
 * The results do not depend on how the stream is split into chunks.
 */
export class FrameBytes {
  /** The current chunk and its offset in the stream. */
  #chunk: Uint8Array = empty;
  #base = 0;
  /** The first bytes after the latest frame and before the current chunk, and their offset. */
  #kept: Uint8Array = empty;
  #keptAt = 0;
  /** Offset at which the latest frame, stream fault or noise ends. */
  #end = 0;
  /** The length in the latest frame's header, and that of its body, if they differ. */
  #lengths: { readonly declared: number; readonly actual: number } | undefined;

  /**
   * Decodes a chunk by calling `decode`. It is only during this call that `marksOf` can read all
   * bytes of the chunk.
   */
  during(chunk: Uint8Array, decode: () => void): void {
    this.#chunk = chunk;
    decode();
    this.#keep(chunk);
    this.#base += chunk.length;
    this.#chunk = empty;
  }

  /** Skips bytes that are not a message. */
  skip(offset: number, length: number): void {
    this.#endAt(offset + length);
  }

  /** Describes a fault in the stream. For a wrong length, gives both numbers. */
  textOf({ code, message, recovered }: FrameFault): string {
    const lengths = this.#lengths;
    if (code !== "ERR_LENGTH_WRONG" || !recovered || lengths === undefined) return message;
    const { declared, actual } = lengths;
    const off = `${Math.abs(declared - actual)} too ${declared > actual ? "many" : "few"}`;
    return `The Content-Length is ${declared}, but the message has ${actual} bytes: ${off}`;
  }

  /**
   * Finds the quirks in the bytes of a message. Returns undefined if there are none.
   *
   * @param message The parsed message.
   */
  marksOf(message: object, frame: Frame): readonly ByteMark[] | undefined {
    const { offset, headerLength, bodyLength } = frame;
    const end = this.#end;
    this.#lengths = undefined;
    this.#endAt(offset + headerLength + bodyLength);
    const bytes = this.#read(offset, offset + headerLength);
    const header = bytes && latin1(bytes);
    const isUsual = end === offset && header === `Content-Length: ${bodyLength}\r\n\r\n`;
    const marks = [
      ...(isUsual
        ? []
        : this.#marksBefore(latin1(this.#read(end, offset) ?? empty), header, frame)),
      ...(bodyMarks(frame.body, message, offset + headerLength) ?? []),
    ];
    return marks.length === 0 ? undefined : marks;
  }

  #marksBefore(
    gap: string,
    header: string | undefined,
    { offset, body }: Frame,
  ): readonly ByteMark[] {
    const marks: ByteMark[] = [];
    const start = offset - gap.length;
    if (start === 0 && gap.startsWith("\xef\xbb\xbf"))
      marks.push({ quirk: "stream-mark", offset: 0 });
    const lines = gap.split("\n").length - 1;
    if (lines === 1 && start > 0) marks.push({ quirk: "line-end-after", offset: start });
    else if (lines > 0) marks.push({ quirk: "blank-lines", offset: start, value: String(lines) });
    if (header === undefined) return marks;
    marks.push(...headerMarks(header, offset));
    const declared = declaredLength(header);
    if (declared !== undefined && declared !== body.length)
      this.#lengths = { declared, actual: body.length };
    if (declared !== undefined && declared !== body.length && isLengthOf(body, declared))
      marks.push({
        quirk: "length-in-characters",
        offset,
        value: `${declared} instead of ${body.length}`,
      });
    return marks;
  }

  #endAt(end: number): void {
    if (end > this.#end) this.#end = end;
  }

  /** Keeps the first bytes after the latest frame for use with the next chunks. */
  #keep(chunk: Uint8Array): void {
    const end = this.#end;
    if (end >= this.#base) {
      this.#kept = chunk.slice(end - this.#base, end - this.#base + keptBytes);
      this.#keptAt = end;
      return;
    }
    if (end > this.#keptAt) {
      this.#kept = this.#kept.subarray(end - this.#keptAt);
      this.#keptAt = end;
    }
    const missing = keptBytes - this.#kept.length;
    // Only add bytes that directly follow the kept bytes, because a gap would make them useless.
    if (missing > 0 && this.#keptAt + this.#kept.length === this.#base)
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, missing)]);
  }

  /**
   * Reads bytes of the stream from the current chunk and the kept bytes. Returns undefined if they
   * are no longer available.
   */
  #read(from: number, to: number): Uint8Array | undefined {
    const base = this.#base;
    if (from >= base) return this.#chunk.subarray(from - base, to - base);
    const start = from - this.#keptAt;
    const head = start < 0 ? empty : this.#kept.subarray(start, to - this.#keptAt);
    if (to <= base) return head.length === to - from ? head : undefined;
    return from + head.length === base
      ? Buffer.concat([head, this.#chunk.subarray(0, to - base)])
      : undefined;
  }
}

const empty = new Uint8Array(0);

/** Returns whether `length` is the number of code points or UTF-16 code units in a body. */
function isLengthOf(body: Uint8Array, length: number): boolean {
  let points = 0;
  let pairs = 0;
  for (const byte of body) {
    if ((byte & 0xc0) !== 0x80) points++;
    if (byte >= 0xf0) pairs++;
  }
  return points === length || points + pairs === length;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/**
 * Matches a header line. Captures its name, its value, the white space around the colon, and the
 * line ending.
 */
const line = /^([^:\r\n]*?)([ \t]*):([ \t]*)([^\r\n]*?)[ \t]*(\r?\n)/;

/** Names of the headers defined by the protocols that use this framing. */
const defined: ReadonlySet<string> = new Set(["content-length", "content-type"]);

/**
 * Finds a header's quirks, line by line.
 *
 * @param text The header, including the blank line before the body, with one character per byte.
 * @param offset Offset of the header in its stream.
 */
function headerMarks(text: string, offset: number): readonly ByteMark[] {
  const marks = new Map<string, ByteMark>();
  let hasLength = false;
  let position = 0;
  const mark = (quirk: string, value?: string): void => {
    if (!marks.has(quirk))
      marks.set(quirk, {
        quirk,
        offset: offset + position,
        ...(value === undefined ? {} : { value: value.slice(0, maxValue) }),
      });
  };
  while (position < text.length) {
    const rest = text.slice(position);
    const [headerLine, name = "", before, after, , end] = line.exec(rest) ?? [];
    if (headerLine === undefined) {
      if (rest === "\n") mark("line-feed");
      break;
    }
    if (end === "\n") mark("line-feed");
    const lower = name.toLowerCase();
    if (lower === "content-length") {
      if (hasLength) mark("length-twice");
      hasLength = true;
      if (name !== "Content-Length") mark("name-case", name);
      if (before !== "") mark("space-before-colon");
      if (after === "") mark("no-space");
      else if (after !== " ") mark("more-space");
    } else {
      mark(hasLength ? "header-after" : "header-before", name);
      if (!defined.has(lower)) mark("other-header", name);
    }
    position += headerLine.length;
  }
  return [...marks.values()];
}

/** Maximum length of a reported name, in characters. */
const maxValue = 60;

/**
 * Returns the length that a header declares. Returns undefined if the header declares no length, or
 * more than one.
 */
function declaredLength(text: string): number | undefined {
  const lengths = [...text.matchAll(/^content-length[ \t]*:[ \t]*(\d+)/gim)];
  return lengths.length === 1 ? Number(lengths[0]![1]) : undefined;
}

/** Maximum number of marks per message. */
const maxMarks = 20;

/**
 * Finds quirks in the bytes of a body that was parsed as a message. Returns undefined if there are
 * none.
 * @param offset Offset of the body in its stream.
 */
export function bodyMarks(
  body: Uint8Array,
  message: object,
  offset: number,
): readonly ByteMark[] | undefined {
  const marks: ByteMark[] = [];
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  if (hasMark) marks.push({ quirk: "body-mark", offset });
  if (!isUtf8(body)) marks.push(...illFormed(body, offset));
  if (countKeys(body) !== keysIn(message)) marks.push(...repeatedKeys(body, offset));
  return marks.length === 0 ? undefined : marks.slice(0, maxMarks);
}

/** Counts the keys in a parsed value, at any depth. */
function keysIn(value: unknown): number {
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value as readonly unknown[])
      if (typeof item === "object" && item !== null) count += keysIn(item);
    return count;
  }
  if (!isObject(value)) return 0;
  let count = 0;
  for (const key in value) {
    count++;
    const property = value[key];
    if (typeof property === "object" && property !== null) count += keysIn(property);
  }
  return count;
}

function repeatedKeys(body: Uint8Array, offset: number): readonly ByteMark[] {
  const marks: ByteMark[] = [];
  visitStrings(body, ({ start, pointer, isRepeated }) => {
    if (isRepeated && marks.length < maxMarks)
      marks.push({ quirk: "duplicate-key", offset: offset + start, pointer });
  });
  return marks;
}

/** Adds a mark for each string that contains ill-formed UTF-8, at the first ill-formed byte. */
function illFormed(body: Uint8Array, offset: number): readonly ByteMark[] {
  const marks: ByteMark[] = [];
  visitStrings(body, ({ start, end, pointer }) => {
    if (marks.length === maxMarks) return;
    const index = firstIllFormed(body, start, end);
    if (index < 0) return;
    const value = `0x${body[index]!.toString(16).toUpperCase().padStart(2, "0")}`;
    marks.push({ quirk: "ill-formed-utf8", offset: offset + index, pointer, value });
  });
  return marks;
}

/** Returns the index of the first byte that does not begin a well-formed UTF-8 sequence, or -1. */
function firstIllFormed(bytes: Uint8Array, start: number, end: number): number {
  for (let index = start; index < end;) {
    const first = bytes[index]!;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (!isUtf8(bytes.subarray(index, Math.min(end, index + length)))) return index;
    index += length;
  }
  return -1;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;

/**
 * A string in JSON text, either a key or a value. `start` is the index of the opening quote, `end`
 * the index after the closing quote.
 */
interface JsonString {
  readonly start: number;
  readonly end: number;
  /** JSON Pointer to the value. For a key, JSON Pointer to the value that has this key. */
  readonly pointer: string;
  /** Whether the same object already contains this key. */
  readonly isRepeated: boolean;
}

/** An object or array that has begun but not yet ended. */
interface Level {
  readonly pointer: string;
  /** The keys read so far. Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the next value. */
  step: string | number;
  isKeyNext: boolean;
}

/**
 * Visits the keys and string values of valid JSON text, in order.
 *
 * This is slow and meant only for finding the location of a quirk.
 */
function visitStrings(bytes: Uint8Array, visit: (string: JsonString) => void): void {
  const levels: Level[] = [];
  const placeOf = (level: Level | undefined): string =>
    level === undefined ? "" : level.pointer + pointerStep(String(level.step));
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    const level = levels.at(-1);
    if (byte === quote) {
      const end = skipString(bytes, index, bytes.length);
      let isRepeated = false;
      if (level?.isKeyNext === true) {
        const key = JSON.parse(utf8.decode(bytes.subarray(index, end))) as string;
        isRepeated = level.keys!.has(key);
        level.keys!.add(key);
        level.step = key;
        level.isKeyNext = false;
      }
      visit({ start: index, end, pointer: placeOf(level), isRepeated });
      index = end - 1;
    } else if (isOpening(byte)) {
      const isObject = byte === openBrace;
      const keys = isObject ? new Set<string>() : undefined;
      levels.push({ pointer: placeOf(level), keys, step: 0, isKeyNext: isObject });
    } else if (isClosing(byte)) levels.pop();
    else if (byte === comma && level !== undefined) {
      if (typeof level.step === "number" && level.keys === undefined) level.step++;
      else level.isKeyNext = true;
    }
  }
}

/** Counts the keys in valid JSON text by counting the colons outside of strings. */
function countKeys(bytes: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === colon) count++;
    else if (byte === quote) index = skipString(bytes, index, bytes.length) - 1;
  }
  return count;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
