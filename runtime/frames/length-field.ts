/** Size of a binary length in bytes, and its byte order. */
export interface LengthField {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
}

/**
 * Returns the binary length that precedes each body in a framing, or undefined if there is none.
 */
export function lengthFieldOf(framing: string): LengthField | undefined {
  const found = /^uint(32|64)-([bl])e$/.exec(framing);
  return found === null
    ? undefined
    : { size: found[1] === "32" ? 4 : 8, isLittle: found[2] === "l" };
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
