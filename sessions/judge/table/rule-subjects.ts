import { pointerStep } from "../../../runtime/base/json-pointer.js";
import type { JudgedMessage } from "../state/judged-message.js";
import type { PartPath } from "../state/part-path.js";
import {
  expectedCount,
  listAt,
  repeatedItems,
  unsortedItems,
  type FoundItem,
} from "./list-checks.js";
import { bodyOf } from "./message-body.js";
import { valueAt } from "./property-path.js";
import { placeOfTests } from "./property-tests.js";
import type { CountRule, SettledRule, TableRule } from "./rule-table.js";
import { isSelected, listOf, selectorsOf } from "./selectors.js";
import { SettledValues } from "./settled-values.js";
import type { TableFinding } from "./table-finding.js";
import type { TableState } from "./table-state.js";

/** Checks a message that a rule applies to. */
export type RuleCheck = (message: JudgedMessage) => void;

/** Functions that a check uses to test and report parts of a message. */
export interface SubjectTools {
  /** Runs the rule's tests on a part of the message. */
  readonly test: (value: unknown, path: PartPath) => void;
  readonly report: (found: Omit<TableFinding, "rule">) => void;
}

/** Creates a rule's check. Rules about types and rules about bytes are checked elsewhere. */
export function createRuleCheck(
  rule: TableRule,
  state: TableState,
  { test, report }: SubjectTools,
): RuleCheck {
  const { envelope, reference, distinct, sorted, each, count, settled } = rule;
  const reportItems = (at: string, items: readonly FoundItem[]): void => {
    for (const { value, place } of items) report({ pointer: at + place, value });
  };
  if (envelope !== undefined)
    return ({ fields }) => {
      const place = placeOfTests(envelope, fields, state);
      if (place !== undefined) report({ pointer: place });
    };
  if (reference !== undefined) {
    const kinds = listOf(reference);
    return (message) => {
      for (const kind of kinds)
        for (const { value, path } of state.places.of(message, kind)) test(value, path);
    };
  }
  if (distinct !== undefined)
    return (message) => reportItems(at(message), repeatedItems(distinct, bodyOf(message)));
  if (sorted !== undefined)
    return (message) => reportItems(at(message), unsortedItems(sorted, bodyOf(message)));
  if (count !== undefined)
    return (message) => {
      const wrong = wrongCount(count, message, state.asked);
      if (wrong !== undefined)
        report({ pointer: at(message) + pointerStep(count.each), value: wrong });
    };
  if (settled !== undefined) return checkSettled(settled, state, report);
  if (each !== undefined)
    return (message) => {
      const items = listAt(bodyOf(message), each);
      const owner = { owner: payloadOf(message), key: each };
      for (let key = 0; key < items.length; key++) test(items[key], { owner, key });
    };
  if (rule.test === undefined && rule.anyOf === undefined) return () => report({ pointer: "" });
  return (message) => {
    // Failure responses are skipped, because they have no result.
    if (!message.hasFailed) test(bodyOf(message), payloadOf(message));
  };
}

/**
 * Compares the number of items in a response with the number that the request asked for. Returns
 * undefined if they match.
 */
function wrongCount(count: CountRule, message: JudgedMessage, asked: unknown): string | undefined {
  const list = valueAt(bodyOf(message), count.each);
  if (asked === undefined || message.hasFailed || !Array.isArray(list)) return undefined;
  const expected = expectedCount(count, asked);
  if (expected === undefined || (count.most === true && expected === 0)) return undefined;
  const isWrong = count.most === true ? list.length > expected : list.length !== expected;
  return isWrong ? `${list.length} instead of ${expected}` : undefined;
}

function checkSettled(
  settled: SettledRule,
  state: TableState,
  report: SubjectTools["report"],
): RuleCheck {
  const values = new SettledValues(settled);
  return (message) => {
    const selectors = selectorsOf(message);
    if (selectors.includes(settled.by)) values.set(state.asked, bodyOf(message));
    else if (isSelected(settled.until, selectors)) values.forget();
    else {
      const found = values.different(state.asked, bodyOf(message));
      if (found !== undefined) report({ pointer: at(message) + found.place, value: found.value });
    }
  };
}

function payloadOf({ payloadField }: JudgedMessage): PartPath {
  return { owner: undefined, key: payloadField };
}

function at({ payloadField }: JudgedMessage): string {
  return `/${payloadField}`;
}
