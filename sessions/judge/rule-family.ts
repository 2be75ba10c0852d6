import type { RecordedEntry } from "../read/recorded-entry.js";
import type { Severity } from "../../generator/base/severity.js";
import type { EntryPlace, JudgedMessage } from "./judged-message.js";
import type { Fact, Gap } from "./knowledge.js";
import type { SessionState } from "./session-state.js";

/** A rule's properties, except its id. */
export interface LintRuleInfo {
  readonly severity: Severity;
  /** A sentence that states what the rule's findings mean. */
  readonly docs: string;
  /**
   * Facts about the session that the rule needs. If one of them is unknown, findings are only
   * counted as unjudged.
   */
  readonly needs?: readonly Fact[];
  /** Whether findings with the same message have the same cause even at different locations. */
  readonly isOneCause?: true;
}

/**
 * Reports a rule's finding.
 *
 * @param pointer JSON Pointer into the message.
 * @param text A sentence that describes the problem.
 */
export type Report<Id extends string> = (
  id: Id,
  pointer: string,
  text: string,
  more?: ReportMore,
) => void;

export interface ReportMore {
  /** Location of the finding. Default: the message that is being judged. */
  readonly place?: EntryPlace;
  /**
   * Why it is unknown whether the message is wrong. Default: the reason for the first unknown fact
   * in the rule's `needs`.
   */
  readonly gap?: Gap | undefined;
}

/**
 * Checks of a session. Each is called with the session's state as it was before the judged message.
 */
export interface SessionChecks<Id extends string> {
  /**
   * Judges an entry that is not a message: bytes, or an object that is not a message of any kind.
   */
  readonly checkOther?: (entry: RecordedEntry, report: Report<Id>, session: SessionState) => void;
  readonly checkMessage?: (
    message: JudgedMessage,
    session: SessionState,
    report: Report<Id>,
  ) => void;
  /** Called at the end of a session. */
  readonly checkEnd?: (session: SessionState, report: Report<Id>) => void;
}

/** Rules about one subject, along with the checks that report their findings. */
export interface RuleFamily<Id extends string> extends SessionChecks<Id> {
  readonly rules: Readonly<Record<Id, LintRuleInfo>>;
}

/**
 * Returns a family unchanged. The parameter type ensures that its checks report only its own rules.
 */
export function ruleFamily<Id extends string>(family: RuleFamily<Id>): RuleFamily<Id> {
  return family;
}
