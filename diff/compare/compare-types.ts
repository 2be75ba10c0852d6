import type {
  ArrayType,
  Json,
  NumericType,
  ObjectType,
  Type,
} from "../../generator/model/types.js";
import { itemTypeAt } from "../../generator/model/type-checks.js";
import { setField } from "../../runtime/base/own-fields.js";
import { changeOfFact, FoundChanges, type Change, type Site, type Step } from "./change.js";
import {
  compareBounds,
  compareNumbers,
  comparePatterns,
  compareStrings,
} from "./compare-bounds.js";
import { capabilityRules, reportGates } from "./compare-capabilities.js";
import { compareConditions, reportConditions } from "./compare-conditions.js";
import { compareEnums, listedValues, reportList } from "./compare-enums.js";
import { compareTexts } from "./compare-texts.js";
import { compareByVariance, differenceOf, limitsOf, rulesFor } from "./compare-variance.js";
import type { Comparison, Scope } from "./comparison.js";
import { extendedBy } from "./extended-alternatives.js";
import { findRenamed, type RenamedProperty } from "./find-renamed.js";
import { fails, ruleFamily, type DiffRule, waysOut } from "./rule-family.js";
import {
  leastJson,
  smallestObject,
  smallestValue,
  type OwnedProperty,
  type Side,
  type Version,
} from "./side.js";
import { freeNameLike } from "./sample-texts.js";
import { greatestLength, hasParts, isAnyItem, itemIndexes, StructureMatcher } from "./structure.js";
import { reportRespelled, reportTypes, typeRules } from "./type-changes.js";
import {
  isUnbounded,
  type Alternative,
  type JsonKind,
  type Resolved,
  type TypeForm,
} from "./type-form.js";
import { typeText } from "./type-text.js";

/** Compares two types by their references, and then by the kinds of values that they accept. */
export function compareTypes(scope: Scope, before: Type, after: Type): void {
  const { types, found, site } = scope;
  types.budget.spend();
  const areNamed = before.kind === "reference" && after.kind === "reference";
  if (areNamed) {
    const isSuccessor =
      before.name === after.name ||
      (!types.after.definitions.has(before.name) && !types.before.definitions.has(after.name));
    // Inside a replaced definition, link pairs of definitions instead of comparing them here, so
    // that each pair is compared only once.
    if (isSuccessor || types.replaced > 0) {
      // Conditions that appear next to a reference are not part of the definition it refers to.
      reportConditions(scope, [before], [after]);
      if (isSuccessor || !types.structure.isSame(before, after))
        found.link(before.name, after.name, site.steps);
      return;
    }
    if (types.structure.isSame(before, after)) return;
    if (areUnrelated(types, before.name, after.name)) {
      reportTypes(scope, typeRules["type.changed"], before, after);
      return;
    }
    if (isOtherUnion(types, before.name, after.name)) {
      reportReplaced(scope, before, after);
      return;
    }
  }
  const [resolvedBefore, resolvedAfter] = types.resolve(before, after);
  if (
    isSamePlain(resolvedBefore, resolvedAfter) ||
    types.open.get(resolvedBefore, resolvedAfter) === true
  )
    return;
  types.open.set(resolvedBefore, resolvedAfter, true);
  if (areNamed) types.replaced++;
  compareForms(scope, before, after);
  if (areNamed) types.replaced--;
  types.open.delete(resolvedBefore, resolvedAfter);
}

function areUnrelated(types: Comparison, before: string, after: string): boolean {
  if (!types.after.definitions.has(before) || !types.before.definitions.has(after)) return false;
  const propertiesBefore = propertiesOf(types.before, { kind: "reference", name: before });
  const propertiesAfter = propertiesOf(types.after, { kind: "reference", name: after });
  const names = new Set(propertiesBefore.map(({ name }) => name));
  return (
    propertiesBefore.some(({ required }) => required) &&
    propertiesAfter.some(({ required }) => required) &&
    !propertiesAfter.some(({ name }) => names.has(name))
  );
}

/**
 * Returns whether a reference leads to another definition than before, although both definitions
 * exist in both versions, and one of them is a union of objects. The reference is what changed, not
 * each of the alternatives.
 */
function isOtherUnion(types: Comparison, before: string, after: string): boolean {
  const { definitions: all } = types.before;
  if (!all.has(after) || !types.after.definitions.has(before)) return false;
  return (
    objectsOf(types.before, { kind: "reference", name: before }).length > 1 ||
    objectsOf(types.after, { kind: "reference", name: after }).length > 1
  );
}

/** Reports that a type as a whole was replaced, with the worst effect that this has. */
function reportReplaced(
  scope: Scope,
  before: Type,
  after: Type,
  links: FoundChanges["links"] = [],
): void {
  const { types, found } = scope;
  const limits = limitsOf(types, [before, before], [after, after]);
  const inside = new FoundChanges();
  const rule =
    limits.newToOld === "ok"
      ? "type.narrowed"
      : limits.oldToNew === "ok"
        ? "type.widened"
        : "type.changed";
  reportTypes(scope.into(inside), typeRules[rule], before, after);
  inside.links.push(...links);
  found.add(inside, limits);
}

/**
 * Quickly checks whether two types without parts are equal, which is by far the most common case.
 */
function isSamePlain(before: Resolved, after: Resolved): boolean {
  if (hasParts(before) || before.kind !== after.kind || before.kind === "enum") return false;
  const names = Object.keys(before) as (keyof Resolved)[];
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => before[name] === after[name])
  );
}

function compareForms(scope: Scope, before: Type, after: Type): void {
  const { types, found } = scope;
  compareConditions(scope, before, after);
  if (compareAliases(scope, before, after)) return;
  const [formBefore, formAfter] = [types.before.formOf(before), types.after.formOf(after)];
  if (!types.before.isInhabited(before) || !types.after.isInhabited(after)) {
    compareImpossible(scope, before, after);
    return;
  }
  const [restBefore, restAfter] = [
    withoutNull(types, "before", before),
    withoutNull(types, "after", after),
  ];
  const isNullable = restBefore !== undefined && restAfter !== undefined;
  const [partBefore, partAfter] = isNullable ? [restBefore, restAfter] : [before, after];
  const isPart = partBefore !== before || partAfter !== after;
  const isAny = formBefore.any || formAfter.any;
  const removed = isAny ? [] : kindsOnlyIn(types.before, formBefore, formAfter, isNullable);
  const added = isAny ? [] : kindsOnlyIn(types.after, formAfter, formBefore, isNullable);
  const hasOthers = removed.length > 0 || added.length > 0;
  const areParts =
    isPart &&
    partBefore.kind === "reference" &&
    partAfter.kind === "reference" &&
    (!hasOthers || isOfOneName(types, partBefore, partAfter));
  const changesNull = isNullable && formBefore.null !== formAfter.null && !isAny;
  if (changesNull && (areParts || !hasOthers)) {
    const rule = typeRules[formAfter.null ? "type.null-added" : "type.null-removed"];
    const examples = formAfter.null ? { newToOld: nothing } : { oldToNew: nothing };
    reportTypes(scope, rule, before, after, examples);
  }
  if (areParts) {
    // Changes inside a nullable definition are found when the definition itself is compared.
    const step: Step = { kind: "member", before: partBefore, after: partAfter };
    compareTypes(scope.below("", step), partBefore, partAfter);
    return;
  }
  if (formBefore.any || formAfter.any) {
    if (formBefore.any === formAfter.any) return;
    const count = found.changes.length;
    compareByVariance(scope, partBefore, partAfter);
    // Code has to narrow a value of any type before using it.
    if (found.changes.length === count) reportRespelled(scope, partBefore, partAfter);
    return;
  }
  const inside = new FoundChanges();
  for (const [kind, valuesBefore] of formBefore.parts) {
    const valuesAfter = formAfter.parts.get(kind);
    if (valuesAfter === undefined) continue;
    if (!types.before.isInhabited(valuesBefore) || !types.after.isInhabited(valuesAfter))
      compareByVariance(scope.into(inside), valuesBefore, valuesAfter);
    else if (kind === "object") compareAlternatives(scope.into(inside), partBefore, partAfter);
    else comparePart(scope.into(inside), kind, valuesBefore, valuesAfter);
  }
  // If null is added or removed along with other kinds, report a single change.
  if (hasOthers) {
    const ofNull = changesNull ? (["null"] as const) : [];
    const changed = {
      removed: formBefore.null ? [...removed, ...ofNull] : removed,
      added: formAfter.null ? [...added, ...ofNull] : added,
      inside,
    };
    if (changesNull) reportKinds(scope, before, after, changed);
    else reportKinds(scope, partBefore, partAfter, changed);
  } else found.add(inside);
}

