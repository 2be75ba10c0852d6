import type { FrameErrorCode, FrameLimits } from "./frame-errors.js";
import { TextReader } from "./body-text.js";
import { nestsWithin } from "./json-scan.js";

/** What is wrong with a body. */
export interface BodyFault {
  readonly code: FrameErrorCode;
  readonly message: string;
}

/** Reads bodies as JSON objects: one decoder's scratch and settings. */
export class BodyReader {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #text: TextReader;
  /** Why the last `read` answered undefined. */
  fault: BodyFault | undefined;

  constructor(limits: FrameLimits, strict: boolean, invalidUtf8: "replace" | "error") {
    this.#limits = limits;
    this.#strict = strict;
    this.#text = new TextReader(invalidUtf8 === "error");
  }

  /** Must be called before bodies of an array with new content are read. */
  open(bytes: Uint8Array, length?: number, words?: Uint32Array): void {
    this.#text.open(bytes, length, words);
  }

  close(): void {
    this.#text.close();
  }

  /** The object in a range; undefined, with `fault` set, if there is none. */
  read(bytes: Uint8Array, start: number, end: number): object | undefined {
    if (
      bytes[start] === 0xef &&
      !this.#strict &&
      bytes[start + 1] === 0xbb &&
      bytes[start + 2] === 0xbf
    )
      start += 3;
    const { maxDepth } = this.#limits;
    if (
      end - start > maxDepth * 2 &&
      !nestsWithin(bytes, this.#text.words(bytes), start, end, maxDepth)
    ) {
      return this.#fail("ERR_DEPTH", `Cannot read a body nested more than ${maxDepth} levels deep`);
    }
    const text = this.#text.read(bytes, start, end);
    if (text === undefined) return this.#fail("ERR_UTF8", "Cannot read a body that is not UTF-8");
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return this.#fail(
        "ERR_JSON",
        `Cannot parse the body: ${(error as Error).message.slice(0, 120)}`,
      );
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.#fail("ERR_NOT_OBJECT", "Cannot use a body that is no object");
    }
    return value;
  }

  #fail(code: FrameErrorCode, message: string): undefined {
    this.fault = { code, message };
    return undefined;
  }
}
