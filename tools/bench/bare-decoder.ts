/** The largest size at which copying in a loop is faster than a native call. */
const shortBytes = 64;

/** Length of the shortest frame: a header and `{}`. */
const leastBytes = 23;

/**
 * A minimal decoder that supports only the canonical header and performs no checks or recovery. It
 * shows how much chunk handling and `JSON.parse` cost in any decoder that handles one message at a
 * time.
 */
export class BareDecoder {
  readonly #each: (message: unknown) => void;
  #bytes: Buffer = Buffer.allocUnsafeSlow(65536);
  #length = 0;
  /** A complete header cannot end before this index. */
  #needed = leastBytes;

  constructor(each: (message: unknown) => void) {
    this.#each = each;
  }

  push(chunk: Buffer): void {
    const { length } = chunk;
    if (this.#length === 0 && length > 1) {
      this.#read(chunk, length);
      return;
    }
    if (this.#length + length > this.#bytes.length) this.#grow(this.#length + length);
    if (length === 1) this.#bytes[this.#length++] = chunk[0]!;
    else this.#append(chunk, 0);
    if (this.#length >= this.#needed) this.#read(this.#bytes, this.#length);
  }

  #append(chunk: Buffer, from: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    this.#length += chunk.length - from;
    if (chunk.length - from > shortBytes) bytes.set(from === 0 ? chunk : chunk.subarray(from), at);
    else for (; from < chunk.length; from++) bytes[at++] = chunk[from]!;
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#needed, needed));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }

  #read(bytes: Buffer, end: number): void {
    let start = 0;
    for (this.#needed = leastBytes; end - start >= leastBytes;) {
      let at = start + 16;
      let length = 0;
      for (let byte = bytes[at]!; byte >= 0x30 && at < end; byte = bytes[++at]!)
        length = length * 10 + byte - 0x30;
      at += 4;
      const stop = at + length;
      if (stop > end) {
        this.#needed = at > end ? end - start + 1 : stop - start;
        break;
      }
      this.#each(JSON.parse(bytes.toString("utf8", at, stop)));
      start = stop;
    }
    if (bytes === this.#bytes) {
      if (start === 0) return;
      bytes.copyWithin(0, start, end);
      this.#length = end - start;
      return;
    }
    if (end - start > this.#bytes.length) this.#grow(end - start);
    if (start < end) this.#append(bytes, start);
  }
}
