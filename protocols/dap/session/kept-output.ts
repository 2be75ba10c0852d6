import { whenClosed } from "./connection-events.js";
import type { Connection } from "../../../generated/dap/connection.js";
import type { ProgramOutput } from "./debug-session.js";
import { LatestItems, weightOf } from "./latest-items.js";
import type { ProgramState } from "./program-state.js";
import { SessionError } from "./session-error.js";
import type { OutputEvent } from "../../../generated/dap/types.js";
import type { OutputOptions } from "./wait-options.js";
import { startTimer, type PerformanceClock } from "@wirewright/runtime";

/**
 * Maximum number and total weight of the events kept. The weight approximates the number of
 * characters.
 */
const maxEvents = 65_536;
const maxWeight = 0x40_0000;

/** Keeps the output of a program and its child sessions. */
export class KeptOutput implements ProgramOutput {
  readonly #state: ProgramState;
  readonly #parent: KeptOutput | undefined;
  readonly #kept = new LatestItems<OutputEvent["body"]>(maxEvents, maxWeight);
  /** Where the next search starts, by category. */
  readonly #positions = new Map<string, OutputPosition>();
  readonly #wake = new Set<() => void>();
  #isOver = false;

  constructor(
    connection: Connection<"client">,
    state: ProgramState,
    parent: KeptOutput | undefined,
  ) {
    this.#state = state;
    this.#parent = parent;
    connection.on("output", (body) => this.#add(body));
    whenClosed(connection, () => {
      this.#isOver = true;
      this.#notify();
    });
  }

  text(category?: string): string {
    return this.#kept
      .from(0)
      .filter((body) => isOf(category, body))
      .map(({ output }) => output)
      .join("");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<OutputEvent["body"], void, undefined> {
    let next = 0;
    for (;;) {
      next = Math.max(next, this.#kept.first);
      if (next < this.#kept.added) yield this.#kept.get(next++)!;
      else if (this.#isOver) return;
      else await this.#changed();
    }
  }

  /** Implements a session's `waitForOutput`. */
  async wait(pattern: string | RegExp, options: OutputOptions = {}): Promise<RegExpExecArray> {
    const { category } = options;
    const key = category ?? "";
    const patternText = JSON.stringify(String(pattern));
    const position = this.#positions.get(key) ?? { number: 0, skip: 0 };
    let next = position.number;
    const search = new OutputSearch(pattern, () => this.#state.waits.check());
    try {
      return await this.#state.wait(
        `the output ${patternText}`,
        () => {
          const first = Math.max(next, this.#kept.first);
          for (const [index, body] of this.#kept.from(first).entries()) {
            const number = first + index;
            const skip = number === position.number ? position.skip : 0;
            if (isOf(category, body)) search.add(body.output, { number, skip });
          }
          next = this.#kept.added;
          const result = search.find(this.#isOver);
          if (result !== undefined) {
            this.#positions.set(key, result.end);
            return result.match;
          }
          if (!this.#isOver) return undefined;
          const text = `The session ended before it printed ${patternText}`;
          throw new SessionError("ERR_SESSION_ENDED", text);
        },
        options,
      );
    } finally {
      search.stop();
    }
  }

  #add(body: OutputEvent["body"]): void {
    // `output` may be null, because the wire profile accepts null.
    if (typeof body.output !== "string") return;
    this.#kept.add(body, weightOf(body, maxWeight));
    this.#notify();
    if (this.#parent !== undefined) this.#parent.#add(body);
  }

  #notify(): void {
    for (const wake of [...this.#wake]) wake();
    this.#state.waits.check();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake.delete(wake);
        resolve();
      };
      this.#wake.add(wake);
    });
  }
}

function isOf(category: string | undefined, body: OutputEvent["body"]): boolean {
  const actual = body.category ?? "console";
  return category === undefined ? actual !== "telemetry" : actual === category;
}

declare const performance: PerformanceClock;

/** A position in the output: the number of an event, and how many of its characters to skip. */
interface OutputPosition {
  readonly number: number;
  readonly skip: number;
}

interface Piece extends OutputPosition {
  readonly start: number;
}

interface Match {
  readonly match: RegExpExecArray;
  readonly end: OutputPosition;
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
class OutputSearch {
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

  add(output: string, { number, skip }: OutputPosition): void {
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
    const endIndex = this.#dropped + match.index + match[0].length;
    let piece: Piece | undefined;
    for (const candidate of this.#pieces) if (candidate.start <= endIndex) piece = candidate;
    const end =
      piece === undefined
        ? { number: 0, skip: 0 }
        : { number: piece.number, skip: piece.skip + endIndex - piece.start };
    return { match, end };
  }

  /** Keeps the last characters, which may be the beginning of a match for a literal string. */
  #keepEnd(): void {
    const overlap = (this.#literal ?? "").length - 1;
    this.#fresh = overlap > 0 ? this.#fresh.slice(-overlap) : "";
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