/**
 * Compares two types of which at least one has no values, for example because every value would
 * have to contain another one of the same type.
 */
function compareImpossible(scope: Scope, before: Type, after: Type): void {
  const { types, found } = scope;
  const [resolvedBefore, resolvedAfter] = types.resolve(before, after);
  const inside = new FoundChanges();
  // If the properties that make values impossible have changed, report those changes.
  if (resolvedBefore.kind === "object" && resolvedAfter.kind === "object")
    compareObjects(scope.into(inside), resolvedBefore, resolvedAfter);
  if (inside.changes.length + inside.links.length === 0) compareByVariance(scope, before, after);
  else
    found.add(inside, {
      oldToNew: types.before.isInhabited(before) ? "rejected" : "ok",
      newToOld: types.after.isInhabited(after) ? "rejected" : "ok",
    });
}

/**
 * Returns the kinds of values that only one version allows, ignoring kinds for which no value
 * exists.
 */
function kindsOnlyIn(
  side: Side,
  form: TypeForm,
  other: TypeForm,
  isNullable: boolean,
): readonly (JsonKind | "null")[] {
  const kinds = [...form.parts]
    .filter(([kind, part]) => !other.parts.has(kind) && side.isInhabited(part))
    .map(([kind]) => kind);
  return !isNullable && form.null && !other.null ? [...kinds, "null"] : kinds;
}

/** Returns the type without null, or undefined if null is the only alternative. */
function withoutNull(types: Comparison, version: Version, type: Type): Type | undefined {
  const side = types[version];
  const form = side.formOf(type);
  if (!form.null) return type;
  const resolved = side.resolve(type);
  const [only, ...others] =
    resolved.kind === "union" ? resolved.members.filter(({ kind }) => kind !== "null") : [];
  // If a single definition is left, keep its name, even if it also allows null.
  if (only?.kind === "reference" && others.length === 0) return only;
  const members = side.membersOf(type).filter(({ resolved }) => resolved.kind !== "null");
  if (members.length <= 1) return members[0]?.type;
  return types.unionOf(members.map((each) => each.type));
}

/**
 * The kinds of values that were removed from a type or added to it, and the changes inside the
 * kinds that both versions accept.
 */
interface ChangedKinds {
  readonly removed: readonly (JsonKind | "null")[];
  readonly added: readonly (JsonKind | "null")[];
  readonly inside: FoundChanges;
}

/**
 * Reports that kinds of values were removed or added. If the text of this report already describes
 * changes to alternatives, these are not reported separately.
 */
function reportKinds(
  scope: Scope,
  before: Type,
  after: Type,
  { removed, added, inside }: ChangedKinds,
): void {
  const { types, found, site } = scope;
  const [resolvedBefore, resolvedAfter] = types.resolve(before, after);
  const wholes = inside.changes.filter((change) => isOfWhole(change, site));
  const narrows = removed.length > 0 || wholes.some(({ rule }) => rule.oldToNew === "broken");
  const widens = added.length > 0 || wholes.some(({ rule }) => rule.newToOld === "broken");
  const parts = wholes.filter(
    ({ rule }) => (narrows || rule.oldToNew === "ok") && (widens || rule.newToOld === "ok"),
  );
  const rule =
    resolvedAfter.kind === "array" &&
    resolvedBefore.kind !== "union" &&
    types.structure.isSame(resolvedBefore, resolvedAfter.items)
      ? typeRules["type.array-wrapped"]
      : resolvedBefore.kind === "array" &&
          resolvedAfter.kind !== "union" &&
          types.structure.isSame(resolvedBefore.items, resolvedAfter)
        ? typeRules["type.array-unwrapped"]
        : typeRules[narrows && widens ? "type.changed" : widens ? "type.widened" : "type.narrowed"];
  // The best example is a value of a kind that only one version allows.
  const exampleOf = (
    side: Side,
    type: Type,
    kinds: readonly (JsonKind | "null")[],
  ): Json | undefined => leastJson(kinds.flatMap((kind) => smallestOf(side, type, kind)));
  reportTypes(scope, rule, before, after, {
    oldToNew: removed.length === 0 ? undefined : () => exampleOf(types.before, before, removed),
    newToOld: added.length === 0 ? undefined : () => exampleOf(types.after, after, added),
  });
  found.changes.push(...inside.changes.filter((change) => !parts.includes(change)));
  found.links.push(...inside.links);
}

/**
 * Returns whether a change concerns the alternatives of the type as a whole rather than a part of a
 * value.
 */
function isOfWhole({ rule, site, limits, gate }: Change, { steps }: Site): boolean {
  return (
    (rule.area === "type" || rule.area === "union") &&
    site.steps.length === steps.length &&
    limits === undefined &&
    gate === undefined
  );
}

/**
 * Returns the smallest value of one kind that a type accepts, or an empty array if there is none.
 */
function smallestOf(side: Side, type: Type, kind: JsonKind | "null"): readonly Json[] {
  if (kind === "null") return [null];
  const part = side.formOf(type).parts.get(kind);
  const value = part === undefined ? undefined : smallestValue(side, part);
  return value === undefined ? [] : [value];
}

function comparePart(scope: Scope, kind: JsonKind, before: Type, after: Type): void {
  if (kind === "text") comparePatterns(scope, before, after);
  if (kind === "list") compareLists(scope, before, after);
  else if (before.kind === "string" && after.kind === "string")
    compareStrings(scope, before, after);
  else if (isNumeric(before) && isNumeric(after)) compareNumbers(scope, before, after);
  else if (before.kind === "literal" && after.kind === "literal") {
    if (before.value !== after.value)
      reportTypes(scope, typeRules["type.literal-changed"], before, after);
  } else compareValues(scope, before, after);
}

/** Compares two types of which at least one may list its values. */
function compareValues(scope: Scope, before: Type, after: Type): void {
  const [listBefore, listAfter] = [listedValues(before), listedValues(after)];
  if (listBefore !== undefined && listAfter !== undefined)
    compareEnums(scope, listBefore, listAfter);
  else if (isWhole(before, after) && isListed(after))
    reportList(scope, "introduced", before, after);
  else if (isListed(before) && isWhole(after, before)) reportList(scope, "dropped", before, after);
  else compareByVariance(scope, before, after);
}

function isListed({ kind }: Type): boolean {
  return kind === "enum" || kind === "literal";
}

/**
 * Returns whether a type accepts all values of its kind. If the other type lists only integers, it
 * is enough to accept all integers.
 */
