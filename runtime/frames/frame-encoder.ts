import { writeUtf8 } from "../base/buffer-methods.js";
import {
  ContentLengthEncoder,
  maxHeaderBytes,
  writeDigits,
  type FrameEncoderOptions,
} from "./content-length-encoder.js";
import { framingCheck, type JsonFraming, type Notation } from "./decoder-options.js";
import { lengthFieldOf, writeLength, type LengthField } from "./frame.js";

/** Creates an encoder for any framing. @throws TypeError in the same cases as FrameEncoder. */
export function encodeFrames(options: FrameEncoderOptions): FrameEncoder {
  return new FrameEncoder(options);
}

/**
 * Encodes messages in any framing: a body is preceded by a header or by its length, terminated by a
 * zero byte, or written as a line.
 */
export class FrameEncoder extends ContentLengthEncoder {
  readonly #framing: JsonFraming | "notation";
  readonly #lengthField: LengthField | undefined;
  readonly #notation: Notation | undefined;

  constructor(options: FrameEncoderOptions = {}) {
    super(options, framingCheck);
    const { framing = "content-length" } = options;
    this.#framing = typeof framing === "object" ? (framing.framing ?? "notation") : framing;
    this.#lengthField = lengthFieldOf(this.#framing);
    this.#notation = typeof framing === "object" ? framing : undefined;
  }

  /** Returns a message's body as text, or its line in a notation. */
  protected override textOf(message: object): string {
    return this.#notation?.write(message) ?? super.textOf(message);
  }

  protected override write(bytes: Uint8Array, text: string, start: number): number {
    const field = this.#lengthField;
    if (field !== undefined) {
      const end = start + field.size + writeUtf8(bytes, text, start + field.size);
      writeLength(bytes, start + field.size, field, end - start - field.size);
      return end;
    }
    if (this.#framing === "content-length") return super.write(bytes, text, start);
    if (this.#framing === "decimal-nul") return writeDecimal(bytes, text, start);
    const end = start + writeUtf8(bytes, text, start);
    if (this.#framing === "notation") return end;
    bytes[end] = this.#framing === "nul" ? 0 : 0x0a;
    return end + 1;
  }
}

/**
 * Writes the length in decimal, a zero byte, the text and another zero byte. Returns the index after
 * them.
 */
function writeDecimal(bytes: Uint8Array, text: string, start: number): number {
  const bodyStart = start + maxHeaderBytes - 1;
  const end = bodyStart + writeUtf8(bytes, text, bodyStart);
  bytes[bodyStart - 1] = 0;
  const headerStart = writeDigits(bytes, bodyStart - 1, end - bodyStart);
  bytes.copyWithin(start, headerStart, end);
  const frameEnd = end - (headerStart - start);
  bytes[frameEnd] = 0;
  return frameEnd + 1;
}
