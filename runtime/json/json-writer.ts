import type { ByteSlab } from "../base/byte-slab.js";
import { JsonBytes } from "./json-bytes.js";
import { hasInheritedFields } from "./json-depth.js";

/**
 * Nesting levels that are written here. A cycle is written this many times before it is noticed.
 */
const maxDepth = 32;
const comma = 0x2c;

/**
 * Writes objects as JSON directly into a slab. The output equals that of `JSON.stringify`, but no
 * intermediate string is created.
 *
 * Rare cases are left to `JSON.stringify`: `toJSON`, wrapped primitives, BigInt, deep nesting and
 * cycles.
 */
export class JsonWriter {
  readonly #out: JsonBytes;

  constructor(slab: ByteSlab) {
    this.#out = new JsonBytes(slab);
  }

  /**
   * Writes an object `gap` bytes after the memory that was handed out. The slab may reallocate.
   *
   * @returns The position after it, or -1 if it must be left to `JSON.stringify`.
   * @throws What a getter or proxy throws, or a RangeError if the result exceeds 256 MiB.
   */
  write(value: object, gap: number): number {
    if (typeof value !== "object" || hasInheritedFields() || Array.isArray(value)) return -1;
    return this.#writeObject(value, this.#out.begin(gap), 0);
  }

  #writeObject(value: object, start: number, depth: number): number {
    if (depth > maxDepth || (value as { toJSON?: unknown }).toJSON !== undefined) return -1;
    if (Object.getPrototypeOf(value) !== Object.prototype)
      return this.#writeInstance(value, start, depth);
    let at = start;
    let mark = 0x7b;
    for (const key in value) {
      const property = (value as Readonly<Record<string, unknown>>)[key];
      if (isOmitted(property)) continue;
      at = this.#writeValue(property, this.#out.name(key, mark, at), depth);
      if (at < 0) return -1;
      mark = comma;
    }
    return this.#close(mark, 0x7d, at);
  }

  /** Writes an instance of a class without its inherited properties. */
  #writeInstance(value: object, start: number, depth: number): number {
    let prototype = Object.getPrototypeOf(value) as object | null;
    while (prototype !== Object.prototype) {
      if (prototype === null || isWrapper(prototype)) return -1;
      prototype = Object.getPrototypeOf(prototype) as object | null;
    }
    let at = start;
    let mark = 0x7b;
    for (const key of Object.keys(value)) {
      const property = (value as Readonly<Record<string, unknown>>)[key];
      if (isOmitted(property)) continue;
      at = this.#writeValue(property, this.#out.name(key, mark, at), depth);
      if (at < 0) return -1;
      mark = comma;
    }
    return this.#close(mark, 0x7d, at);
  }

  #writeArray(value: readonly unknown[], start: number, depth: number): number {
    if (depth > maxDepth || (value as { toJSON?: unknown }).toJSON !== undefined) return -1;
    let at = start;
    let mark = 0x5b;
    const { length } = value;
    for (let index = 0; index < length; index++) {
      const element = value[index];
      at = this.#out.mark(mark, at);
      at = this.#writeValue(isOmitted(element) ? null : element, at, depth);
      if (at < 0) return -1;
      mark = comma;
    }
    return this.#close(mark, 0x5d, at);
  }

  /** Closes an object or array. `mark` is what the next element would have been preceded by. */
  #close(mark: number, end: number, start: number): number {
    return this.#out.mark(end, mark === comma ? start : this.#out.mark(mark, start));
  }

  #writeValue(value: unknown, at: number, depth: number): number {
    if (typeof value === "string") return this.#out.string(value, at);
    if (typeof value === "number") return this.#out.number(value, at);
    if (typeof value === "object" && value !== null) {
      return Array.isArray(value)
        ? this.#writeArray(value, at, depth + 1)
        : this.#writeObject(value, at, depth + 1);
    }
    if (typeof value === "bigint") return -1;
    return this.#out.literal(value === true ? "true" : value === false ? "false" : "null", at);
  }
}

/** Whether JSON omits properties with this value. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** Whether instances of a prototype are written as the primitive that they wrap. */
function isWrapper(prototype: object): boolean {
  return (
    prototype === Boolean.prototype ||
    prototype === Number.prototype ||
    prototype === String.prototype ||
    prototype === BigInt.prototype
  );
}
