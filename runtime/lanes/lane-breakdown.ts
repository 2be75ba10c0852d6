import { matchesPattern, type LaneTable } from "./lane-table.js";

/** Recognises the two messages with which a program reports an internal failure. */
export class LaneBreakdown {
  readonly #pattern: LaneTable["breakdown"];
  /**
   * Whether the last message reported a breakdown, in which case the next one contains the details.
   */
  #hasBegun = false;

  constructor({ breakdown }: LaneTable) {
    this.#pattern = breakdown;
  }

  /**
   * Returns which part of a failure report a message is, or undefined if the message is not part of
   * one.
   */
  partOf(name: string, body: unknown): "report" | "details" | undefined {
    const pattern = this.#pattern;
    if (pattern === undefined) return undefined;
    if (this.#hasBegun && name === pattern.name) {
      this.#hasBegun = false;
      return "details";
    }
    this.#hasBegun = matchesPattern(pattern, name, body);
    return this.#hasBegun ? "report" : undefined;
  }
}