function isWhole(type: Type, listed: Type): boolean {
  if (type.kind !== "integer") return type.kind === "boolean" || isUnbounded(type);
  return (
    isUnbounded({ ...type, kind: "number" }) &&
    listedValues(listed)?.open !== true &&
    listedValues(listed)?.values.every(({ value }) => Number.isInteger(value)) === true
  );
}

function isNumeric(type: Type): type is NumericType {
  return type.kind === "integer" || type.kind === "number";
}

function nothing(): Json {
  return null;
}

export const objectRules = ruleFamily({
  "object.closed": {
    title: "Additional properties forbidden",
    reason: "Older writers may add properties that newer readers reject.",
    oldToNew: "degraded",
    wayOut: "Keep the object open.",
    mirror: "object.opened",
  },
  "object.opened": {
    title: "Additional properties allowed",
    reason: "Newer writers may add properties that older readers reject.",
    newToOld: "degraded",
    wayOut: "Send only the declared properties to older peers.",
  },
});

/**
 * Compares two objects, including properties inherited from their bases.
 *
 * @param ignored Names of properties to leave out of the comparison.
 */
export function compareObjects(
  scope: Scope,
  before: ObjectType,
  after: ObjectType,
  ignored: ReadonlySet<string> = new Set(),
): void {
  const { types, found, site } = scope;
  const propertiesBefore = new Map(
    types.before.propertiesOf(before).map((each) => [each.name, each]),
  );
  const propertiesAfter = new Map(types.after.propertiesOf(after).map((each) => [each.name, each]));
  // Ignore optional properties for which no value exists. They are never sent, and no reader misses
  // them.
  const isSeen = (side: Side, { required, type }: OwnedProperty): boolean =>
    required || side.isInhabited(type);
  const removed = [...propertiesBefore.values()].filter(
    (each) =>
      !propertiesAfter.has(each.name) && !ignored.has(each.name) && isSeen(types.before, each),
  );
  const added = [...propertiesAfter.values()].filter(
    (each) =>
      !propertiesBefore.has(each.name) && !ignored.has(each.name) && isSeen(types.after, each),
  );
  const objects = [before, after] as const;
  const isClosed = before.extras === "closed" || after.extras === "closed";
  const renamed = isClosed
    ? []
    : findRenamed(
        types.structure,
        [removed, [...propertiesBefore.values()]],
        [added, [...propertiesAfter.values()]],
      );
  for (const each of renamed) {
    removed.splice(removed.indexOf(each.before), 1);
    added.splice(added.indexOf(each.after), 1);
    reportRenamed(scope, objects, each);
  }
  for (const property of removed) reportPresence(scope, objects, property, "removed");
  for (const property of added) reportPresence(scope, objects, property, "added");
  for (const property of propertiesAfter.values()) {
    const propertyBefore = propertiesBefore.get(property.name);
    if (propertyBefore === undefined || ignored.has(property.name)) continue;
    const compare = (into: FoundChanges): void =>
      compareProperty(scope.into(into), objects, propertyBefore, property);
    const isInherited = propertyBefore.owner !== undefined && property.owner !== undefined;
    // A base's property is the same in all derived types, so compare it only once.
    if (site.label === "" && isInherited)
      found.add(types.compareOnce(propertyBefore, property, compare));
    else compare(found);
  }
  const unnamedAfter = types.after.unnamedPartsOf(after);
  for (const [pattern, partBefore] of types.before.unnamedPartsOf(before)) {
    const partAfter = unnamedAfter.get(pattern);
    if (partAfter === undefined) continue;
    const names = [...propertiesBefore.keys(), ...propertiesAfter.keys()];
    const name = freeNameLike(pattern, names) ?? pattern;
    const part = scope
      .below(`{${pattern}}`, { kind: "field", name })
      .at({ owner: site.label === "" ? (partAfter.owner ?? site.owner) : site.owner });
    const compare = (into: FoundChanges): void =>
      compareUnnamed(part.into(into), objects, pattern, partBefore.type, partAfter.type);
    const isInherited = partBefore.owner !== undefined && partAfter.owner !== undefined;
    if (site.label === "" && isInherited)
      found.add(types.compareOnce(partBefore.type, partAfter.type, compare));
    else compare(found);
  }
  // Compare bases, too: if a derived object redeclares a property, no message contains the base's
  // version of the property, but code may use the base.
  for (const base of before.bases) if (after.bases.includes(base)) found.linkBase(base, site.steps);
  const { oldToNew, newToOld } = types.byReaders;
  if (before.extras !== after.extras)
    scope.report(objectRules[after.extras === "closed" ? "object.closed" : "object.opened"], {
      change: `further properties ${after.extras === "closed" ? "allowed → forbidden" : "forbidden → allowed"}`,
      oldToNew: () => oldToNew.counterexample(before, after),
      newToOld: () => newToOld.counterexample(after, before),
    });
}

/** Compares the types of properties that match a pattern. */
function compareUnnamed(
  scope: Scope,
  objects: readonly [ObjectType, ObjectType],
  pattern: string,
  before: Type,
  after: Type,
): void {
  const { types, found } = scope;
  const inside = new FoundChanges();
  compareTypes(scope.into(inside), before, after);
  if (objects.some(statesOthers) || inside.changes.length === 0) {
    found.add(inside);
    return;
  }
  found.links.push(...inside.links);
  reportAccepted(scope, "prop.matching", types.byReaders, before, after, {
    before: typeText(before),
    after: typeText(after),
    decided: `${pattern} `,
  });
}

