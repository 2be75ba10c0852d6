import type { TextDecoderClass, TextEncoderClass } from "./web-standards.js";

/**
 * Methods that Node's `Buffer` adds to byte arrays. Where available, they replace slower standard
 * methods. Results are the same with and without them.
 */
interface NativeBytes {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
  utf8Write(this: Uint8Array, text: string, offset: number, length: number): number;
  indexOf(this: Uint8Array, value: number | string, from: number, encoding?: "latin1"): number;
}

interface NativeBuffer {
  readonly prototype: NativeBytes;
  /** Allocates uninitialized memory. */
  allocUnsafeSlow(length: number): Uint8Array;
  /** Returns the number of bytes in a string's UTF-8 form. */
  byteLength(text: string): number;
}

/** Node's `Buffer`, or undefined if a method is missing. */
const host: NativeBuffer | undefined = /* @__PURE__ */ findBuffer();
const native: NativeBytes | undefined = /* @__PURE__ */ prototypeOf(host);

// This is a function so that bundlers can omit it from programs that do not handle bytes.
function findBuffer(): NativeBuffer | undefined {
  const buffer = (globalThis as { Buffer?: Partial<NativeBuffer> }).Buffer;
  return typeof buffer?.allocUnsafeSlow === "function" &&
    typeof buffer.byteLength === "function" &&
    (["latin1Slice", "utf8Slice", "utf8Write", "indexOf"] as const).every(
      (name) => typeof buffer.prototype?.[name] === "function",
    )
    ? (buffer as NativeBuffer)
    : undefined;
}

function prototypeOf(buffer: NativeBuffer | undefined): NativeBytes | undefined {
  return buffer?.prototype;
}

/**
 * Allocates uninitialized memory. On Node, this is a `Buffer`, which streams accept without
 * conversion.
 */
export function allocateBytes(length: number): Uint8Array {
  return host === undefined ? new Uint8Array(length) : host.allocUnsafeSlow(length);
}

/** Returns a view of a range. `Buffer.subarray` would create a `Buffer`, which is slower. */
function viewOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return end - start === bytes.length
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
}

/** Maximum number of bytes that a loop can decode faster than a native call. */
const shortRun = 24;

/** Decodes bytes as Latin-1. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  if (native !== undefined && end - start > shortRun)
    return native.latin1Slice.call(bytes, start, end);
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

/** Maximum number of bytes that a loop can copy faster than a bulk copy. */
const shortBytes = 12;

declare const TextDecoder: TextDecoderClass;
declare const TextEncoder: TextEncoderClass;
const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8, using replacement characters for ill-formed sequences. Keeps a byte order mark.
 */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  return native === undefined
    ? decoder.decode(bytes.subarray(start, end))
    : native.utf8Slice.call(bytes, start, end);
}

/** Number of bytes above which Node keeps Latin-1 strings outside the heap. */
const largeText = 0x10_0000;

/** Node's test for ASCII, which `Buffer` does not have. */
interface BufferModule {
  isAscii?(bytes: Uint8Array): boolean;
}

/**
 * Decodes UTF-8 like `readUtf8`. Before Node 24, decoding a large ASCII text as Latin-1 takes a
 * fraction of the time.
 */
export function readLargeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const { process } = globalThis as { process?: { getBuiltinModule?(id: string): BufferModule } };
  return end - start > largeText &&
    process?.getBuiltinModule?.("node:buffer").isAscii?.(viewOf(bytes, start, end)) === true
    ? latin1(bytes, start, end)
    : readUtf8(bytes, start, end);
}

/** Decodes UTF-8. Returns undefined if it is ill-formed. */
export function readStrictUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}

/**
 * Writes text as UTF-8, using replacement characters for lone surrogates. The caller reserves
 * `utf8Room` bytes.
 *
 * @returns The number of bytes written.
 */
export function writeUtf8(bytes: Uint8Array, text: string, at: number): number {
  return native === undefined
    ? encoder.encodeInto(text, bytes.subarray(at)).written
    : native.utf8Write.call(bytes, text, at, bytes.length - at);
}

/**
 * Maximum number of UTF-16 units for which reserving too many bytes is cheaper than counting them.
 */
const fewUnits = 0x4000;

/**
 * Returns the number of bytes to reserve for a string, which is at least its length in UTF-8.
 *
 * @param units Number of UTF-16 units in all the strings that are written together.
 */
export function utf8Room(text: string, units: number): number {
  return host === undefined || units <= fewUnits ? text.length * 3 : host.byteLength(text);
}

/** Copies a range of one array into another. */
export function copyBytes(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  to: number,
): void {
  if (end - start < shortBytes) while (start < end) target[to++] = source[start++]!;
  else target.set(viewOf(source, start, end), to);
}

/** Returns the index of the first occurrence of a byte in a range, or -1. */
export function indexOfByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
  if (native !== undefined && end - start > 32) {
    // The native search runs to the end of the array, so limit it with a view.
    if (end === bytes.length) return native.indexOf.call(bytes, byte, start);
    const at = native.indexOf.call(viewOf(bytes, start, end), byte, 0);
    return at < 0 ? -1 : start + at;
  }
  for (let at = start; at < end; at++) if (bytes[at] === byte) return at;
  return -1;
}

/** Returns the index of the first line feed in a range, or -1. */
export function indexOfLineFeed(bytes: Uint8Array, start: number, end: number): number {
  return indexOfByte(bytes, 0x0a, start, end);
}

/** Returns the index of the first line feed in a range, or -1. Optimised for short lines. */
export function indexOfNearLineFeed(bytes: Uint8Array, start: number, end: number): number {
  const near = Math.min(end, start + shortRun);
  for (let at = start; at < near; at++) if (bytes[at] === 0x0a) return at;
  return near === end ? -1 : indexOfByte(bytes, 0x0a, near, end);
}

/** Returns the index of the first occurrence of an ASCII string at or after `start`, or -1. */
export function indexOfText(bytes: Uint8Array, text: string, start: number): number {
  if (native !== undefined) return native.indexOf.call(bytes, text, start, "latin1");
  const first = text.charCodeAt(0);
  for (let at = indexOfByte(bytes, first, start, bytes.length); at >= 0;) {
    let same = 1;
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++;
    if (same === text.length) return at;
    at = indexOfByte(bytes, first, at + 1, bytes.length);
  }
  return -1;
}
