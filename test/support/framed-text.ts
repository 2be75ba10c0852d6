/** Adds a `Content-Length` header to a body. */
export function framed(body: string | Uint8Array): Buffer {
  const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header), Buffer.from(body)]);
}

/** Decodes UTF-8 bytes to a string. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

/** Encodes a string as UTF-8 bytes. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}
