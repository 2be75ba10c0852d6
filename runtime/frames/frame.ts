/** What the usual header begins with. */
export const headerName = "Content-Length: ";
export const headerNameBytes: Uint8Array = /* @__PURE__ */ Uint8Array.from(headerName, (letter) =>
  letter.charCodeAt(0),
);

/** A message as it was on the wire. Valid only during the call that it is handed to. */
export interface Frame {
  /** Place in the stream of the first byte of its header, or of the line. */
  readonly offset: number;
  /** Bytes from there to the body, lines included that are no header lines. */
  readonly headerLength: number;
  readonly bodyLength: number;
  /** Headers other than `Content-Length`, names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's bytes, a view of the decoder's memory. Copy them to keep them. */
  readonly body: Uint8Array;
  /**
   * All bytes of the frame, a copy; its header announces the body's true length, whatever it said before, and has
   * no lines that are no header lines.
   */
  readonly raw: Uint8Array;
}

const empty = /* @__PURE__ */ new Uint8Array(0);
const noHeaders: ReadonlyMap<string, string> = /* @__PURE__ */ new Map<string, string>();

/** The one frame that a decoder fills anew for each message. */
export class CurrentFrame implements Frame {
  offset = 0;
  headerLength = 0;
  headers: ReadonlyMap<string, string> = noHeaders;
  /** The header as text, where it is not the usual one. */
  header: string | undefined;
  #bytes: Uint8Array = empty;
  #start = 0;
  #end = 0;
  /** Bytes that followed the body in the stream and belong to the frame: the end of a line. */
  trailer = "";

  /** Sets the header part; `header` and `headers` only for an unusual one. */
  begin(
    offset: number,
    headerLength: number,
    header?: string,
    headers: ReadonlyMap<string, string> = noHeaders,
  ): void {
    this.offset = offset;
    this.headerLength = headerLength;
    // Mostly nothing changes, and to compare costs less than to store.
    if (this.header !== header) this.header = header;
    if (this.headers !== headers) this.headers = headers;
  }

  setBody(bytes: Uint8Array, start: number, end: number): void {
    if (this.#bytes !== bytes) this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Lets go of the body. */
  release(): void {
    this.setBody(empty, 0, 0);
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

  /** The header with the body's true length. */
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
