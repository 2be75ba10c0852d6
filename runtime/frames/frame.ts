import { noBytes } from "../base/byte-buffer.js";

/** The name of the canonical header, with its colon and space. */
export const headerName = "Content-Length: ";
export const headerNameBytes: Uint8Array = /* @__PURE__ */ Uint8Array.from(headerName, (letter) =>
  letter.charCodeAt(0),
);

/** A message as received. The object is valid only during the call to which it is passed. */
export interface Frame {
  /** Stream offset of the header, or of the line in framings without headers. */
  readonly offset: number;
  /** Number of bytes before the body, including unreadable header lines. */
  readonly headerLength: number;
  readonly bodyLength: number;
  /** Headers other than `Content-Length`, keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /**
   * The bytes of the body, as a view of the decoder's memory. Copy them if you need to keep them.
   */
  readonly body: Uint8Array;
  /**
   * A copy of all bytes of the frame. `Content-Length` is the body's actual length, and unreadable
   * header lines are omitted.
   */
  readonly raw: Uint8Array;
}

const noHeaders: ReadonlyMap<string, string> = /* @__PURE__ */ new Map<string, string>();

/** The frame object of a decoder, reused for every message. */
export class CurrentFrame implements Frame {
  offset = 0;
  headerLength = 0;
  headers: ReadonlyMap<string, string> = noHeaders;
  /** The header as text, unless the header is canonical. */
  header: string | undefined;
  #bytes: Uint8Array = noBytes;
  #start = 0;
  #end = 0;
  /** Bytes after the body that belong to the frame, such as a line ending. */
  trailer = "";

  /** Sets the header. Pass `header` and `headers` only if the header is not canonical. */
  begin(
    offset: number,
    headerLength: number,
    header?: string,
    headers: ReadonlyMap<string, string> = noHeaders,
  ): void {
    this.offset = offset;
    this.headerLength = headerLength;
    // These values rarely change, and comparing them is cheaper than storing them.
    if (this.header !== header) this.header = header;
    if (this.headers !== headers) this.headers = headers;
  }

  setBody(bytes: Uint8Array, start: number, end: number): void {
    if (this.#bytes !== bytes) this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  release(): void {
    this.setBody(noBytes, 0, 0);
  }

  get bodyLength(): number {
    return this.#end - this.#start;
  }

  get body(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  get raw(): Uint8Array {
    const header = this.#rawHeader();
    const bytes = new Uint8Array(header.length + this.bodyLength + this.trailer.length);
    for (let at = 0; at < header.length; at++) bytes[at] = header.charCodeAt(at);
    bytes.set(this.body, header.length);
    const rest = bytes.length - this.trailer.length;
    for (let at = 0; at < this.trailer.length; at++) bytes[rest + at] = this.trailer.charCodeAt(at);
    return bytes;
  }

  /** Returns the header with the body's actual length. */
  #rawHeader(): string {
    const { header, bodyLength } = this;
    if (header === undefined)
      return this.headerLength === 0 ? "" : `${headerName}${bodyLength}\r\n\r\n`;
    return header.replaceAll(
      /^(content-length[ \t]*:[ \t]*)([0-9]+)/gim,
      (line: string, name: string, digits: string) =>
        Number(digits) === bodyLength ? line : name + bodyLength,
    );
  }
}

/** Size of a binary length in bytes, and its byte order. */
export interface LengthField {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
}

/**
 * Returns the binary length that precedes each body in a framing, or undefined if there is none.
 */
export function lengthFieldOf(framing: string): LengthField | undefined {
  const match = /^uint(32|64)-([bl])e$/.exec(framing);
  return match === null
    ? undefined
    : { size: match[1] === "32" ? 4 : 8, isLittle: match[2] === "l" };
}

/** Writes a length that ends at an index. */
export function writeLength(
  bytes: Uint8Array,
  end: number,
  { size, isLittle }: LengthField,
  length: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + end - size, size);
  const [high, low] = [Math.floor(length / 2 ** 32), length % 2 ** 32];
  view.setUint32(isLittle || size === 4 ? 0 : 4, low, isLittle);
  if (size === 8) view.setUint32(isLittle ? 4 : 0, high, isLittle);
}

/** Reads a length. Lengths of 2^53 or more are inexact, but exceed every limit anyway. */
export function readLength(
  bytes: Uint8Array,
  start: number,
  { size, isLittle }: LengthField,
): number {
  let length = 0;
  for (let index = 0; index < size; index++)
    length = length * 256 + bytes[start + (isLittle ? size - 1 - index : index)]!;
  return length;
}