export const propertyRules = ruleFamily({
  "prop.required-name-added": {
    title: "Undeclared property name became required",
    reason:
      "Older writers do not know the name. The schema lists it only as required, so newer peers may not send it either.",
    oldToNew: "degraded",
    newToOld: "lost",
    producer: fails("missing"),
    wayOut: "Declare the property, or remove its name from the list of required properties.",
    mirror: "prop.required-name-removed",
  },
  "prop.required-name-removed": {
    title: "Undeclared property name no longer required",
    reason:
      "Newer writers do not know the name. The schema listed it only as required, so older peers may not have sent it either.",
    oldToNew: "lost",
    newToOld: "degraded",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed"),
    wayOut: "Declare the property, and keep sending it.",
  },
  "prop.added-optional": {
    title: "Optional property added",
    reason: "An older reader ignores the property.",
    newToOld: "lost",
    heldBack: true,
    mirror: "prop.removed-optional",
  },
  "prop.added-required": {
    title: "Required property added",
    reason: "Older writers omit parts that newer readers require.",
    oldToNew: "broken",
    newToOld: "lost",
    producer: fails("missing"),
    heldBack: true,
    wayOut: waysOut.optional,
    mirror: "prop.removed-required",
  },
  "prop.removed-optional": {
    title: "Optional property removed",
    reason: "A newer reader ignores the property.",
    oldToNew: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    heldBack: true,
  },
  "prop.removed-required": {
    title: "Required property removed",
    reason: "Newer writers omit parts that older readers require.",
    oldToNew: "lost",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed"),
    heldBack: true,
    wayOut: waysOut.keepSending,
  },
  "prop.added-closed": {
    title: "Optional property added to a closed object",
    reason: "Older readers reject unknown properties.",
    newToOld: "degraded",
    heldBack: true,
    wayOut: waysOut.gated,
    mirror: "prop.removed-closed",
  },
  "prop.added-required-closed": {
    title: "Required property added to a closed object",
    reason:
      "Older writers omit parts that newer readers require, and older readers reject unknown properties.",
    oldToNew: "broken",
    newToOld: "degraded",
    producer: fails("missing"),
    heldBack: true,
    wayOut: waysOut.optional,
    mirror: "prop.removed-required-closed",
  },
  "prop.removed-closed": {
    title: "Optional property removed from a closed object",
    reason: "Newer readers reject unknown properties.",
    oldToNew: "degraded",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    heldBack: true,
    wayOut: waysOut.keepSending,
  },
  "prop.removed-required-closed": {
    title: "Required property removed from a closed object",
    reason:
      "Newer writers omit parts that older readers require, and newer readers reject unknown properties.",
    oldToNew: "degraded",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed"),
    heldBack: true,
    wayOut: waysOut.keepSending,
  },
  "prop.renamed-optional": {
    title: "Optional property renamed",
    reason: "Each version ignores the name that the other uses.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    wayOut: "Keep the old name, or send both names for a few versions.",
  },
  "prop.renamed-required": {
    title: "Required property renamed",
    reason: "Each version requires its own name.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("excess"),
    consumer: fails("removed"),
    wayOut: "Keep the old name, or send both names for a few versions.",
  },
  "prop.became-required": {
    title: "Property became required",
    reason: "Older writers may omit the property, but newer readers require it.",
    oldToNew: "broken",
    producer: fails("missing"),
    wayOut: waysOut.optional,
    mirror: "prop.became-optional",
  },
  "prop.matching-narrowed": {
    title: "Properties that match a pattern accept fewer values",
    reason: "Older writers may send {before}, but newer readers expect {after}.",
    oldToNew: "broken",
    wayOut: waysOut.keepReading,
    mirror: "prop.matching-widened",
  },
  "prop.matching-widened": {
    title: "Properties that match a pattern accept more values",
    reason: "Newer writers may send {after}, but older readers expect {before}.",
    newToOld: "broken",
    wayOut: waysOut.oldForm,
  },
  "prop.matching-changed": {
    title: "Properties that match a pattern accept other values",
    reason: "One version has {before}, and the other has {after}.",
    oldToNew: "broken",
    newToOld: "broken",
    wayOut: waysOut.otherName,
  },
  "prop.choice-narrowed": {
    title: "Fewer combinations of properties accepted",
    reason:
      "Newer readers require {after}. Older readers require {before}, so older writers may omit it.",
    oldToNew: "broken",
    producer: fails("type"),
    wayOut: waysOut.keepReading,
    mirror: "prop.choice-widened",
  },
  "prop.choice-widened": {
    title: "More combinations of properties accepted",
    reason:
      "Older readers require {before}. Newer readers require {after}, so newer writers may omit it.",
    newToOld: "broken",
    consumer: fails("type", "sometimes"),
    wayOut: "Send only the old combinations to older peers.",
  },
  "prop.choice-changed": {
    title: "Other combinations of properties accepted",
    reason: "One version requires {before}, and the other requires {after}.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("type"),
    consumer: fails("type", "sometimes"),
    wayOut: waysOut.otherName,
  },
  "prop.became-optional": {
    title: "Property became optional",
    reason: "Newer writers may omit the property, but older readers require it.",
    newToOld: "broken",
    consumer: fails("type"),
    wayOut: "Keep the property required, or require a capability for leaving it out.",
  },
});

/**
 * Returns whether an object's TypeScript type states the types of its unnamed properties. It does
 * not if the object may have any others.
 */
function statesOthers({ others, extras }: ObjectType): boolean {
  return others !== undefined || extras === "closed";
}

/** Two objects to compare. */
type Objects = readonly [before: ObjectType, after: ObjectType];

function reportPresence(
  scope: Scope,
  [objectBefore, objectAfter]: Objects,
  property: OwnedProperty,
  what: "added" | "removed",
): void {
  const { types, site } = scope;
  const isAdded = what === "added";
  const [object, objectWithout] = isAdded
    ? [objectAfter, objectBefore]
    : [objectBefore, objectAfter];
  const [having, lacking] = isAdded ? [types.after, types.before] : [types.before, types.after];
  const text = typeText(property.type);
  const isFlag =
    !property.required &&
    having.isOfCapabilities(property.owner ?? site.owner) &&
    isAnnouncement(having, property.type);
  // Examples for both directions: an object with the property, and the other version's smallest
  // object.
  const withIt = (): Json => withProperty(having, object, property);
  const without = (): Json => smallestObject(lacking, objectWithout);
  const owner = heirOf(having, lacking, object, property);
  const isDeclared = owner === property.owner;
  const inherited = isDeclared ? "" : ` (of ${property.owner!})`;
  const place = placeOf(site, owner, types);
  const declarer = property.owner === undefined ? having.declarerOf(property) : undefined;
  const isOfDeclarer =
    declarer !== undefined &&
    lacking.definitions.has(declarer) &&
    !lacking.declares(declarer, property.name);
  const base = owner === undefined ? undefined : lacking.definitions.get(owner)?.type;
  const isClosed = [objectWithout, base].some(
    (each) => each?.kind === "object" && each.extras === "closed",
  );
  const partScope = scope.at({
    ...siteOf(site, owner, isOfDeclarer ? declarer : undefined),
    label: `${site.label}.${property.name}`,
    ...pointers(
      isAdded || !isDeclared ? undefined : property,
      isAdded && isDeclared ? property : undefined,
      place,
    ),
  });
  partScope.report(presenceRule(isAdded, isFlag, property, isClosed), {
    change: `${isAdded ? "+" : "-"} ${property.name}${property.required ? "" : "?"}: ${text}${inherited}`,
    before: property.name,
    after: property.name,
    decision: isFlag ? "" : `${property.name} ${text}`,
    gate: property.gate,
    oldToNew: isAdded ? without : withIt,
    newToOld: isAdded ? withIt : without,
  });
}

function isAnnouncement(side: Side, type: Type): boolean {
  return side
    .alternativesOf(type)
    .every(({ kind }) => kind === "boolean" || kind === "object" || kind === "null");
}

/**
 * Returns the base that gained or lost a property that the object inherits. Returns undefined if
 * the object declares the property itself, or if its bases have changed.
 */
function heirOf(
  having: Side,
  lacking: Side,
  object: ObjectType,
  property: OwnedProperty,
): string | undefined {
  const { name, owner } = property;
  const has = (side: Side, base: string): boolean => {
    const type = side.definitions.get(base)?.type;
    return type?.kind === "object" && side.propertiesOf(type).some((each) => each.name === name);
  };
  const base = object.bases.find(
    (each) =>
      has(having, each) && (lacking.definitions.has(each) ? !has(lacking, each) : each === owner),
  );
  const type = base === undefined ? undefined : having.definitions.get(base)?.type;
  return type?.kind === "object" ? (heirOf(having, lacking, type, property) ?? base) : base;
}

/**
 * Returns the location of the object that declares a property: the base or the definition that it
 * comes from or, if the object is part of another type, the given location.
 *
 * @param declarer The definition, if both versions have it.
 */
function siteOf(site: Site, base: string | undefined, declarer: string | undefined): Site {
  return site.label === "" ? { ...site, owner: base ?? declarer ?? site.owner } : site;
}

function placeOf(site: Site, owner: string | undefined, types: Comparison): Site {
  if (owner === undefined) return site;
  return {
    ...site,
    before: types.before.definitions.get(owner)?.pointer,
    after: types.after.definitions.get(owner)?.pointer,
  };
}

