import { matchesPattern, type LaneTable } from "./lane-table.js";

/** Recognises the two messages by which a program reports that it broke down. */
export class LaneBreakdown {
  readonly #pattern: LaneTable["breakdown"];
  /** Whether the last message reported a breakdown. The next one contains its details. */
  #hasBegun = false;

  constructor({ breakdown }: LaneTable) {
    this.#pattern = breakdown;
  }

  /** The part of a message in a breakdown, or undefined if it has none. */
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
