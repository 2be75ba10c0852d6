import type { EnumType, EnumValue, LiteralType, Type } from "../../generator/model/types.js";
import { lastName } from "./change.js";
import { compareTexts } from "./compare-texts.js";
import type { Scope } from "./comparison.js";
import { fails, ruleFamily, waysOut } from "./rule-family.js";
import { reportTypes } from "./type-changes.js";

export const enumRules = ruleFamily({
  "enum.value-added": {
    title: "Value added to a closed list",
    reason: "Older readers do not recognise {after}.",
    newToOld: "degraded",
    consumer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.openList,
    mirror: "enum.value-removed",
  },
  "enum.value-removed": {
    title: "Value removed from a closed list",
    reason: "Newer readers do not recognise {before}.",
    oldToNew: "degraded",
    producer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.keepReading,
  },
  "enum.value-replaced": {
    title: "Value in a closed list replaced",
    reason: "Each version recognises only its own value: {before} or {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    producer: fails("type"),
    consumer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.keepReading,
  },
  "enum.open-value-added": {
    title: "Value added to an open list",
    reason: "Readers of an open list accept unknown values.",
    oldToNew: "strict",
    newToOld: "strict",
    mirror: "enum.open-value-removed",
  },
  "enum.open-value-removed": {
    title: "Value removed from an open list",
    reason: "Readers of an open list accept unknown values.",
    oldToNew: "strict",
    newToOld: "strict",
  },
  "enum.introduced": {
    title: "Known values listed for a string",
    reason: "The list is open: other strings remain valid.",
    oldToNew: "strict",
    mirror: "enum.dropped",
  },
  "enum.dropped": {
    title: "List of known values removed",
    reason: "The list was open: other strings were already valid.",
    newToOld: "strict",
  },
  "enum.introduced-closed": {
    title: "Values restricted to a closed list",
    reason: "Older writers may send values other than {after}.",
    oldToNew: "degraded",
    producer: fails("type"),
    wayOut: "Keep the list open.",
    mirror: "enum.dropped-closed",
  },
  "enum.dropped-closed": {
    title: "Closed list removed",
    reason: "Newer writers may send values other than {before}.",
    newToOld: "degraded",
    consumer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.oldForm,
  },
  "enum.meanings-swapped": {
    title: "Meanings of values swapped",
    reason: "A value means {before} to one version and {after} to the other.",
    oldToNew: "different",
    newToOld: "different",
    wayOut: "Give each meaning a new value.",
  },
  "enum.opened": {
    title: "List of values opened",
    reason: "Newer writers may send values that older readers reject.",
    newToOld: "degraded",
    consumer: fails("type"),
    exhaustive: true,
    wayOut: "Send only the listed values to older peers.",
    mirror: "enum.closed",
  },
  "enum.closed": {
    title: "List of values closed",
    reason: "Older writers may send values that newer readers reject.",
    oldToNew: "degraded",
    producer: fails("type"),
    wayOut: "Keep the list open.",
  },
});

export function compareEnums(scope: Scope, before: EnumType, after: EnumType): void {
  if (before.open !== after.open) {
    const rule = enumRules[after.open ? "enum.opened" : "enum.closed"];
    reportTypes(scope, rule, before, after);
  }
  const valuesBefore = new Set(before.values.map(({ value }) => value));
  const valuesAfter = new Set(after.values.map(({ value }) => value));
  const replaced = replacedValues(before, after);
  for (const [valueBefore, valueAfter] of replaced) {
    valuesBefore.delete(valueBefore);
    valuesAfter.delete(valueAfter);
    reportReplaced(scope, valueBefore, valueAfter);
  }
  for (const value of valuesAfter)
    if (!valuesBefore.has(value)) reportValue(scope, before, after, value, "added");
  for (const value of valuesBefore)
    if (!valuesAfter.has(value)) reportValue(scope, before, after, value, "removed");
  const swapped = swappedValues(before, after);
  for (const [value, meaningBefore, meaningAfter] of swapped.slice(0, 1)) {
    const values = swapped.map(([each]) => JSON.stringify(each));
    valueScope(scope, value).report(enumRules["enum.meanings-swapped"], {
      change: values.join(" ↔ "),
      before: JSON.stringify(meaningBefore),
      after: JSON.stringify(meaningAfter),
      decision: `${lastName(scope.site)} swapped ${values.join()}`,
    });
  }
  for (const value of after.values) {
    const valueBefore = before.values.find((each) => each.value === value.value);
    if (valueBefore !== undefined && !swapped.some(([each]) => each === value.value))
      compareTexts(valueScope(scope, value.value), valueBefore, value);
  }
}

/**
 * Returns the values whose meanings, as their names or descriptions state them, belonged to another
 * value of the list before, with both meanings.
 */
