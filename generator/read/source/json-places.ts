import { pointerStep } from "../../../runtime/base/json-pointer.js";

/** Line and column, both 1-based. Columns are UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position of an offset in a text. */
export function positionOf(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The positions of all values in a JSON text, computed in one pass. The text must be valid. */
export class JsonPlaces {
  readonly #offsets = new Map<string, number>();
  /** Offset at which each line begins. */
  readonly #lines: number[] = [0];
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipBlanks();
    this.#readValue("");
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1))
      this.#lines.push(end + 1);
  }

  /** The position of the value at a JSON Pointer, or of the nearest value that contains it. */
  nearest(pointer: string): TextPosition {
    let prefix = pointer;
    while (prefix !== "" && !this.#offsets.has(prefix))
      prefix = prefix.slice(0, prefix.lastIndexOf("/"));
    const offset = this.#offsets.get(prefix)!;
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lines[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#lines[low]! + 1 };
  }

  /** Reads one value. Recursive, because the depth has been checked before. */
  #readValue(pointer: string): void {
    this.#offsets.set(pointer, this.#index);
    const opening = this.#text.charCodeAt(this.#index);
    if (opening === quote) this.#skipString();
    else if (opening === 0x7b || opening === 0x5b) this.#readParts(pointer, opening === 0x7b);
    else
      while (this.#index < this.#text.length && !/[\s,\]}]/.test(this.#text[this.#index]!))
        this.#index++;
  }

  #readParts(pointer: string, isObject: boolean): void {
    this.#index++;
    for (let count = 0; ; count++) {
      this.#skipBlanks();
      const code = this.#text.charCodeAt(this.#index);
      if (code === 0x7d || code === 0x5d) {
        this.#index++;
        return;
      }
      if (code === 0x2c) {
        this.#index++;
        count--;
        continue;
      }
      let key = String(count);
      if (isObject) {
        key = this.#readKey();
        this.#skipBlanks();
        this.#index++;
        this.#skipBlanks();
      }
      this.#readValue(pointer + pointerStep(key));
    }
  }

  #readKey(): string {
    const start = this.#index;
    this.#skipString();
    const text = this.#text.slice(start + 1, this.#index - 1);
    return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
  }

  #skipString(): void {
    for (let index = this.#index + 1; ; index++) {
      const code = this.#text.charCodeAt(index);
      if (code === 0x5c) index++;
      else if (code === quote) {
        this.#index = index + 1;
        return;
      }
    }
  }

  #skipBlanks(): void {
    for (let code = this.#text.charCodeAt(this.#index); code <= 0x20;)
      code = this.#text.charCodeAt(++this.#index);
  }
}

const quote = 0x22;
