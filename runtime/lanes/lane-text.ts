import { StringBuilder } from "../base/string-builder.js";

/** An answer that is text, as it is received. */
export class LaneText {
  /** Whether any text was received, even if it was not kept. */
  hasBegun = false;
  /** Whether the last line is incomplete. */
  isLineOpen = false;
  #kept: StringBuilder | undefined = new StringBuilder();

  /** Adds a part. If the text is too long, returns false and drops it. */
  add(part: string, maxLength: number): boolean {
    this.hasBegun = true;
    this.isLineOpen = !part.endsWith("\n");
    if (this.#kept !== undefined && this.#kept.length + part.length > maxLength)
      this.#kept = undefined;
    this.#kept?.add(part);
    return this.#kept !== undefined;
  }

  toString(): string {
    return this.#kept?.toString() ?? "";
  }
}