/** @param isClosed Whether the version that lacks the property rejects it. */
function presenceRule(
  isAdded: boolean,
  isFlag: boolean,
  property: OwnedProperty,
  isClosed: boolean,
): DiffRule {
  const { required: isRequired } = property;
  const what = isAdded ? "added" : "removed";
  if (isUndeclared(property)) return propertyRules[`prop.required-name-${what}`];
  if (isClosed) return propertyRules[`prop.${what}-${isRequired ? "required-" : ""}closed`];
  if (isFlag) return capabilityRules[`capability.${what}`];
  return propertyRules[`prop.${what}-${isRequired ? "required" : "optional"}`];
}

function reportRenamed(
  scope: Scope,
  [objectBefore, objectAfter]: Objects,
  { before, after, evidence }: RenamedProperty,
): void {
  const { types, site } = scope;
  const rule = propertyRules[before.required ? "prop.renamed-required" : "prop.renamed-optional"];
  propertyScope(scope, before, after)
    .at({ steps: site.steps })
    .report(rule, {
      change: `${before.name} → ${after.name}: ${typeText(after.type)}`,
      before: before.name,
      after: after.name,
      evidence,
      oldToNew: () => withProperty(types.before, objectBefore, before),
      newToOld: () => withProperty(types.after, objectAfter, after),
    });
}

function compareProperty(
  scope: Scope,
  [objectBefore, objectAfter]: Objects,
  before: OwnedProperty,
  after: OwnedProperty,
): void {
  const { types } = scope;
  const property = propertyScope(scope, before, after);
  // The example is an object that lacks the property.
  const object = property.at({ steps: scope.site.steps });
  if (before.required !== after.required)
    object.report(propertyRules[after.required ? "prop.became-required" : "prop.became-optional"], {
      change: after.required ? "optional → required" : "required → optional",
      decision: `${after.name} required`,
      oldToNew: () => smallestObject(types.before, objectBefore),
      newToOld: () => smallestObject(types.after, objectAfter),
    });
  compareTypes(property, before.type, after.type);
  const isKnown = isSameAddress(before, after);
  if (isKnown || (before.default !== undefined && after.default !== undefined))
    compareDefaults(property, before, after);
  if (isKnown || !isKeptGate(types, before, after)) reportGates(object, before.gate, after.gate);
  if (isReference(before.type) === isReference(after.type)) compareTexts(property, before, after);
}

/** Returns the scope of a property that both versions have, perhaps under different names. */
function propertyScope(scope: Scope, before: OwnedProperty, after: OwnedProperty): Scope {
  const { site, types } = scope;
  const declarer = types.after.declarerOf(after);
  const isKept = declarer === types.before.declarerOf(before);
  return scope
    .at(siteOf(site, after.owner, isKept ? declarer : undefined))
    .below(`.${after.name}`, { kind: "field", name: after.name })
    .at(pointers(before, after, site));
}

/** Returns whether the schema lists a property as required without declaring it. */
function isUndeclared({ pointer, type, required }: OwnedProperty): boolean {
  return (
    required &&
    type.kind === "any" &&
    /\/required$/.test(pointer) &&
    !/\/properties\/required$/.test(pointer)
  );
}

/**
 * Returns whether a property is at the same location in both schemas, so that a protocol
 * description refers to it in both versions or in neither.
 */
function isSameAddress(before: OwnedProperty, after: OwnedProperty): boolean {
  if (before.pointer === after.pointer) return true;
  const [pointerBefore, pointerAfter] = [before, after].map(({ pointer }) =>
    pointer.replaceAll(/\/allOf\/\d+/g, ""),
  );
  return pointerBefore === pointerAfter;
}

/**
 * Returns whether only one version states the capability that a property requires, even though the
 * capability exists in the other version as well.
 */
function isKeptGate(types: Comparison, before: OwnedProperty, after: OwnedProperty): boolean {
  if ((before.gate === undefined) === (after.gate === undefined)) return false;
  const gate = before.gate ?? after.gate;
  const lacking = before.gate === undefined ? types.before : types.after;
  return gate !== undefined && lacking.canAnnounce(gate);
}

function withProperty(side: Side, type: ObjectType, property: OwnedProperty): Json {
  const value = smallestObject(side, type);
  setField(value, property.name, smallestValue(side, property.type) ?? null);
  return value;
}

function pointers(
  before: OwnedProperty | undefined,
  after: OwnedProperty | undefined,
  site: Site,
): Pick<Site, "before" | "after"> {
  return { before: before?.pointer || site.before, after: after?.pointer || site.after };
}

function isReference(type: Type): boolean {
  return type.kind === "reference";
}

export const defaultRules = ruleFamily({
  "default.added": {
    title: "Default specified",
    reason: "Previously, the schema did not define what an absent value means.",
    mirror: "default.removed",
  },
  "default.changed": {
    title: "Default changed",
    reason: "An absent value means {before} to one version and {after} to the other.",
    oldToNew: "different",
    newToOld: "different",
    wayOut: "Always send the value, so that the default does not matter.",
  },
  "default.changed-unused": {
    title: "Default of a required property changed",
    reason: "The property is always present, so its default never applies.",
  },
  "default.removed": {
    title: "Default no longer specified",
    reason: "The schema no longer defines what an absent value means.",
  },
});

/**
 * Compares a property's default values. The default states what it means for the property to be
 * absent.
 */
function compareDefaults(
  scope: Scope,
  { default: before, required: wasRequired }: OwnedProperty,
  { default: after, required: isRequired }: OwnedProperty,
): void {
  const fact = changeOfFact(JSON.stringify(before), JSON.stringify(after), "default ");
  if (fact === undefined) return;
  const { kind, ...details } = fact;
  const isUnused = kind === "changed" && wasRequired && isRequired;
  scope.report(defaultRules[`default.${isUnused ? "changed-unused" : kind}`], {
    ...details,
    decision: `default ${details.before} ${details.after}`,
  });
}

export const unionRules = ruleFamily({
  "union.branch-added": {
    title: "Alternative added",
    reason: "Older readers do not recognise {after} here.",
    newToOld: "degraded",
    consumer: fails("type", "whole-value"),
    exhaustive: true,
    wayOut: waysOut.oldForm,
    mirror: "union.branch-removed",
  },
  "union.branch-removed": {
    title: "Alternative removed",
    reason: "Newer readers do not recognise {before} here.",
    oldToNew: "degraded",
    producer: fails("type"),
    consumer: fails("removed", "direct-use"),
    exhaustive: true,
    wayOut: waysOut.keepReading,
  },
  "union.untagged-added": {
    title: "Untagged alternative added",
    reason: "Newer writers may send {after}, but older readers accept only {before}.",
    newToOld: "broken",
    consumer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.oldForm,
    mirror: "union.untagged-removed",
  },
  "union.untagged-removed": {
    title: "Untagged alternative removed",
    reason: "Older writers may send {before}, but newer readers accept only {after}.",
    oldToNew: "broken",
    producer: fails("type"),
    consumer: fails("removed", "direct-use"),
    exhaustive: true,
    wayOut: waysOut.keepReading,
  },
  "union.overlap-added": {
    title: "Alternative added for values that were already valid",
    reason: "Older readers mistake values of {after} for values of another alternative.",
    consumer: fails("type", "whole-value"),
    mirror: "union.overlap-removed",
  },
  "union.overlap-removed": {
    title: "Alternative removed for values that are still valid",
    reason: "Newer readers mistake values of {before} for values of another alternative.",
    consumer: fails("removed", "direct-use"),
  },
});

