import { itemTypeAt } from "../../generator/model/type-checks.js";
import type { ArrayType, Type } from "../../generator/model/types.js";
import { below, codeVerdict, FoundChanges, type Site, type Step } from "./change.js";
import { compareBounds } from "./compare-bounds.js";
import { compareByVariance, limitsOf } from "./compare-variance.js";
import type { Comparison } from "./comparison.js";
import { greatestLength, isAnyItem, itemIndexes } from "./structure.js";
import { haveCommonNames, isOfOneName, matchMembers } from "./compare-unions.js";
import { reportTypes, typeRules } from "./type-changes.js";

/** Compares the arrays that two types have among their alternatives. */
export function compareLists(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  if (compareListAlternatives(types, found, before, after, site)) return;
  if (!isPlainList(before) || !isPlainList(after)) {
    if (!types.structure.isSame(before, after))
      compareByVariance(types, found, before, after, site);
    return;
  }
  const isTuple = !isAnyItem(before, after);
  const items = new FoundChanges();
  for (const index of itemIndexes(before, after))
    types.compare(
      items,
      itemTypeAt(before, index),
      itemTypeAt(after, index),
      below(site, isTuple ? `[${index}]` : "[]", { kind: "items", ...(isTuple ? { index } : {}) }),
    );
  if (isAnyItem(before) !== isAnyItem(after) && items.changes.length > 0) {
    reportOtherItems(types, found, before, after, site, items);
    return;
  }
  const least = [before.minItems ?? 0, after.minItems ?? 0] as const;
  const isOther = isTuple && compareLengths(types, found, before, after, site, least);
  if (!isTuple)
    compareBounds(types, found, before, after, site, {
      least,
      most: [before.maxItems, after.maxItems],
    });
  // A tuple whose length has changed is a different type, so changes to its items do not matter.
  if (isOther) found.links.push(...items.links);
  else found.add(items);
}

/** Reports that an array became a tuple with different item types, or vice versa. */
function reportOtherItems(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
  items: FoundChanges,
): void {
  const compiles = (use: "builds" | "reads"): boolean =>
    items.changes.every((change) => codeVerdict(change, use).when !== "always");
  const limits = limitsOf(types, [before, before], [after, after]);
  const inside = new FoundChanges();
  const rule =
    limits.newToOld === "ok"
      ? "type.narrowed"
      : limits.oldToNew === "ok"
        ? "type.widened"
        : "type.changed";
  reportTypes(types, inside, typeRules[rule], site, before, after, {
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
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): boolean {
  if (before.kind !== "union" && after.kind !== "union") return false;
  const [listsBefore, listsAfter] = [listsOf(before), listsOf(after)];
  if (listsBefore === undefined || listsAfter === undefined) return false;
  const [itemsBefore, itemsAfter] = [listsBefore, listsAfter].map((each) =>
    each.map(({ items }) => items),
  );
  // If the items of two arrays have the same name, the other arrays probably correspond to each
  // other as well.
  const isNamed = itemsBefore!.some((item) =>
    itemsAfter!.some(
      (each) => isOfOneName(types, item, each) || haveCommonNames(types, item, each),
    ),
  );
  if (!isNamed) return false;
  const pairs = matchMembers(types, itemsBefore!, itemsAfter!).map(
    ([index, match]) => [listsBefore[index]!, listsAfter[match]!] as const,
  );
  for (const [listBefore, listAfter] of pairs) {
    const inside = new FoundChanges();
    const step: Step = { kind: "member", before: listBefore, after: listAfter };
    compareLists(types, inside, listBefore, listAfter, { ...site, steps: [...site.steps, step] });
    found.add(inside, limitsOf(types, [listBefore, before], [listAfter, after]));
  }
  const removed = listsBefore.filter((each) => !pairs.some(([listBefore]) => listBefore === each));
  const added = listsAfter.filter((each) => !pairs.some(([, listAfter]) => listAfter === each));
  if (removed.length + added.length > 0)
    compareByVariance(types, found, before, after, site, [
      types.unionOf(removed),
      types.unionOf(added),
    ]);
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
  types: Comparison,
  found: FoundChanges,
  before: ArrayType,
  after: ArrayType,
  site: Site,
  [leastBefore, leastAfter]: readonly [number, number],
): boolean {
  const [mostBefore, mostAfter] = [greatestLength(before), greatestLength(after)];
  if (leastBefore === leastAfter && mostBefore === mostAfter) return false;
  const isWider = leastAfter <= leastBefore && mostAfter >= mostBefore;
  const isNarrower = leastAfter >= leastBefore && mostAfter <= mostBefore;
  const rule = isWider ? "type.widened" : isNarrower ? "type.narrowed" : "type.changed";
  reportTypes(types, found, typeRules[rule], site, before, after);
  return leastBefore > mostAfter || leastAfter > mostBefore;
}

/** Returns whether a type is an array that can have items. */
function isPlainList(type: Type): type is ArrayType {
  return type.kind === "array" && type.maxItems !== 0;
}
