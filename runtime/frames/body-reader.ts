import { readLargeUtf8, readStrictUtf8, readUtf8 } from "../base/buffer-methods.js";
import { noBytes } from "../base/byte-buffer.js";
import {
  byteOrderMark,
  mayNestDeeper,
  parsedNestsWithin,
  textNestsWithin,
} from "../json/json-scan.js";
import { visibleText, type FrameFaultCode, type FrameLimits } from "./frame-faults.js";

export interface BodyFault {
  readonly code: FrameFaultCode;
  readonly message: string;
}

/**
 * Size, in UTF-16 units, above which a body that consists mostly of brackets is scanned before
 * parsing: once parsed, a level takes several times as much memory as its text. Other bodies are
 * checked after parsing, so that invalid JSON is reported first.
 */
const minScannedUnits = 0x20_0000;

/** Units for each opening bracket in bodies that consist mostly of brackets. */
const denseUnits = 8;

/** Parses bodies as JSON objects. */
export class BodyReader {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #text: TextReader;
  /** Why the last `read` returned undefined. */
  fault: BodyFault = { code: "ERR_JSON", message: "Cannot read the body" };

  constructor(limits: FrameLimits, strict: boolean, invalidUtf8: "replace" | "error") {
    this.#limits = limits;
    this.#strict = strict;
    this.#text = new TextReader(invalidUtf8 === "error");
  }

  /** Called before the bodies in a chunk are read. */
  open(chunk: Uint8Array): void {
    this.#text.open(chunk);
  }

  /**
   * Called after each chunk. Releases the chunk, because its memory may be reused for the next one.
   */
  close(): void {
    this.#text.close();
  }

  /** Parses the object in a range. If there is none, sets `fault` and returns undefined. */
  read(bytes: Uint8Array, start: number, end: number): object | undefined {
    if (!this.#strict) start += byteOrderMark(bytes, start, end);
    const { maxDepth } = this.#limits;
    let value: unknown;
    let mayBeDeep = false;
    try {
      const json = this.#text.read(bytes, start, end);
      if (json === undefined) return this.#fail("ERR_UTF8", "Cannot read a body that is not UTF-8");
      // Each level of nesting takes at least two UTF-16 units.
      mayBeDeep = json.length > maxDepth * 2 && mayNestDeeper(json, maxDepth);
      if (
        mayBeDeep &&
        json.length > minScannedUnits &&
        mayNestDeeper(json, json.length / denseUnits) &&
        !textNestsWithin(bytes, start, end, maxDepth)
      )
        return this.#failDepth();
      value = JSON.parse(json);
    } catch (error) {
      // Decoding also throws if a body exceeds the maximum string length.
      const why = visibleText((error as Error).message, 120);
      return this.#fail("ERR_JSON", `Cannot parse the body: ${why}`);
    }
    if (Array.isArray(value))
      return this.#fail("ERR_NOT_OBJECT", "Cannot use an array: each message has its own frame");
    if (typeof value !== "object" || value === null)
      return this.#fail("ERR_NOT_OBJECT", "Cannot use a body that is not an object");
    if (mayBeDeep && !parsedNestsWithin(value, bytes, start, end, maxDepth))
      return this.#failDepth();
    return value;
  }

  #failDepth(): undefined {
    const { maxDepth } = this.#limits;
    return this.#fail("ERR_DEPTH", `Cannot use a body nested more than ${maxDepth} levels deep`);
  }

  #fail(code: FrameFaultCode, message: string): undefined {
    this.fault = { code, message };
    return undefined;
  }
}

/** Size of a window: the number of bytes decoded at once, which may span several bodies. */
const windowBytes = 0x2000;

/** Maximum size of a body that is decoded as part of a window: an eighth of the window. */
const maxBodyBytes = 1024;

/**
 * Number of consecutive ASCII bodies after which the decoder expects the next bytes to be ASCII,
 * too.
 */
const minAsciiBodies = 32;

/**
 * Decodes bodies to text.
 *
 * The host's decoder is the fastest way to decode a body, but calling it costs about as much as
 * decoding a few hundred bytes. Small ASCII bodies in a large chunk are therefore decoded together.
 */
class TextReader {
  readonly #isStrict: boolean;
  #chunk: Uint8Array = noBytes;
  /** The window's decoded text and its range; empty if there is no window. */
  #text = "";
  #start = 0;
  #end = 0;
  /** Number of consecutive ASCII bodies so far. */
  #asciiBodies = 0;

  /**
   * @param isStrict Whether `read` returns undefined for ill-formed UTF-8 instead of replacing it.
   */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** Allows windows in a chunk, whose bytes must not change until `close` is called. */
  open(chunk: Uint8Array): void {
    if (chunk.length >= windowBytes) this.#chunk = chunk;
  }

  /** Releases the chunk. */
  close(): void {
    this.#chunk = noBytes;
    this.#text = "";
    this.#start = this.#end = 0;
  }

  /**
   * Returns the text in a range, or undefined if the text is ill-formed and the reader is strict.
   */
  read(bytes: Uint8Array, start: number, end: number): string | undefined {
    const text =
      bytes === this.#chunk && end - start <= maxBodyBytes
        ? this.#readInWindow(start, end)
        : readLargeUtf8(bytes, start, end);
    return this.#isStrict && text.includes("\ufffd") ? readStrictUtf8(bytes, start, end) : text;
  }

  #readInWindow(start: number, end: number): string {
    if ((start < this.#start || end > this.#end) && !this.#openWindow(start)) {
      const text = readUtf8(this.#chunk, start, end);
      this.#asciiBodies = text.length === end - start ? this.#asciiBodies + 1 : 0;
      return text;
    }
    return this.#text.substring(start - this.#start, end - this.#start);
  }

  /**
   * Decodes a window if its bytes are probably ASCII. Returns false if the window cannot be used.
   */
  #openWindow(start: number): boolean {
    const end = start + windowBytes;
    if (this.#asciiBodies < minAsciiBodies || end > this.#chunk.length) return false;
    const text = readUtf8(this.#chunk, start, end);
    // With one unit per byte, ranges of the text correspond to ranges of the bytes.
    if (text.length !== windowBytes) {
      this.#asciiBodies = 0;
      return false;
    }
    this.#text = text;
    this.#start = start;
    this.#end = end;
    return true;
  }
}
