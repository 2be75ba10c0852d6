/** How strictly a behaviour is required. Checks with `info` are not scored. */
export type Level = "must" | "expected" | "info";

/** One expected behaviour of an adapter. */
export interface Check {
  readonly id: string;
  /** The behaviour of an adapter that passes, as a sentence. */
  readonly title: string;
  readonly level: Level;
  /** The definition in the schema, or the section of the overview, that requires the behaviour. */
  readonly stated: string;
  /** The capability that the check requires. A pass shows that the capability works. */
  readonly gate?: string;
  /**
   * Ids of rules of `wirewright lint`. The check fails if one of these rules has a finding about
   * the adapter in any session.
   */
  readonly rules?: readonly string[];
  /**
   * Names of messages, for a check with rules. At least one of them must occur for the check to
   * pass.
   */
  readonly seen?: readonly string[];
}

const levels: readonly string[] = ["must", "expected", "info"];

/**
 * Reads checks from a table with the columns id, level, title and location, and additional columns.
 *
 * @throws Error if a line has too few columns, or an unknown level.
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
