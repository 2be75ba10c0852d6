import { visibleText, type FrameFaultCode, type FrameLimits } from "./frame-faults.js";
import { TextReader } from "../json/body-text.js";
import { byteOrderMark } from "../json/json-scan.js";
import { mayNestDeeper, textNestsWithin } from "../json/json-depth.js";

export interface BodyFault {
  readonly code: FrameFaultCode;
  readonly message: string;
}

/**
 * Size, in UTF-16 units, above which a body that may be nested too deeply is scanned before
 * parsing: once parsed, a level takes several times as much memory as its text. Smaller bodies are
 * scanned after parsing, so that invalid JSON is reported first.
 */
const minScannedUnits = 0x20_0000;

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
      if (mayBeDeep && json.length > minScannedUnits) {
        if (!textNestsWithin(bytes, start, end, maxDepth)) return this.#failDepth();
        mayBeDeep = false;
      }
      value = JSON.parse(json);
    } catch (error) {
      // Decoding also throws if a body exceeds the maximum string length.
      const why = visibleText((error as Error).message, 120);
      return this.#fail("ERR_JSON", `Cannot parse the body: ${why}`);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.#fail("ERR_NOT_OBJECT", "Cannot use a body that is not an object");
    }
    // Scanning the text takes constant time per byte. Walking the value is faster for arrays of
    // similar objects, but much slower for anything else.
    if (mayBeDeep && !textNestsWithin(bytes, start, end, maxDepth)) return this.#failDepth();
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
