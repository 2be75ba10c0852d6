import assert from "node:assert/strict";
import { FrameEncoder } from "../../runtime/index.js";

export const lines = new FrameEncoder({ framing: "lines" });

const frames = new FrameEncoder();

/** Asserts that the encoder produces the same bytes as `JSON.stringify`. */
export function assertSame(message: object, what?: string): void {
  assertSameEach(() => message, what);
}

/** Compares the bytes for a message that changes as it is read. Each reader gets its own copy. */
export function assertSameEach(make: () => object, what?: string): void {
  const body = JSON.stringify(make());
  assert.equal(Buffer.from(lines.encode(make())).toString(), `${body}\n`, what);
  assert.equal(
    Buffer.from(frames.encode(make())).toString(),
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    what,
  );
}

export class Point {
  #secret = 3;
  x = 1;
  y = undefined;
  method = (): number => this.#secret;
  get computed(): number {
    return this.#secret;
  }
}

export class Point3 extends Point {
  z = 4;
}
