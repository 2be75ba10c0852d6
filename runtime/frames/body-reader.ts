import { visibleText, type FrameErrorCode, type FrameLimits } from "./frame-errors.js";
import { TextReader } from "../json/body-text.js";
import { byteOrderMark } from "../json/json-scan.js";
import {
  mayNestDeeper,
  nestsWithin,
  hasMoreBrackets,
  textNestsWithin,
} from "../json/json-depth.js";

/** What is wrong with a body. */
export interface BodyFault {
  readonly code: FrameErrorCode;
  readonly message: string;
}

/**
 * From here on a body with many brackets is scanned before it is parsed: levels would take several times the memory of
 * its text. With fewer brackets, or in a smaller body, it is cheaper to walk the value.
 */
const minScannedUnits = 2 * 1024 * 1024;
const unitsPerBracket = 32;

/** Reads bodies as JSON objects: one decoder's scratch and settings. */
export class BodyReader {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  /** Bodies that lie in chunks, and those that were collected from several: each has its array's state. */
  readonly #chunkText: TextReader;
  readonly #collectedText: TextReader;
  #collectedBytes: Uint8Array | undefined;
  /** Why the last `read` answered undefined. */
  fault: BodyFault = { code: "ERR_JSON", message: "Cannot read the body" };

  constructor(limits: FrameLimits, strict: boolean, invalidUtf8: "replace" | "error") {
    this.#limits = limits;
    this.#strict = strict;
    this.#chunkText = new TextReader(invalidUtf8 === "error");
    this.#collectedText = new TextReader(invalidUtf8 === "error");
  }

  /** Must be called before a collected body is read. */
  open(bytes: Uint8Array, start: number, end: number): void {
    this.#collectedBytes = bytes;
    this.#collectedText.open(bytes, start, end);
  }

  /** Must be called behind a chunk: the next one may use the same memory, and a large body must not be kept. */
  close(): void {
    this.#chunkText.close();
    this.#collectedText.close();
    this.#collectedBytes = undefined;
  }

  /** The object in a range; undefined, with `fault` set, if there is none. */
  read(bytes: Uint8Array, start: number, end: number): object | undefined {
    if (!this.#strict) start += byteOrderMark(bytes, start, end);
    const text = bytes === this.#collectedBytes ? this.#collectedText : this.#chunkText;
    const { maxDepth } = this.#limits;
    let value: unknown;
    let mayBeDeep = false;
    try {
      const json = text.read(bytes, start, end);
      if (json === undefined) return this.#fail("ERR_UTF8", "Cannot read a body that is not UTF-8");
      // A level takes two units at least.
      mayBeDeep = json.length > maxDepth * 2 && mayNestDeeper(json, maxDepth);
      if (
        mayBeDeep &&
        json.length > minScannedUnits &&
        hasMoreBrackets(json, json.length / unitsPerBracket)
      ) {
        if (!textNestsWithin(bytes, start, end, maxDepth)) return this.#failDepth();
        mayBeDeep = false;
      }
      value = JSON.parse(json);
    } catch (error) {
      // A body can also be longer than a text of the host.
      const why = visibleText((error as Error).message, 120);
      return this.#fail("ERR_JSON", `Cannot parse the body: ${why}`);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.#fail("ERR_NOT_OBJECT", "Cannot use a body that is no object");
    }
    if (mayBeDeep && !nestsWithin(value, maxDepth)) return this.#failDepth();
    return value;
  }

  #failDepth(): undefined {
    const { maxDepth } = this.#limits;
    return this.#fail("ERR_DEPTH", `Cannot use a body nested more than ${maxDepth} levels deep`);
  }

  #fail(code: FrameErrorCode, message: string): undefined {
    this.fault = { code, message };
    return undefined;
  }
}
