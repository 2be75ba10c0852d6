import { itemTypeAt } from "../../generator/model/type-checks.js";
import type { ArrayType, Type } from "../../generator/model/types.js";
import { below, codeVerdict, FoundChanges, type Site, type Step } from "./change.js";
import { compareBounds } from "./compare-bounds.js";
import { compareByVariance, limitsOf } from "./compare-variance.js";
import type { TypeComparison } from "./compare-types.js";
import { greatestLength, isAnyItem, itemIndexes } from "./structure.js";
import { haveCommonNames, isOfOneName, matchMembers } from "./compare-unions.js";
import { reportTypes, typeRules } from "./type-changes.js";

/** Compares the arrays that two types have among their alternatives. */
export function compareLists(
  types: TypeComparison,
  found: FoundChanges,
  old: Type,
  now: Type,
  site: Site,
): void {
  if (compareListAlternatives(types, found, old, now, site)) return;
  if (!isPlainList(old) || !isPlainList(now)) {
    if (!types.structure.isSame(old, now)) compareByVariance(types, found, old, now, site);
    return;
  }
  const isTuple = !isAnyItem(old, now);
  const items = new FoundChanges();
  for (const index of itemIndexes(old, now))
    types.compare(
      items,
      itemTypeAt(old, index),
      itemTypeAt(now, index),
      below(site, isTuple ? `[${index}]` : "[]", { kind: "items", ...(isTuple ? { index } : {}) }),
    );
  if (isAnyItem(old) !== isAnyItem(now) && items.changes.length > 0) {
    reportOtherItems(types, found, old, now, site, items);
    return;
  }
  const least = [old.minItems ?? 0, now.minItems ?? 0] as const;
  const isOther = isTuple && compareLengths(types, found, old, now, site, least);
  if (!isTuple)
    compareBounds(types, found, old, now, site, { least, most: [old.maxItems, now.maxItems] });
  // A tuple whose length has changed is a different type, so changes to its items do not matter.
  if (isOther) found.links.push(...items.links);
  else found.add(items);
}

/** Reports that an array became a tuple with different item types, or vice versa. */
function reportOtherItems(
  types: TypeComparison,
  found: FoundChanges,
  old: Type,
  now: Type,
  site: Site,
  items: FoundChanges,
): void {
  const compiles = (use: "builds" | "reads"): boolean =>
    items.changes.every((change) => codeVerdict(change, use).when !== "always");
  const limits = limitsOf(types, [old, old], [now, now]);
  const inside = new FoundChanges();
  const rule =
    limits.backward === "ok"
      ? "type.narrowed"
      : limits.forward === "ok"
        ? "type.widened"
        : "type.changed";
  reportTypes(types, inside, typeRules[rule], site, old, now, {
    ...(compiles("builds") ? {} : { builds: false }),
    ...(compiles("reads") ? {} : { reads: false }),
  });
  inside.links.push(...items.links);
  found.add(inside, limits);
}

/**
 * Compares unions of arrays based on the definitions of their items. Returns false if the unions
 * share no definition.
 */
function compareListAlternatives(
  types: TypeComparison,
  found: FoundChanges,
  old: Type,
  now: Type,
  site: Site,
): boolean {
  if (old.kind !== "union" && now.kind !== "union") return false;
  const [lists, others] = [listsOf(old), listsOf(now)];
  if (lists === undefined || others === undefined) return false;
  const [oldItems, newItems] = [lists, others].map((each) => each.map(({ items }) => items));
  // If the items of two arrays have the same name, the other arrays probably correspond to each
  // other as well.
  const isNamed = oldItems!.some((item) =>
    newItems!.some((each) => isOfOneName(types, item, each) || haveCommonNames(types, item, each)),
  );
  if (!isNamed) return false;
  const pairs = matchMembers(types, oldItems!, newItems!).map(
    ([index, match]) => [lists[index]!, others[match]!] as const,
  );
  for (const [one, other] of pairs) {
    const inside = new FoundChanges();
    const step: Step = { kind: "member", before: one, after: other };
    compareLists(types, inside, one, other, { ...site, steps: [...site.steps, step] });
    found.add(inside, limitsOf(types, [one, old], [other, now]));
  }
  const removed = lists.filter((each) => !pairs.some(([one]) => one === each));
  const added = others.filter((each) => !pairs.some(([, other]) => other === each));
  if (removed.length + added.length > 0)
    compareByVariance(types, found, old, now, site, [types.unionOf(removed), types.unionOf(added)]);
  return true;
}

/** Returns a type's alternatives if all of them are arrays that can have items. */
function listsOf(type: Type): readonly ArrayType[] | undefined {
  const members = type.kind === "union" ? type.members : [type];
  return members.every(isPlainList) ? members : undefined;
}

/**
 * Reports a difference in tuple lengths as a change of type. Returns whether there is no length
 * that both tuples allow.
 */
function compareLengths(
  types: TypeComparison,
  found: FoundChanges,
  old: ArrayType,
  now: ArrayType,
  site: Site,
  [least, newLeast]: readonly [number, number],
): boolean {
  const [most, newMost] = [greatestLength(old), greatestLength(now)];
  if (least === newLeast && most === newMost) return false;
  const isWider = newLeast <= least && newMost >= most;
  const isNarrower = newLeast >= least && newMost <= most;
  const rule = isWider ? "type.widened" : isNarrower ? "type.narrowed" : "type.changed";
  reportTypes(types, found, typeRules[rule], site, old, now);
  return least > newMost || newLeast > most;
}

/** Returns whether a type is an array that can have items. */
function isPlainList(type: Type): type is ArrayType {
  return type.kind === "array" && type.maxItems !== 0;
}
