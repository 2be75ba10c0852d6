import { readFramingRules } from "./framing-rules.js";
import type { HostTable } from "./host-table.js";
import { lintRules, type LintRule } from "./rules.js";
import type { RuleTable, TableRule } from "./table/rule-table.js";

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
