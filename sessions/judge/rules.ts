import type { Severity } from "../../generator/base/severity.js";
import {
  endingRules,
  numberRules,
  openingRules,
  requestRules,
  responseRules,
} from "./conversation-rules.js";
import { fieldRules, messageRules, schemaRules, streamRules } from "./message-rules.js";
import type { LintRuleInfo, RuleFamily } from "./rule-family.js";
import { readFramingRules } from "./framing-rules.js";
import type { HostTable } from "./host-table.js";
import type { RuleTable, TableRule } from "./table/rule-table.js";

/** All rules, in the order in which they are listed and checked. */
export const ruleFamilies = [
  streamRules,
  schemaRules,
  numberRules,
  responseRules,
  openingRules,
  messageRules,
  requestRules,
  fieldRules,
  endingRules,
] as const;

type IdOf<Family> = Family extends RuleFamily<infer Id> ? Id : never;

/** The ids of the rules. */
export type LintRuleId = IdOf<(typeof ruleFamilies)[number]>;

/** A lint rule with its id. */
export interface LintRule extends LintRuleInfo {
  readonly id: string;
  /**
   * Where the specification states the rule: `Definition/property`. Absent for rules that all
   * protocols share.
   */
  readonly source?: readonly string[];
}

/** All rules, by id. */
export const lintRules: ReadonlyMap<string, LintRule> = new Map(
  ruleFamilies.flatMap(({ rules }) =>
    (Object.entries(rules) as [LintRuleId, LintRuleInfo][]).map(([id, rule]) => [
      id,
      { id, ...rule },
    ]),
  ),
);

/** A problem that a rule found in a session. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: Severity;
  /** The problem's effect on the host. Absent if the recording was not checked against a host. */
  readonly outcome?: string;
  /**
   * `session`: id of the session, if the recording contains several. `index`: position of the
   * message in its session, counting from 1.
   */
  readonly session?: number;
  readonly index: number;
  /** Role that sent the message. Absent if unknown. */
  readonly from?: string;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  /** A sentence that describes the problem. */
  readonly message: string;
  /**
   * `offset`: byte offset in the sender's stream. `time`: milliseconds since the session began.
   * Absent if unknown.
   */
  readonly offset?: number;
  readonly time?: number;
  /** Line number in the recording, if it consists of lines. */
  readonly line?: number;
}

/**
 * Lists all rules for judging sessions: those that all protocols share, those of a single protocol,
 * and those of a host.
 */
export function listRules(
  rules: RuleTable | undefined,
  host?: HostTable,
): ReadonlyMap<string, LintRule> {
  const list = new Map<string, LintRule>(lintRules);
  const add = ({ id, docs, source = [] }: TableRule, severity: LintRule["severity"]): void => {
    const before = list.get(id)?.source ?? [];
    list.set(id, { id, severity, docs, source: [...new Set([...before, ...source])] });
  };
  for (const rule of readFramingRules().rules) add(rule, rule.severity ?? "warning");
  for (const rule of rules?.rules ?? []) add(rule, rule.severity ?? "warning");
  for (const rule of host?.rules ?? []) add(rule, host!.outcomes[rule.outcome]!.severity);
  return list;
}
