/** Most bytes that a loop copies faster than the host. */
const shortBytes = 64;

/** Bytes of the shortest frame: its header, with an object of two braces. */
const leastBytes = 23;

/**
 * The least that a decoder can do: it knows the usual header only, believes it, checks nothing and recovers
 * from nothing. What it takes is what chunks and `JSON.parse` cost anybody who decodes a message at a time.
 */
export class BareDecoder {
  readonly #each: (message: unknown) => void;
  #bytes: Buffer = Buffer.allocUnsafeSlow(65536);
  #length = 0;
  /** Bytes before which it is of no use to look. */
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
