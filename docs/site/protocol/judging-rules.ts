import { type LintRule, listRules } from "../../../sessions/judge/rules.js";
import type { RuleTable } from "../../../sessions/judge/table/rule-table.js";

/** A rule together with the messages that it names, such as `event stopped`. */
export type JudgingRule = LintRule & { readonly names: ReadonlySet<string> };

/** Returns the rules that name messages. A rule may have several rows in the table. */
export function judgingRules(table: RuleTable | undefined): readonly JudgingRule[] {
  const rows = table?.rules ?? [];
  return [...listRules(table).values()]
    .map((rule) => ({ ...rule, names: namesIn(rows.filter(({ id }) => id === rule.id)) }))
    .filter(({ names }) => names.size > 0);
}

/** Returns all strings in a rule, including the names of messages. */
function namesIn(value: unknown): ReadonlySet<string> {
  if (typeof value === "string") return new Set([value]);
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(Object.values(value).flatMap((part) => [...namesIn(part)]));
}