/** Compares the objects that two types have among their alternatives. */
export function compareAlternatives(scope: Scope, before: Type, after: Type): void {
  const { types, found } = scope;
  const [objectsBefore, objectsAfter] = [
    objectsOf(types.before, before),
    objectsOf(types.after, after),
  ];
  if (objectsBefore.length === 1 && objectsAfter.length === 1) {
    compareMembers(scope, [before, objectsBefore[0]!], [after, objectsAfter[0]!]);
    return;
  }
  const [typesBefore, typesAfter] = [
    objectsBefore.map(({ type }) => type),
    objectsAfter.map(({ type }) => type),
  ];
  if (compareExtended(scope, typesBefore, typesAfter)) return;
  const [unionBefore, unionAfter] = [types.unionOf(typesBefore), types.unionOf(typesAfter)];
  if (compareChoices(scope, unionBefore, unionAfter)) return;
  if (types.structure.isSame(unionBefore, unionAfter) && !hasNames(...typesBefore, ...typesAfter))
    return;
  const matched = compareMatched(
    scope,
    { union: before, members: objectsBefore, types: typesBefore, objects: unionBefore },
    { union: after, members: objectsAfter, types: typesAfter, objects: unionAfter },
  );
  const count = found.changes.length + found.links.length;
  /**
   * Alternatives that were added or removed even though other alternatives accept their values.
   * They are reported only if nothing else has changed.
   */
  const overlapping = scope.into(new FoundChanges());
  for (const direction of ["oldToNew", "newToOld"] as const) {
    const isRemoved = direction === "oldToNew";
    const [members, others] = isRemoved ? [typesBefore, typesAfter] : [typesAfter, typesBefore];
    const union = isRemoved ? unionAfter : unionBefore;
    const rules = isRemoved ? removedRules : addedRules;
    const paired = new Set(matched.map((pair) => pair[isRemoved ? 0 : 1]));
    members.forEach((member, index) => {
      if (paired.has(index)) return;
      const text = typeText(member);
      const change = `${isRemoved ? "-" : "+"} ${text}`;
      const texts = (other?: string): Pick<Change, "before" | "after"> =>
        isRemoved ? { before: text, after: other } : { before: other, after: text };
      const reported = rulesFor(differenceOf(types, direction, member, union), direction, rules);
      const isSame = (other: Type): boolean =>
        isRemoved ? types.structure.isSame(member, other) : types.structure.isSame(other, member);
      if (reported.length === 0 && !others.some(isSame))
        alternativeScope(overlapping, text).report(
          unionRules[isRemoved ? "union.overlap-removed" : "union.overlap-added"],
          { change, ...texts() },
        );
      for (const { rule, shownTo } of reported)
        alternativeScope(scope, text).report(rule, {
          change,
          ...texts(rule === rules.broken ? typeText(union) : undefined),
          [direction]: () => types.by(shownTo)[direction].counterexample(member, union),
        });
    });
  }
  if (found.changes.length + found.links.length === count) found.add(overlapping.found);
}

/**
 * Compares alternatives that extend those of a definition. Changes to that definition are located
 * there. Returns false unless both versions extend the same definition.
 */
function compareExtended(scope: Scope, before: readonly Type[], after: readonly Type[]): boolean {
  const { types, found, site } = scope;
  const namesAfter = extendedBy(types.after, after);
  const [base, names] =
    [...extendedBy(types.before, before)].find(([name]) => namesAfter.has(name)) ?? [];
  const [objectBefore, objectAfter] = types.resolve(before[0]!, after[0]!);
  if (base === undefined || objectBefore.kind !== "object" || objectAfter.kind !== "object")
    return false;
  found.link(base, base, site.steps);
  // The objects differ only in what they extend, so it is enough to compare the first of them.
  const extended = new Set([...names!, ...namesAfter.get(base)!]);
  compareObjects(scope, objectBefore, objectAfter, extended);
  return true;
}

/**
 * Compares alternatives that are one object, of which each requires other properties. Returns false
 * if they differ in anything else.
 */
function compareChoices(scope: Scope, before: Type, after: Type): boolean {
  const { types } = scope;
  const [choiceBefore, choiceAfter] = [
    choiceOf(types.before, before),
    choiceOf(types.after, after),
  ];
  const [one, other] = [choiceBefore?.objects[0], choiceAfter?.objects[0]];
  if (choiceBefore === undefined || choiceAfter === undefined || !one || !other) return false;
  if (
    !types.structure.isSame(withoutRequired(types.before, one), withoutRequired(types.after, other))
  )
    return false;
  if (choiceBefore.text === choiceAfter.text) return false;
  return reportAccepted(scope, "prop.choice", types.by("exact"), before, after, {
    before: choiceBefore.text,
    after: choiceAfter.text,
    changed: "required: ",
  });
}

/**
 * Reports that each version accepts other values, with a value that the other rejects as evidence.
 * Returns false if there is none.
 *
 * @param texts Both sides, and what precedes them in the texts of the change and of the decision.
 */
function reportAccepted(
  scope: Scope,
  subject: "prop.matching" | "prop.choice",
  { oldToNew, newToOld }: Comparison["byReaders"],
  before: Type,
  after: Type,
  texts: {
    readonly before: string;
    readonly after: string;
    readonly changed?: string;
    readonly decided?: string;
  },
): boolean {
  const lost = oldToNew.counterexample(before, after);
  const gained = newToOld.counterexample(after, before);
  if (lost === undefined && gained === undefined) return false;
  const what = gained === undefined ? "narrowed" : lost === undefined ? "widened" : "changed";
  const { changed = "", decided = "" } = texts;
  const both = `${texts.before} → ${texts.after}`;
  scope.report(propertyRules[`${subject}-${what}`], {
    change: `${changed}${both}`,
    before: texts.before,
    after: texts.after,
    decision: `${decided}${both}`,
    oldToNew: () => lost,
    newToOld: () => gained,
  });
  return true;
}

/**
 * Returns the inline objects of a union that differ only in what they require, and a text that
 * states it.
 */
function choiceOf(
  side: Side,
  type: Type,
): { readonly objects: readonly ObjectType[]; readonly text: string } | undefined {
  const objects = objectsOf(side, type).flatMap(({ type: each }) =>
    each.kind === "object" && side.nameOf(each) === undefined ? [each] : [],
  );
  const isWhole = objects.length === objectsOf(side, type).length;
  const whole = side.resolve(type);
  const listed = isWhole ? objects : whole.kind === "object" ? [whole] : [];
  const [first, ...others] = listed;
  if (first === undefined || first.properties.length === 0) return undefined;
  const same = new StructureMatcher(side, side);
  const isChoice = others.every((each) =>
    same.isSame(withoutRequired(side, first), withoutRequired(side, each)),
  );
  const required = listed.map((each) =>
    side
      .propertiesOf(each)
      .flatMap((property) => (property.required ? [property.name] : []))
      .join(" + "),
  );
  return isChoice
    ? { objects: listed, text: required.map((names) => names || "none").join(" or ") }
    : undefined;
}

function withoutRequired(side: Side, type: ObjectType): ObjectType {
  const properties = side.propertiesOf(type).map((each) => ({ ...each, required: false }));
  return { ...type, bases: [], properties };
}

/** A version's type, and the objects among its alternatives. */
interface ObjectAlternatives {
  readonly union: Type;
  readonly members: readonly Alternative[];
  readonly types: readonly Type[];
  /** The union of `types`. */
  readonly objects: Type;
}

