import type { JudgedMessage } from "../state/judged-message.js";
import { bodyOf } from "./message-body.js";
import type { PropertyTests, TableRule } from "./rule-table.js";
import { listOf } from "./selectors.js";
import type { Sightings } from "./sightings.js";
import type { Suspension } from "./suspension.js";

/** Something without which a rule does not apply. */
export type Condition = (message: JudgedMessage) => boolean;

/** What conditions look at. */
export interface ConditionTools {
  readonly sightings: Sightings;
  readonly suspension: Suspension;
  readonly placeOf: (tests: PropertyTests, value: unknown) => string | undefined;
}

/** The conditions of a rule besides its messages and flags. Most rules have none or one. */
export function conditionsOf(rule: TableRule, tools: ConditionTools): readonly Condition[] {
  const { custom, if: tests } = rule;
  const conditions: Condition[] = [];
  if (custom === true) conditions.push(({ definition }) => definition === undefined);
  if (tests !== undefined)
    conditions.push((message) => tools.placeOf(tests, bodyOf(message)) !== undefined);
  return [...conditions, ...pastConditions(rule, tools)];
}

/** The conditions of a rule that hang on what came before. */
export function pastConditions(
  rule: TableRule,
  { sightings: seen, suspension }: Omit<ConditionTools, "placeOf">,
): readonly (() => boolean)[] {
  const { before, after, afterAll, since, once, message, during } = rule;
  const conditions: (() => boolean)[] = [];
  if (before !== undefined) conditions.push(() => !seen.hasAny(before, since));
  if (after !== undefined) {
    const list = listOf(after);
    conditions.push(() => seen.hasAny(list, since));
  }
  if (afterAll !== undefined) conditions.push(() => seen.hasAll(afterAll));
  if (once === true) {
    const list = listOf(message);
    conditions.push(() => seen.hasAny(list, since));
  }
  if (during !== undefined) conditions.push(() => seen.isPending(during));
  if (rule.while !== undefined) {
    const isRunning = rule.while === "running";
    conditions.push(() => suspension.isRunning === isRunning);
  }
  return conditions;
}
