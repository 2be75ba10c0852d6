import { isUtf8 } from "node:buffer";
import { maxMessageBytes } from "../../generator/base/memory-limits.js";
import type { Json } from "../../generator/model/types.js";
import { countKeys, joinPointer } from "../../generator/read/source/json-text.js";
import { noBytes } from "../../runtime/base/byte-buffer.js";
import { resolveOptions, type StreamDecoder } from "../../runtime/frames/decoder-options.js";
import { createFramedDecoder } from "../../runtime/frames/frame-decoder.js";
import type { Frame, FrameFault, JsonFraming } from "../../runtime/index.js";
import { isBlank, isClosing, isOpening, skipString } from "../../runtime/json/json-scan.js";
import type { ByteMark, EntryReader } from "./recorded-entry.js";

/**
 * Maximum number of bytes to keep after a frame while the next one is incomplete. No header is
 * longer.
 */
const keptBytes = 64 * 1024;

export interface MarkedHandlers {
  /** @param marks Quirks in the bytes of the message. Undefined if there are none. */
  onMessage(message: object, frame: Frame, marks?: readonly ByteMark[]): void;
  onFault(fault: FrameFault): void;
  onNoise(bytes: Uint8Array, offset: number): void;
}

/**
 * Decodes messages, and finds quirks in the bytes of frames that some readers cannot handle.
 *
 * The results do not depend on how the stream is split into chunks.
 */
export class MarkedDecoder implements EntryReader {
  readonly #decoder: StreamDecoder;
  readonly #hasHeaders: boolean;
  /** The current chunk and its offset in the stream. */
  #chunk: Uint8Array = noBytes;
  #base = 0;
  /** The first bytes after the latest frame and before the current chunk, and their offset. */
  #kept: Uint8Array = noBytes;
  #keptAt = 0;
  /** Offset at which the latest frame, stream fault or noise ends. */
  #end = 0;
  /** The length in the latest frame's header, and that of its body, if they differ. */
  #lengths: { readonly declared: number; readonly actual: number } | undefined;

  constructor(framing: JsonFraming, handlers: MarkedHandlers) {
    this.#hasHeaders = framing === "content-length";
    const options = resolveOptions({
      limits: { maxBodyBytes: maxMessageBytes },
      onMessage: (value, frame) => {
        const marks = this.#hasHeaders
          ? this.#marksOf(value, frame)
          : framing === "lines"
            ? bodyMarks(frame.body, value, frame.offset)
            : undefined;
        handlers.onMessage(value, frame, marks);
      },
      onFault: (given) => {
        this.#endAt(given.offset + given.length);
        handlers.onFault({ ...given, message: this.#textOf(given) });
      },
      onNoise: (bytes, offset) => {
        this.#endAt(offset + bytes.length);
        handlers.onNoise(bytes, offset);
      },
    });
    this.#decoder = createFramedDecoder(framing, options);
  }

  push(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#decoder.push(chunk);
    const end = this.#end;
    if (this.#hasHeaders)
      this.#kept = new Uint8Array(
        this.#read(end, Math.min(end + keptBytes, this.#base + chunk.length)),
      );
    this.#keptAt = end;
    this.#base += chunk.length;
    this.#chunk = noBytes;
  }

  end(): void {
    this.#decoder.end();
  }

  /** Describes a fault in the stream. For a wrong length, gives both numbers. */
  #textOf({ code, message, recovered }: FrameFault): string {
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
  #marksOf(message: object, frame: Frame): readonly ByteMark[] | undefined {
    const { offset, headerLength, bodyLength } = frame;
    const end = this.#end;
    this.#lengths = undefined;
    this.#endAt(offset + headerLength + bodyLength);
    const header = latin1(this.#read(offset, offset + headerLength));
    const isUsual = end === offset && header === `Content-Length: ${bodyLength}\r\n\r\n`;
    const marks = [
      ...(isUsual ? [] : this.#marksBefore(latin1(this.#read(end, offset)), header, frame)),
      ...(bodyMarks(frame.body, message, offset + headerLength) ?? []),
    ];
    return marks.length === 0 ? undefined : marks;
  }

  #marksBefore(gap: string, header: string, { offset, body }: Frame): readonly ByteMark[] {
    const marks: ByteMark[] = [];
    const start = offset - gap.length;
    if (start === 0 && gap.startsWith("\xef\xbb\xbf"))
      marks.push({ quirk: "stream-mark", offset: 0 });
    const lines = gap.split("\n").length - 1;
    if (lines === 1 && start > 0) marks.push({ quirk: "line-end-after", offset: start });
    else if (lines > 0) marks.push({ quirk: "blank-lines", offset: start, value: String(lines) });
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

  /** Returns the bytes of the stream between two offsets, as far as they are available. */
  #read(from: number, to: number): Uint8Array {
    const [base, keptAt] = [this.#base, this.#keptAt];
    const chunk = this.#chunk.subarray(Math.max(0, from - base), Math.max(0, to - base));
    if (from >= base) return chunk;
    const kept = from < keptAt ? noBytes : this.#kept.subarray(from - keptAt, to - keptAt);
    return from + kept.length === base ? Buffer.concat([kept, chunk]) : kept;
  }
}

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
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const isPlain = isUtf8(body) && countColons(body) === countKeys(message as Json);
  if (isPlain) return hasMark ? [{ quirk: "body-mark", offset }] : undefined;
  const marks = stringMarks(body, offset);
  return hasMark ? [{ quirk: "body-mark", offset }, ...marks] : marks;
}

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const brace = 0x7b;

/** Counts the colons outside of strings in valid JSON text, one for each key. */
function countColons(bytes: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === colon) count++;
    else if (byte === quote) index = skipString(bytes, index, bytes.length) - 1;
  }
  return count;
}

/**
 * Marks repeated keys, and strings with ill-formed UTF-8 at the first ill-formed byte. This is slow,
 * and meant only for bodies that have such quirks.
 */
function stringMarks(body: Uint8Array, offset: number): readonly ByteMark[] {
  const marks: ByteMark[] = [];
  /** The objects and arrays around the current string. Only objects have keys. */
  const open: { readonly keys?: Set<string>; step: string | number }[] = [];
  for (let index = 0, end = 0; index < body.length && marks.length < maxMarks; index = end) {
    end = index + 1;
    const byte = body[index]!;
    const inner = open.at(-1);
    if (isOpening(byte)) open.push(byte === brace ? { keys: new Set(), step: "" } : { step: 0 });
    else if (isClosing(byte)) open.pop();
    else if (byte === comma && typeof inner?.step === "number") inner.step++;
    if (byte !== quote) continue;
    end = skipString(body, index, body.length);
    const isKey = body.subarray(end).find((each) => !isBlank(each)) === colon;
    const key = isKey ? (JSON.parse(utf8.decode(body.subarray(index, end))) as string) : undefined;
    if (key !== undefined) inner!.step = key;
    const pointer = (): string => joinPointer("", ...open.map(({ step }) => step));
    const illFormed = firstIllFormed(body, index, end);
    if (illFormed >= 0) {
      const value = `0x${body[illFormed]!.toString(16).toUpperCase().padStart(2, "0")}`;
      marks.push({
        quirk: "ill-formed-utf8",
        offset: offset + illFormed,
        pointer: pointer(),
        value,
      });
    }
    if (key === undefined) continue;
    if (inner!.keys!.has(key))
      marks.push({ quirk: "duplicate-key", offset: offset + index, pointer: pointer() });
    inner!.keys!.add(key);
  }
  return marks.slice(0, maxMarks);
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

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
