/** Pieces that are joined at once. */
const maxPieces = 4_096;

/**
 * A text that grows piece by piece, in time linear in its length.
 *
 * To add to a string again and again makes a tree of its pieces that takes ten times the memory of short ones, and is
 * copied as a whole each time that the text is looked at.
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
