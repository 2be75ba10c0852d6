import { LintSession } from "../../sessions/judge/lint-session.js";
import type { LintedProtocol, LintOptions } from "../../sessions/judge/lint-options.js";
import type { LintFinding } from "../../sessions/judge/rules.js";
import type { RecordedEntry } from "../../sessions/read/recording.js";

/**
 * Judges the entries of a session.
 * @param isOver Whether the session has ended.
 */
export function findingsOf(
  protocol: LintedProtocol,
  entries: Iterable<RecordedEntry>,
  options: Omit<LintOptions, "onFinding"> = {},
  isOver = true,
): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const session = new LintSession(protocol, {
    ...options,
    onFinding: (finding) => void findings.push(finding),
  });
  for (const entry of entries) session.push(entry);
  session.end(isOver);
  return findings;
}
