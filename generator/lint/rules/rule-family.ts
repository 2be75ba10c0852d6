import type { RecordedEntry } from "../../session/entries/recorded-entry.js";
import type { Severity } from "../../base/severity.js";
import type { EntryPlace, JudgedMessage } from "../state/judged-message.js";
import type { Fact, Gap } from "../state/knowledge.js";
import type { SessionState } from "../state/session-state.js";

/** The properties of a rule besides its id. */
export interface LintRuleInfo {
  readonly severity: Severity;
  /** The meaning of its findings, as a sentence. */
  readonly docs: string;
  /**
   * Facts about the session that the rule needs. Without them, findings are counted as unjudged.
   */
  readonly needs?: readonly Fact[];
  /** Whether findings with the same sentence have the same cause, even at different places. */
  readonly isOneCause?: true;
}

/**
 * Reports a finding of a rule.
 *
 * @param pointer JSON Pointer into the message.
 * @param text The problem, as a sentence.
 */
export type Report<Id extends string> = (
  id: Id,
  pointer: string,
  text: string,
  more?: ReportMore,
) => void;

export interface ReportMore {
  /** Default: the message that is being judged. */
  readonly place?: EntryPlace;
  /**
   * The reason why it is unknown whether the message is wrong. Default: a missing fact of the rule's
   * `needs`.
   */
  readonly gap?: Gap | undefined;
}

/** Checks of a session. Each is called with the state of the session before the message. */
export interface SessionChecks<Id extends string> {
  /** Judges an entry that is not a message: bytes, or an object without a kind. */
  readonly checkOther?: (entry: RecordedEntry, report: Report<Id>) => void;
  readonly checkMessage?: (
    message: JudgedMessage,
    session: SessionState,
    report: Report<Id>,
  ) => void;
  /** Called when a session is over. */
  readonly checkEnd?: (session: SessionState, report: Report<Id>) => void;
}

/** Rules about one subject, with the checks that report them. */
export interface RuleFamily<Id extends string> extends SessionChecks<Id> {
  readonly rules: Readonly<Record<Id, LintRuleInfo>>;
}

/** Types a family, so that its checks can report only its own rules. */
export function ruleFamily<Id extends string>(family: RuleFamily<Id>): RuleFamily<Id> {
  return family;
}
