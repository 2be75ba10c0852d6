import type { NumericType, Type } from "../../model/types.js";
import { below, type FoundChanges, type Site } from "./change.js";
import { compareBounds, compareNumbers, compareStrings } from "./compare-bounds.js";
import {
  compareEnums,
  isSamePrimitive,
  isTextList,
  listedValues,
  reportDropped,
  reportIntroduced,
} from "./compare-enums.js";
import { compareObjects } from "./compare-objects.js";
import { compareUnions } from "./compare-unions.js";
import type { Comparison } from "./comparison.js";
import { compareByVariance, reportTypes, typeRules } from "./type-changes.js";

/** Compares two types, neither of which is null, by their kinds. */
export function compareKinds(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const old = types.before.resolve(before);
  const now = types.after.resolve(after);
  const oldList = listedValues(old);
  const newList = listedValues(now);
  if (old.kind === "union" || now.kind === "union")
    compareUnions(types, found, before, after, site);
  else if (old.kind === "object" && now.kind === "object")
    compareObjects(types, found, old, now, site);
  else if (old.kind === "array" && now.kind === "array") {
    compareBounds(types, found, old, now, site, {
      least: [old.minItems, now.minItems],
      most: [old.maxItems, now.maxItems],
    });
    types.compare(found, old.items, now.items, below(site, "[]", { kind: "items" }));
  } else if (old.kind === "map" && now.kind === "map")
    types.compare(found, old.values, now.values, below(site, "{}", { kind: "values" }));
  else if (old.kind === "string" && now.kind === "string")
    compareStrings(types, found, old, now, site);
  else if (isNumeric(old) && isNumeric(now)) compareNumbers(types, found, old, now, site);
  else if (old.kind === "literal" && now.kind === "literal") {
    if (old.value !== now.value)
      reportTypes(types, found, typeRules["type.literal-changed"], site, old, now);
  } else if (oldList !== undefined && newList !== undefined && isSamePrimitive(oldList, newList))
    compareEnums(types, found, oldList, newList, site);
  else if (old.kind === "string" && isTextList(newList))
    reportIntroduced(types, found, old, newList, site);
  else if (isTextList(oldList) && now.kind === "string")
    reportDropped(types, found, oldList, now, site);
  else if (now.kind === "array" && types.structure.isSame(old, now.items))
    reportTypes(types, found, typeRules["type.array-wrapped"], site, before, after);
  else if (old.kind === "array" && types.structure.isSame(old.items, now))
    reportTypes(types, found, typeRules["type.array-unwrapped"], site, before, after);
  else compareByVariance(types, found, before, after, site);
}

function isNumeric(type: Type): type is NumericType {
  return type.kind === "integer" || type.kind === "number";
}
