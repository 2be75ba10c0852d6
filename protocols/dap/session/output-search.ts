import { startTimer, type PerformanceClock } from "../../../generated/dap/runtime/index.js";

declare const performance: PerformanceClock;

/** A position in the output: the number of an event, and how many of its characters to skip. */
export interface OutputPlace {
  readonly number: number;
  readonly skip: number;
}

interface Piece extends OutputPlace {
  readonly start: number;
}

interface Match {
  readonly match: RegExpExecArray;
  readonly end: OutputPlace;
}

/** Maximum number of characters and events, counted from the latest, that a search covers. */
const maxLength = 0x40_0000;
const maxPieces = 65_536;

/**
 * Searches the output for a pattern. A match may be split across events.
 *
 * After a regular expression has failed to match, it has to search the whole text again. It
 * therefore runs once an eighth of the text is new, and otherwise after a delay. Without this, the
 * time taken by each event would grow with the output.
 */
export class OutputSearch {
  readonly #expression: RegExp;
  readonly #literal: string | undefined;
  readonly #again: () => void;
  #text = "";
  #pieces: Piece[] = [];
  /** Number of characters before the text that have been dropped. */
  #dropped = 0;
  /**
   * The text not yet searched. For a literal pattern, this includes the end of the text before it.
   */
  #fresh = "";
  #isDue = true;
  #stopTimer: (() => void) | undefined;
  #delayMs = 1;

  /** @param again Called when a delay has passed and `find` should be called again. */
  constructor(pattern: string | RegExp, again: () => void) {
    const isLiteral = typeof pattern === "string";
    this.#literal = isLiteral ? pattern : undefined;
    this.#expression = isLiteral
      ? new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      : new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
    this.#again = again;
  }

  add(output: string, { number, skip }: OutputPlace): void {
    const text = skip === 0 ? output : output.slice(skip);
    if (text === "") return;
    this.#pieces.push({ number, skip, start: this.#dropped + this.#text.length });
    this.#text += text;
    this.#fresh += text;
    const isLong = this.#text.length > 2 * maxLength || this.#pieces.length > 2 * maxPieces;
    if (isLong) this.#shorten();
  }

  /** @param isLast Whether this is the end of the output. */
  find(isLast: boolean): Match | undefined {
    const isDue = this.#isDue || isLast;
    if (this.#fresh === "" && !isDue) return undefined;
    if (this.#literal !== undefined) {
      if (!isDue && !this.#fresh.includes(this.#literal)) {
        this.#keepEnd();
        return undefined;
      }
    } else if (!isDue && this.#fresh.length * 8 < this.#text.length) {
      this.#stopTimer ??= startTimer(this.#delayMs, () => {
        this.#stopTimer = undefined;
        this.#isDue = true;
        this.#again();
      });
      return undefined;
    }
    return this.#match();
  }

  /** Ends the search. */
  stop(): void {
    this.#stopTimer?.();
  }

  #match(): Match | undefined {
    this.#isDue = false;
    this.#keepEnd();
    const began = performance.now();
    const match = this.#expression.exec(this.#text);
    // Delay the next search so that searching takes up at most a tenth of the time.
    this.#delayMs = Math.max(1, 10 * (performance.now() - began));
    if (match === null) return undefined;
    const at = this.#dropped + match.index + match[0].length;
    let piece: Piece | undefined;
    for (const each of this.#pieces) if (each.start <= at) piece = each;
    const end =
      piece === undefined
        ? { number: 0, skip: 0 }
        : { number: piece.number, skip: piece.skip + at - piece.start };
    return { match, end };
  }

  /** Keeps the last characters, which may be the beginning of a match for a literal string. */
  #keepEnd(): void {
    const kept = (this.#literal ?? "").length - 1;
    this.#fresh = kept > 0 ? this.#fresh.slice(-kept) : "";
  }

  #shorten(): void {
    const last = this.#pieces.slice(-maxPieces);
    const rest = Math.max(this.#text.length - maxLength, last[0]!.start - this.#dropped);
    this.#text = this.#text.slice(rest);
    this.#dropped += rest;
    // Keep a piece if any of its text is left: the text may start in the middle of a piece.
    const end = (index: number): number => last[index + 1]?.start ?? Infinity;
    this.#pieces = last.filter((_, index) => end(index) > this.#dropped);
  }
}
