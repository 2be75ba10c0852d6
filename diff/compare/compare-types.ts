import type { Json, NumericType, Type } from "../../generator/model/types.js";
import {
  type Change,
  type ChangeDetails,
  codeVerdict,
  FoundChanges,
  type Site,
  type Step,
} from "./change.js";
import { hasParts, TypePairs } from "./structure.js";
import type { Side, Version } from "./side.js";
import type { Resolved } from "./type-lookup.js";
import { Comparison } from "./comparison.js";
import { compareConditions, reportConditions } from "./compare-conditions.js";
import { reportForCode, reportTypes, typeRules } from "./type-changes.js";
import { compareNumbers, comparePatterns, compareStrings } from "./compare-bounds.js";
import { compareAliases, compareAlternatives, isOfOneName } from "./compare-unions.js";
import { compareEnums, listedValues, reportDropped, reportIntroduced } from "./compare-enums.js";
import { compareLists } from "./compare-lists.js";
import { compareObjects } from "./compare-objects.js";
import { compareByVariance, readingOf } from "./compare-variance.js";
import type { Compiles } from "./rule-family.js";
import { leastJson, smallestValue } from "./smallest-values.js";
import { isUnbounded, type JsonKind, type TypeForm } from "./type-form.js";

/** Compares types by their references, and then by the kinds of values that they accept. */
export class TypeComparison extends Comparison {
  /**
   * The pairs of types that are currently being compared. A nested occurrence of such a pair is
   * skipped, so that recursive inline types do not lead to infinite recursion.
   */
  readonly #open = new TypePairs<true>();
  /**
   * Number of enclosing pairs in which the new definition replaces the old one instead of being its
   * next version.
   */
  #replaced = 0;

  compare(found: FoundChanges, before: Type, after: Type, site: Site): void {
    this.budget.spend();
    const areNamed = before.kind === "reference" && after.kind === "reference";
    if (areNamed) {
      const isLinked = this.#isSuccessor(before.name, after.name) || this.#replaced > 0;
      // Conditions that appear next to a reference are not part of the definition it refers to.
      if (isLinked) reportConditions(found, [before], [after], site);
      // Inside a replaced definition, link pairs of definitions instead of comparing them here, so
      // that each pair is compared only once.
      if (isLinked) {
        if (!this.structure.isSame(before, after) || this.#isSuccessor(before.name, after.name))
          found.link(before.name, after.name, site.steps);
        return;
      }
      if (this.structure.isSame(before, after)) return;
      if (this.#areUnrelated(before.name, after.name)) {
        reportTypes(this, found, typeRules["type.changed"], site, before, after);
        return;
      }
    }
    const [resolvedBefore, resolvedAfter] = [
      this.before.resolve(before),
      this.after.resolve(after),
    ];
    if (
      isSamePlain(resolvedBefore, resolvedAfter) ||
      this.#open.get(resolvedBefore, resolvedAfter) === true
    )
      return;
    this.#open.set(resolvedBefore, resolvedAfter, true);
    if (areNamed) this.#replaced++;
    compareForms(this, found, before, after, site);
    if (areNamed) this.#replaced--;
    this.#open.delete(resolvedBefore, resolvedAfter);
  }

  /**
   * Returns whether a reference now leads to a definition that has nothing in common with the
   * previous one: both versions have both definitions, the two share no property, and each has
   * required properties.
   */
  #areUnrelated(before: string, after: string): boolean {
    const areKept = this.after.definitions.has(before) && this.before.definitions.has(after);
    const objectBefore = this.before.resolve({ kind: "reference", name: before });
    const objectAfter = this.after.resolve({ kind: "reference", name: after });
    if (!areKept || objectBefore.kind !== "object" || objectAfter.kind !== "object") return false;
    const [propertiesBefore, propertiesAfter] = [
      this.before.propertiesOf(objectBefore),
      this.after.propertiesOf(objectAfter),
    ];
    const names = new Set(propertiesBefore.map(({ name }) => name));
    return (
      propertiesBefore.some(({ required }) => required) &&
      propertiesAfter.some(({ required }) => required) &&
      !propertiesAfter.some(({ name }) => names.has(name))
    );
  }

  /**
   * Returns whether the new definition is the next version of the objectBefore one, possibly under a
   * different name.
   */
  #isSuccessor(before: string, after: string): boolean {
    return (
      before === after ||
      (!this.after.definitions.has(before) && !this.before.definitions.has(after))
    );
  }
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

