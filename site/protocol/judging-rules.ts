import { listRules } from "../../generator/lint/rule-list.js";
import type { LintRule } from "../../generator/lint/rules.js";
import type { RuleTable } from "../../generator/lint/table/rule-table.js";

/** A rule with the messages that it names, such as `event stopped`. */
export type JudgingRule = LintRule & { readonly names: ReadonlySet<string> };

/** The rules that name messages. One rule may have several rows in the table. */
export function judgingRules(table: RuleTable | undefined): readonly JudgingRule[] {
  const rows = table?.rules ?? [];
  return [...listRules(table).values()]
    .map((rule) => ({ ...rule, names: namesIn(rows.filter(({ id }) => id === rule.id)) }))
    .filter(({ names }) => names.size > 0);
}

/** All strings in rules, including names of messages. */
function namesIn(value: unknown): ReadonlySet<string> {
  if (typeof value === "string") return new Set([value]);
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(Object.values(value).flatMap((part) => [...namesIn(part)]));
}
