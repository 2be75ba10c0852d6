import type { JudgedMessage } from "../state/judged-message.js";
import { bodyOf } from "./message-body.js";
import { placeOfReady, readyTestsOf } from "./property-tests.js";
import type { TableRule } from "./rule-table.js";
import { listOf } from "./selectors.js";
import type { TableState } from "./table-state.js";

/** Whether a rule applies to a message. */
export type Condition = (message: JudgedMessage) => boolean;

/**
 * Lists a rule's conditions other than those about its messages or capabilities. Most rules have at
 * most one such condition.
 */
export function conditionsOf(rule: TableRule, state: TableState): readonly Condition[] {
  const conditions: Condition[] = [];
  if (rule.if !== undefined) {
    const tests = readyTestsOf(rule.if);
    conditions.push((message) => placeOfReady(tests, bodyOf(message), state) !== undefined);
  }
  if (rule.asked !== undefined) {
    const tests = readyTestsOf(rule.asked);
    conditions.push(
      () => state.asked !== undefined && placeOfReady(tests, state.asked, state) !== undefined,
    );
  }
  return [...conditions, ...pastConditions(rule, state)];
}

/** Lists a rule's conditions that depend on the state of the session. */
export function pastConditions(rule: TableRule, state: TableState): readonly (() => boolean)[] {
  const { before, after, afterAll, since, once, message, during } = rule;
  const seen = state.sightings;
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
  if (rule.state !== undefined) {
    const tests = readyTestsOf(rule.state);
    conditions.push(() => placeOfReady(tests, state, state) !== undefined);
  }
  return conditions;
}