function compareMatched(
  scope: Scope,
  before: ObjectAlternatives,
  after: ObjectAlternatives,
): readonly (readonly [number, number])[] {
  const { types, found } = scope;
  const matched: (readonly [number, number])[] = [];
  for (const pair of matchMembers(types, before.types, after.types)) {
    const [index, indexAfter] = pair;
    const [memberBefore, memberAfter] = [before.types[index]!, after.types[indexAfter]!];
    const isOther =
      isClaimed(types.after, after.objects, types.before, memberBefore, memberAfter) ||
      isClaimed(types.before, before.objects, types.after, memberAfter, memberBefore);
    const isNamed = isOfOneName(types, memberBefore, memberAfter);
    if (isOther && !isNamed) continue;
    // Limit the effect, because other alternatives may accept values that this one no longer
    // accepts.
    const limits = limitsOf(types, [memberBefore, before.objects], [memberAfter, after.objects]);
    // A definition whose discriminator was replaced counts as changed. However, if readers mistake
    // its values for another alternative and then cannot read them, it counts as removed and added.
    const isReported =
      !isOther || (limits.oldToNew !== "rejected" && limits.newToOld !== "rejected");
    if (isReported) matched.push(pair);
    const inside = new FoundChanges();
    compareMembers(
      scope.into(inside),
      [before.union, before.members[index]!],
      [after.union, after.members[indexAfter]!],
    );
    if (inside.changes.length === 0 && inside.links.length === 0) continue;
    found.add(inside, isReported ? limits : { oldToNew: "ok", newToOld: "ok" });
  }
  return matched;
}

function isClaimed(reader: Side, union: Type, writer: Side, member: Type, match: Type): boolean {
  const discriminator = reader.discriminatorOf(union);
  const written = writer.resolve(member);
  if (discriminator === undefined || written.kind !== "object") return false;
  const property = writer.propertiesOf(written).find(({ name }) => name === discriminator.name);
  const matched = reader.resolve(match);
  return writer
    .alternativesOf(property?.type ?? { kind: "any" })
    .flatMap((each) => listedValues(each)?.values ?? [])
    .some(
      ({ value }) => discriminator.objects.get(value)?.includes(matched as ObjectType) === false,
    );
}

const removedRules = {
  broken: unionRules["union.untagged-removed"],
  degraded: unionRules["union.branch-removed"],
};

const addedRules = {
  broken: unionRules["union.untagged-added"],
  degraded: unionRules["union.branch-added"],
};

function objectsOf(side: Side, type: Type): readonly Alternative[] {
  return side
    .membersOf(type)
    .filter(({ resolved }) => resolved.kind === "object" || resolved.kind === "map");
}

/**
 * Returns whether any of the alternatives is a definition. Its description may have changed even if
 * its structure is the same.
 */
function hasNames(...types: readonly Type[]): boolean {
  return types.some(({ kind }) => kind === "reference");
}

function compareMembers(
  scope: Scope,
  [before, memberBefore]: readonly [Type, Alternative],
  [after, memberAfter]: readonly [Type, Alternative],
): void {
  const { types, found } = scope;
  const isWhole =
    types.before.resolve(before) === memberBefore.resolved &&
    types.after.resolve(after) === memberAfter.resolved;
  if (!isWhole) {
    const step: Step = { kind: "member", before: memberBefore.type, after: memberAfter.type };
    compareTypes(scope.below("", step), memberBefore.type, memberAfter.type);
  } else if (memberBefore.resolved.kind === "object" && memberAfter.resolved.kind === "object")
    compareObjects(scope, memberBefore.resolved, memberAfter.resolved);
  else if (memberBefore.resolved.kind === "map" && memberAfter.resolved.kind === "map")
    compareTypes(
      scope.below("{}", { kind: "values" }),
      memberBefore.resolved.values,
      memberAfter.resolved.values,
    );
  else {
    const inside = new FoundChanges();
    compareByVariance(scope.into(inside), before, after);
    found.add(inside);
    const isForCode = !inside.changes.some(
      ({ rule }) => !rule.producer.compiles && !rule.consumer.compiles,
    );
    if (isForCode && !areBothFree(types, memberBefore.resolved, memberAfter.resolved))
      reportRespelled(scope, before, after);
  }
}

function areBothFree(types: Comparison, before: Resolved, after: Resolved): boolean {
  const isFree = (side: Side, type: Resolved): boolean =>
    type.kind === "map"
      ? side.formOf(type.values).any
      : side.nameOf(type) === undefined && propertiesOf(side, type).length === 0;
  return isFree(types.before, before) && isFree(types.after, after);
}

function alternativeScope(scope: Scope, alternative: string): Scope {
  return scope.at({ label: `${scope.site.label} | ${alternative}` });
}

/**
 * Compares those alternatives in two unions that are definitions with the same name but not
 * objects. Each pair of definitions is compared on its own, so that changes are located in the
 * definitions. Returns false if the unions have no such alternatives.
 */
export function compareAliases(scope: Scope, before: Type, after: Type): boolean {
  const { types, found } = scope;
  const [unionBefore, unionAfter] = types.resolve(before, after);
  if (unionBefore.kind !== "union" || unionAfter.kind !== "union") return false;
  const aliases = unionBefore.members.flatMap((member) => {
    const match = unionAfter.members.find((each) => isAlias(types, member, each));
    return match === undefined ? [] : [[member, match] as const];
  });
  const othersBefore = unionBefore.members.filter(
    (each) => !aliases.some(([alias]) => alias === each),
  );
  const othersAfter = unionAfter.members.filter(
    (each) => !aliases.some(([, alias]) => alias === each),
  );
  // The alternatives without a counterpart are compared with each other, so either both versions
  // must have some or neither.
  if (aliases.length === 0 || (othersBefore.length === 0) !== (othersAfter.length === 0))
    return false;
  const [restBefore, restAfter] = [types.unionOf(othersBefore), types.unionOf(othersAfter)];
  // Do not split a union if only the remaining alternatives have a discriminator, because readers
  // of the whole union cannot make use of it.
  const isMisread = (side: Side, whole: Type, rest: Type): boolean =>
    side.discriminatorOf(whole) === undefined && side.discriminatorOf(rest) !== undefined;
  if (
    isMisread(types.before, unionBefore, restBefore) ||
    isMisread(types.after, unionAfter, restAfter)
  )
    return false;
  const compareParts = (partBefore: Type, partAfter: Type, step: Step): void => {
    const inside = new FoundChanges();
    compareTypes(scope.into(inside).below("", step), partBefore, partAfter);
    if (inside.changes.length + inside.links.length === 0) return;
    const limits = limitsOf(types, [partBefore, unionBefore], [partAfter, unionAfter]);
    const isNamed = partBefore.kind === "reference" && partAfter.kind === "reference";
    if (isNamed) found.add(inside, limits);
    // Outside definitions, a change matters only if it affects values. If the union as a whole
    // accepts all the values, add only changes that nobody but code notices.
    else if (limits.oldToNew !== "ok" || limits.newToOld !== "ok") found.add(inside, limits);
    else {
      const isOfCode = ({ rule }: Change): boolean =>
        rule.id.startsWith("union.overlap") || rule.id === "type.respelled";
      found.changes.push(...inside.changes.filter(isOfCode));
      found.links.push(...inside.links.map((link) => ({ ...link, limits })));
    }
  };
  for (const [partBefore, partAfter] of aliases)
    compareParts(partBefore, partAfter, { kind: "member", before: partBefore, after: partAfter });
  if (othersBefore.length > 0)
    compareParts(restBefore, restAfter, { kind: "member", before: restBefore, after: restAfter });
  return true;
}

/**
 * Returns whether two alternatives are versions of the same definition and that definition is not
 * an object.
 */
function isAlias(types: Comparison, before: Type, after: Type): boolean {
  if (before.kind !== "reference" || after.kind !== "reference" || before.name !== after.name)
    return false;
  return [types.before.resolve(before), types.after.resolve(after)].some(
    ({ kind }) => kind !== "object" && kind !== "map",
  );
}

/** Minimum proportion of shared properties for two alternatives to be paired. */
const leastShare = 0.5;

