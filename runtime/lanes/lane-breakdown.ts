import { matchesPattern, type LaneTable } from "./lane-table.js";

/** Recognizes the two messages with which a program reports an internal failure. */
export class LaneBreakdown {
  readonly #pattern: LaneTable["breakdown"];
  /** Whether the last message reported a breakdown. The next one contains its details. */
  #hasBegun = false;

  constructor({ breakdown }: LaneTable) {
    this.#pattern = breakdown;
  }

  /** The role of a message in such a report, or undefined if it has none. */
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
