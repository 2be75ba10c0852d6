/** A body with its `Content-Length`. */
export function framed(body: string | Uint8Array): Buffer {
  const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header), Buffer.from(body)]);
}

/** Bytes of UTF-8 as a text. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

/** A text as bytes of UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}
