/** Number of pieces joined at a time. */
const maxPieces = 4_096;

/**
 * Builds a string from pieces in linear time.
 *
 * Repeated `+=` creates a tree of the pieces. For short pieces, that tree takes ten times as much
 * memory, and it is flattened every time the string is read.
 */
export class StringBuilder {
  #joined: string[] = [];
  #pieces: string[] = [];
  length = 0;

  add(piece: string): void {
    this.length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length < maxPieces) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  toString(): string {
    return this.#joined.join("") + this.#pieces.join("");
  }
}
