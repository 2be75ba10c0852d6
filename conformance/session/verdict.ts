/** A check's result in a case. */
export interface Verdict {
  readonly check: string;
  /**
   * `blocked`: an earlier step in the case failed. `inconclusive`: the verdict differs between runs,
   * or the suite ended the session too early to tell.
   */
  readonly status: "pass" | "fail" | "inconclusive" | "not-applicable" | "blocked";
  /** Name of the case. */
  readonly case: string;
  /** The check whose failure blocked this one. Absent if no earlier check failed. */
  readonly blockedOn?: string;
  /** The check of another case that fails for the same reason, if it fails. */
  readonly follows?: string;
  /** Why the check did not pass. */
  readonly text?: string;
  readonly expected?: string;
  readonly actual?: string;
  /**
   * Number of the message in its recording, and number of the connection in its case, both counted
   * from 1.
   */
  readonly message?: number;
  readonly connection?: number;
  /** Number of the repetition, counted from 1, in which the verdict differs. */
  readonly differsIn?: number;
}

/** The expected and actual values. */
export interface Difference {
  readonly expected: string;
  readonly actual: unknown;
  /** Number of the message that shows the result, counted from 1. Default: the latest message. */
  readonly messageNumber?: number;
  /** The check of another case that fails for the same reason, if it fails. */
  readonly follows?: string;
}

/**
 * Formats a value as a short string. Escapes control characters, because the text of an adapter
 * reaches terminals and pages.
 */
export function shortened(value: unknown): string {
  const text = (
    typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))
  ).replaceAll(
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > 300 ? `${text.slice(0, 297)}…` : text;
}

/** Reasons why checks cannot be exercised, by check. */
export type Reasons = Readonly<Record<string, string>>;