/**
 * Pairs up the alternatives of two unions: by name, then by structure, by discriminator, by equal
 * properties, and finally by the largest proportion of shared properties.
 */
export function matchMembers(
  types: Comparison,
  before: readonly Type[],
  after: readonly Type[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const free = new Set(after.keys());
  const rest = new Set(before.keys());
  const pair = (index: number, match: number): void => {
    pairs.push([index, match]);
    free.delete(match);
    rest.delete(index);
  };
  const tags = [
    before.map((type) => discriminators(types.before, type)),
    after.map((type) => discriminators(types.after, type)),
  ] as const;
  const shares = (index: number, place: number): number => {
    const [tagsBefore, tagsAfter] = [tags[0][index]!, tags[1][place]!];
    // If both objects have discriminators, do not pair them by their properties.
    if (tagsBefore !== "" && tagsAfter !== "") return 0;
    return shareOf(
      propertiesOf(types.before, before[index]!),
      propertiesOf(types.after, after[place]!),
    );
  };
  const tests: readonly ((index: number, place: number) => boolean)[] = [
    (index, place) => isOfOneName(types, before[index]!, after[place]!),
    (index, place) => isMapOfOneName(types, before[index]!, after[place]!),
    (index, place) => haveCommonNames(types, before[index]!, after[place]!),
    (index, place) => types.structure.isSame(before[index]!, after[place]!),
    (index, place) => tags[0][index] !== "" && tags[0][index] === tags[1][place],
    (index, place) => shares(index, place) === 1,
  ];
  for (const test of tests)
    for (const index of [...rest]) {
      const match = [...free].find((place) => test(index, place));
      if (match !== undefined) pair(index, match);
    }
  const similar = [...rest].flatMap((index) =>
    [...free].map((place) => ({ index, place, share: shares(index, place) })),
  );
  for (const { index, place, share } of similar.sort((a, b) => b.share - a.share))
    if (share >= leastShare && rest.has(index) && free.has(place)) pair(index, place);
  // If the unions have the same size and each has exactly one alternative left, pair these two.
  if (rest.size === 1 && free.size === 1 && before.length === after.length)
    pair([...rest][0]!, [...free][0]!);
  return pairs.sort(([a], [b]) => a - b);
}

/**
 * Returns whether two alternatives are definitions with the same name, which makes them the same
 * type as far as code is concerned.
 */
export function isOfOneName(types: Comparison, before: Type, after: Type): boolean {
  const name = types.before.nameOf(before);
  return name !== undefined && name === types.after.nameOf(after);
}

/**
 * Returns whether two types, such as the items of two arrays, are unions that have a definition in
 * common.
 */
export function haveCommonNames(types: Comparison, before: Type, after: Type): boolean {
  const [resolvedBefore, resolvedAfter] = types.resolve(before, after);
  return (
    resolvedBefore.kind === "union" &&
    resolvedAfter.kind === "union" &&
    resolvedBefore.members.some((memberBefore) =>
      resolvedAfter.members.some((memberAfter) => isOfOneName(types, memberBefore, memberAfter)),
    )
  );
}

function isMapOfOneName(types: Comparison, before: Type, after: Type): boolean {
  const [resolvedBefore, resolvedAfter] = types.resolve(before, after);
  return (
    resolvedBefore.kind === "map" &&
    resolvedAfter.kind === "map" &&
    isOfOneName(types, resolvedBefore.values, resolvedAfter.values)
  );
}

/**
 * Returns the proportion of properties that two objects share. It is 1 if all names are the same
 * and the same properties are required.
 */
function shareOf(before: readonly OwnedProperty[], after: readonly OwnedProperty[]): number {
  if (before.length === 0 || after.length === 0) return 0;
  const byName = new Map(after.map((each) => [each.name, each]));
  const common = before.filter(({ name }) => byName.has(name));
  const alike = common.filter(({ name, required }) => byName.get(name)!.required === required);
  return (common.length + alike.length) / (before.length + after.length);
}

function propertiesOf(side: Side, type: Type): readonly OwnedProperty[] {
  const resolved = side.resolve(type);
  return resolved.kind === "object" ? side.propertiesOf(resolved) : [];
}

function discriminators(side: Side, type: Type): string {
  return propertiesOf(side, type)
    .flatMap((property) => {
      const target = side.resolve(property.type);
      return target.kind === "literal" ? [`${property.name}=${JSON.stringify(target.value)}`] : [];
    })
    .sort()
    .join();
}

/** Compares the arrays that two types have among their alternatives. */
export function compareLists(scope: Scope, before: Type, after: Type): void {
  const { types, found } = scope;
  if (compareListAlternatives(scope, before, after)) return;
  if (!isPlainList(before) || !isPlainList(after)) {
    if (!types.structure.isSame(before, after)) compareByVariance(scope, before, after);
    return;
  }
  const isTuple = !isAnyItem(before, after);
  const items = new FoundChanges();
  for (const index of itemIndexes(before, after))
    compareTypes(
      scope
        .into(items)
        .below(
          isTuple ? `[${index}]` : "[]",
          isTuple ? { kind: "items", index } : { kind: "items" },
        ),
      itemTypeAt(before, index),
      itemTypeAt(after, index),
    );
  if (isAnyItem(before) !== isAnyItem(after) && items.changes.length > 0) {
    reportReplaced(scope, before, after, items.links);
    return;
  }
  const least = [before.minItems ?? 0, after.minItems ?? 0] as const;
  const isOther = isTuple && compareLengths(scope, before, after, least);
  if (!isTuple)
    compareBounds(scope, before, after, {
      least,
      most: [before.maxItems, after.maxItems],
    });
  // A tuple whose length has changed is a different type, so changes to its items do not matter.
  if (isOther) found.links.push(...items.links);
  else found.add(items);
}

/**
 * Compares unions of arrays based on the definitions of their items. Returns false if the unions
 * share no definition.
 */
function compareListAlternatives(scope: Scope, before: Type, after: Type): boolean {
  const { types, found } = scope;
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
    compareLists(scope.into(inside).below("", step), listBefore, listAfter);
    found.add(inside, limitsOf(types, [listBefore, before], [listAfter, after]));
  }
  const removed = listsBefore.filter((each) => !pairs.some(([listBefore]) => listBefore === each));
  const added = listsAfter.filter((each) => !pairs.some(([, listAfter]) => listAfter === each));
  if (removed.length + added.length > 0)
    compareByVariance(scope, before, after, [types.unionOf(removed), types.unionOf(added)]);
  return true;
}

/** Returns a type's alternatives if all of them are arrays that can have items. */
function listsOf(type: Type): readonly ArrayType[] | undefined {
  const members = type.kind === "union" ? type.members : [type];
  return members.every(isPlainList) ? members : undefined;
}

function compareLengths(
  scope: Scope,
  before: ArrayType,
  after: ArrayType,
  [leastBefore, leastAfter]: readonly [number, number],
): boolean {
  const [mostBefore, mostAfter] = [greatestLength(before), greatestLength(after)];
  if (leastBefore === leastAfter && mostBefore === mostAfter) return false;
  const isWider = leastAfter <= leastBefore && mostAfter >= mostBefore;
  const isNarrower = leastAfter >= leastBefore && mostAfter <= mostBefore;
  const rule = isWider ? "type.widened" : isNarrower ? "type.narrowed" : "type.changed";
  reportTypes(scope, typeRules[rule], before, after);
  return leastBefore > mostAfter || leastAfter > mostBefore;
}

function isPlainList(type: Type): type is ArrayType {
  return type.kind === "array" && type.maxItems !== 0;
}
