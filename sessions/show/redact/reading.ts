/**
 * A string in its original or a decoded form. Each character is mapped to its position in the
 * original.
 */
export interface Reading {
  readonly text: string;
  /**
   * Where each character starts and ends in the original string. Undefined if this reading is the
   * original.
   */
  readonly places: Places | undefined;
}

interface Places {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A part of the original string. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds the part of the original string to which a part of a reading corresponds. */
export function spanOf({ places }: Reading, start: number, end: number): Span {
  if (places === undefined) return { start, end };
  return { start: places.starts[start] ?? 0, end: places.ends[end - 1] ?? 0 };
}

/** Builds a reading out of parts of another reading and decoded text. */
export class ReadingBuilder {
  readonly #from: Reading;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #parts: string[] = [];
  #bytes: (Span & { readonly byte: number })[] = [];

  constructor(from: Reading) {
    this.#from = from;
  }

  /** Copies a part of the other reading unchanged. */
  copy(start: number, end: number): void {
    if (start >= end) return;
    this.#flush();
    const { text, places } = this.#from;
    this.#parts.push(text.slice(start, end));
    for (let index = start; index < end; index++) {
      this.#starts.push(places === undefined ? index : places.starts[index]!);
      this.#ends.push(places === undefined ? index + 1 : places.ends[index]!);
    }
  }

  /** Replaces a part of the other reading with a string. */
  put(text: string, start: number, end: number): void {
    this.#flush();
    this.#put(text, spanOf(this.#from, start, end));
  }

  /**
   * Replaces a part of the other reading with a UTF-8 byte. If the byte does not belong to valid
   * UTF-8, it is read as Latin-1.
   */
  putByte(byte: number, start: number, end: number): void {
    this.#bytes.push({ byte, ...spanOf(this.#from, start, end) });
  }

  finish(): Reading {
    this.#flush();
    return { text: this.#parts.join(""), places: { starts: this.#starts, ends: this.#ends } };
  }

  #put(text: string, { start, end }: Span): void {
    this.#parts.push(text);
    for (let index = 0; index < text.length; index++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }

  #flush(): void {
    const bytes = this.#bytes;
    if (bytes.length === 0) return;
    this.#bytes = [];
    for (let index = 0; index < bytes.length;) {
      const { byte, start } = bytes[index]!;
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      const sequence = bytes.slice(index, index + length);
      const character = Buffer.from(sequence.map((each) => each.byte)).toString();
      const isWhole = sequence.length === length && !character.includes("\ufffd");
      this.#put(isWhole ? character : String.fromCharCode(byte), {
        start,
        end: (isWhole ? sequence.at(-1)! : bytes[index]!).end,
      });
      index += isWhole ? length : 1;
    }
  }
}

const ascii = /^[\0-\x7f]*$/;

/** Normalizes a string and converts it to lower case for comparison. */
export function folded(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return Array.from(text.normalize("NFD"), foldedCharacter).join("");
}

/** Converts a reading to the form used for comparison: normalized and in lower case. */
export function foldedReading(reading: Reading): Reading {
  const { text } = reading;
  if (ascii.test(text)) return { text: text.toLowerCase(), places: reading.places };
  const builder = new ReadingBuilder(reading);
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    builder.put(foldedCharacter(character.normalize("NFD")), at, end);
    at = end;
  }
  return builder.finish();
}

/**
 * Converts a single character to lower case by way of upper case, so that `ß` and `SS` compare as
 * equal. Characters are converted separately, because the result of `toLowerCase` can depend on
 * neighbouring characters.
 */
function foldedCharacter(character: string): string {
  return character.length === 1 && character < "\x80"
    ? character.toLowerCase()
    : Array.from(character.toUpperCase(), (each) => each.toLowerCase()).join("");
}
