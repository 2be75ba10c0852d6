import { StringBuilder } from "../base/string-builder.js";

/** A text answer that is still being received. */
export class LaneText {
  /** Whether any text has been received, even if it was dropped. */
  hasBegun = false;
  /** Whether the last line is incomplete. */
  isLineOpen = false;
  #kept: StringBuilder | undefined = new StringBuilder();

  /** Adds a part. If this makes the text too long, drops it and returns false. */
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