function swappedValues(
  before: EnumType,
  after: EnumType,
): readonly (readonly [value: string | number, before: string, after: string])[] {
  const kept = before.values.flatMap((each) => {
    const match = after.values.find(({ value }) => value === each.value);
    const [was, is] = [meaningOf(each), match === undefined ? undefined : meaningOf(match)];
    return was === undefined || is === undefined ? [] : [[each.value, was, is] as const];
  });
  const count = (meanings: readonly string[], meaning: string): number =>
    meanings.filter((each) => each === meaning).length;
  const [all, allAfter] = [kept.map(([, was]) => was), kept.map(([, , is]) => is)];
  return kept.filter(
    ([, was, is]) =>
      was !== is &&
      count(all, is) === 1 &&
      count(all, was) === 1 &&
      count(allAfter, was) === 1 &&
      count(allAfter, is) === 1,
  );
}

/** Returns what a value means: the name that starts its description, or the description. */
function meaningOf({ docs }: EnumValue): string | undefined {
  return docs === undefined ? undefined : (/^[^:\n]+(?=:)/.exec(docs)?.[0] ?? docs);
}

/**
 * Pairs up removed and added values of closed enums if one probably replaces the other: they have
 * the same description, or are the only values that changed.
 */
function replacedValues(
  before: EnumType,
  after: EnumType,
): readonly (readonly [string | number, string | number])[] {
  if (before.open || after.open) return [];
  const only = (values: readonly EnumValue[], others: readonly EnumValue[]): EnumValue[] =>
    values.filter(({ value }) => !others.some((each) => each.value === value));
  const [removed, added] = [only(before.values, after.values), only(after.values, before.values)];
  const [firstRemoved, firstAdded] = [removed[0], added[0]];
  if (
    removed.length === 1 &&
    added.length === 1 &&
    before.values.length > 1 &&
    before.values.indexOf(firstRemoved!) === after.values.indexOf(firstAdded!) &&
    firstRemoved!.docs === firstAdded!.docs
  )
    return [[firstRemoved!.value, firstAdded!.value]];
  return removed.flatMap(({ value, docs }) => {
    const alike = added.filter((each) => each.docs === docs);
    const isUnique = removed.filter((each) => each.docs === docs).length === 1;
    return docs !== undefined && isUnique && alike.length === 1
      ? [[value, alike[0]!.value] as const]
      : [];
  });
}

function reportReplaced(scope: Scope, before: string | number, after: string | number): void {
  const [beforeText, afterText] = [JSON.stringify(before), JSON.stringify(after)];
  valueScope(scope, before).report(enumRules["enum.value-replaced"], {
    change: `${beforeText} → ${afterText}`,
    before: beforeText,
    after: afterText,
    decision: `${lastName(scope.site)} replaced ${beforeText} → ${afterText}`,
    oldToNew: () => before,
    newToOld: () => after,
  });
}

function reportValue(
  scope: Scope,
  before: EnumType,
  after: EnumType,
  value: string | number,
  what: "added" | "removed",
): void {
  const { byReaders } = scope.types;
  const isAdded = what === "added";
  // The value is read using the other version's enum, so the rule depends on whether that enum is
  // open.
  const added = before.open ? "enum.open-value-added" : "enum.value-added";
  const removed = after.open ? "enum.open-value-removed" : "enum.value-removed";
  const text = JSON.stringify(value);
  valueScope(scope, value).report(enumRules[isAdded ? added : removed], {
    change: `${isAdded ? "+" : "-"} ${text}`,
    before: text,
    after: text,
    decision: `${lastName(scope.site)} ${what} ${text}`,
    // An open enum accepts any value, so take the example from the other version's writer.
    oldToNew: () => (isAdded ? byReaders.oldToNew.counterexample(before, after) : value),
    newToOld: () => (isAdded ? value : byReaders.newToOld.counterexample(after, before)),
  });
}

function valueScope(scope: Scope, value: string | number): Scope {
  return scope.at({ label: `${scope.site.label} = ${JSON.stringify(value)}` });
}

/**
 * Reports that a type now accepts certain values instead of any string or number, or the other way
 * round.
 */
export function reportList(
  scope: Scope,
  what: "introduced" | "dropped",
  before: Type,
  after: Type,
): void {
  const list = what === "introduced" ? after : before;
  const isOpen = list.kind === "enum" && list.open;
  reportTypes(scope, enumRules[`enum.${what}${isOpen ? "" : "-closed"}`], before, after);
}

/** Returns a type's enum. A fixed value counts as an enum with a single value. */
export function listedValues(type: Type): EnumType | undefined {
  if (type.kind === "enum") return type;
  const value = (type as LiteralType).value;
  return type.kind === "literal" && typeof value !== "boolean"
    ? { kind: "enum", open: false, values: [{ value }] }
    : undefined;
}
