/** How strictly a behaviour is required. Checks with `info` are not scored. */
export type Level = "must" | "expected" | "info";

/** One expected behaviour of an adapter. */
export interface Check {
  readonly id: string;
  /** How a passing adapter behaves, as a sentence. */
  readonly title: string;
  readonly level: Level;
  /** The schema definition or overview section that requires the behaviour. */
  readonly stated: string;
  /** The capability that the check requires. If the check passes, the capability works. */
  readonly gate?: string;
  /**
   * Ids of `wirewright lint` rules. The check fails if any of these rules has a finding about the
   * adapter in any session.
   */
  readonly rules?: readonly string[];
  /**
   * Message names, for a check with rules. The check passes only if at least one of these messages
   * occurs.
   */
  readonly seen?: readonly string[];
}

const levels: readonly string[] = ["must", "expected", "info"];

/**
 * Reads checks from a table whose columns are id, level, title and location, followed by additional
 * columns.
 *
 * @throws Error if a line has too few columns or an unknown level.
 */
export function readTable(
  text: string,
  more: (columns: readonly string[]) => object,
): readonly Check[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [id = "", level = "", title = "", stated = "", ...rest] = line
        .split("|")
        .map((cell) => cell.trim());
      if (!levels.includes(level) || stated === "") throw new Error(`not a check: ${line}`);
      return { id, title, level: level as Level, stated, ...more(rest) };
    });
}