/** Compares two types according to the kinds of values that they accept. */
function compareForms(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  compareConditions(types, found, before, after, site);
  if (compareAliases(types, found, before, after, site)) return;
  const [formBefore, formAfter] = [types.before.formOf(before), types.after.formOf(after)];
  if (!types.before.isInhabited(before) || !types.after.isInhabited(after)) {
    compareImpossible(types, found, before, after, site);
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
    reportTypes(types, found, rule, site, before, after, examples);
  }
  if (areParts) {
    // Changes inside a nullable definition are found when the definition itself is compared.
    const step: Step = { kind: "member", before: partBefore, after: partAfter };
    types.compare(found, partBefore, partAfter, { ...site, steps: [...site.steps, step] });
    return;
  }
  if (formBefore.any || formAfter.any) {
    if (formBefore.any !== formAfter.any) compareToAny(types, found, partBefore, partAfter, site);
    return;
  }
  const inside = new FoundChanges();
  for (const [kind, valuesBefore] of formBefore.parts) {
    const valuesAfter = formAfter.parts.get(kind);
    if (valuesAfter === undefined) continue;
    if (!types.before.isInhabited(valuesBefore) || !types.after.isInhabited(valuesAfter))
      compareByVariance(types, inside, valuesBefore, valuesAfter, site);
    else if (kind === "object") compareAlternatives(types, inside, partBefore, partAfter, site);
    else comparePart(types, inside, kind, valuesBefore, valuesAfter, site);
  }
  // If null is added or removed along with other kinds, report a single change.
  if (hasOthers) {
    const ofNull = changesNull ? (["null"] as const) : [];
    const changed = {
      removed: formBefore.null ? [...removed, ...ofNull] : removed,
      added: formAfter.null ? [...added, ...ofNull] : added,
      inside,
    };
    if (changesNull) reportKinds(types, found, before, after, site, changed);
    else reportKinds(types, found, partBefore, partAfter, site, changed);
  } else found.add(inside);
}

/**
 * Compares two types of which at least one has no values, for example because every value would
 * have to contain another one of the same type.
 */
function compareImpossible(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const [resolvedBefore, resolvedAfter] = [
    types.before.resolve(before),
    types.after.resolve(after),
  ];
  const inside = new FoundChanges();
  // If the properties that make values impossible have changed, report those changes.
  if (resolvedBefore.kind === "object" && resolvedAfter.kind === "object")
    compareObjects(types, inside, resolvedBefore, resolvedAfter, site);
  if (inside.changes.length + inside.links.length === 0)
    compareByVariance(types, found, before, after, site);
  else
    found.add(inside, {
      oldToNew: types.before.isInhabited(before) ? "rejected" : "ok",
      newToOld: types.after.isInhabited(after) ? "rejected" : "ok",
    });
}

/**
 * Compares two types of which one accepts any value. Code has to narrow such a value before using
 * it.
 */
function compareToAny(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const count = found.changes.length;
  compareByVariance(types, found, before, after, site);
  if (found.changes.length > count) return;
  const isAny = types.after.formOf(after).any;
  reportForCode(types, found, before, after, site, { builds: isAny, reads: !isAny });
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
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
  { removed, added, inside }: ChangedKinds,
): void {
  const [resolvedBefore, resolvedAfter] = [
    types.before.resolve(before),
    types.after.resolve(after),
  ];
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
  const code = readingOf(types, before, after);
  reportTypes(types, found, rule, site, before, after, {
    ...code,
    ...codeOfParts({ rule, site, ...code }, parts),
    ...(removed.length === 0 ? {} : { oldToNew: () => exampleOf(types.before, before, removed) }),
    ...(added.length === 0 ? {} : { newToOld: () => exampleOf(types.after, after, added) }),
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
 * Determines how changes that are reported together with a change of kinds affect code. Even if
 * code copes with the change of kinds, one of the other changes may break it.
 */
function codeOfParts(
  change: Change,
  parts: readonly Change[],
): Pick<ChangeDetails, "builds" | "reads"> {
  const broken = (use: "builds" | "reads"): Compiles | undefined =>
    codeVerdict(change, use).compiles
      ? parts.map((part) => codeVerdict(part, use)).find(({ compiles }) => !compiles)
      : undefined;
  const [builds, reads] = [broken("builds"), broken("reads")];
  return { ...(builds && { builds }), ...(reads && { reads }) };
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

/** Compares the values of one kind that both types accept. */
function comparePart(
  types: Comparison,
  found: FoundChanges,
  kind: JsonKind,
  before: Type,
  after: Type,
  site: Site,
): void {
  if (kind === "text") comparePatterns(found, before, after, site);
  if (kind === "list") compareLists(types, found, before, after, site);
  else if (before.kind === "string" && after.kind === "string")
    compareStrings(types, found, before, after, site);
  else if (isNumeric(before) && isNumeric(after)) compareNumbers(types, found, before, after, site);
  else if (before.kind === "literal" && after.kind === "literal") {
    if (before.value !== after.value)
      reportTypes(types, found, typeRules["type.literal-changed"], site, before, after);
  } else compareValues(types, found, before, after, site);
}

/** Compares two types of which at least one may list its values. */
function compareValues(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const [listBefore, listAfter] = [listedValues(before), listedValues(after)];
  if (listBefore !== undefined && listAfter !== undefined)
    compareEnums(types, found, listBefore, listAfter, site);
  else if (isWhole(before, after) && isListed(after))
    reportIntroduced(types, found, before, after, site);
  else if (isListed(before) && isWhole(after, before))
    reportDropped(types, found, before, after, site);
  else compareByVariance(types, found, before, after, site);
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
