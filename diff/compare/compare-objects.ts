import type { Json, ObjectType, Type } from "../../generator/model/types.js";
import { below, type FoundChanges, type Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import { findRenamed, type RenamedProperty } from "./find-renamed.js";
import { type DiffRule, fails, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";
import type { OwnedProperty } from "./type-lookup.js";
import { setField } from "../../runtime/base/own-fields.js";
import { capabilityRules, reportGates } from "./compare-capabilities.js";
import { compareTexts } from "./compare-texts.js";
import { smallestObject, smallestValue } from "./smallest-values.js";
import { typeText } from "./type-text.js";

export const objectRules = ruleFamily({
  "object.closed": {
    title: "Additional properties forbidden",
    reason: "Older writers may add properties that newer readers reject.",
    oldToNew: "degraded",
    newToOld: "ok",
    mirror: "object.opened",
  },
  "object.opened": {
    title: "Additional properties allowed",
    reason: "Newer writers may add properties that older readers reject.",
    oldToNew: "ok",
    newToOld: "degraded",
    mirror: "object.closed",
  },
});

/**
 * Compares two objects, including properties inherited from their bases.
 *
 * @param ignored Name of a property to leave out of the comparison.
 */
export function compareObjects(
  types: Comparison,
  found: FoundChanges,
  before: ObjectType,
  after: ObjectType,
  site: Site,
  ignored?: string,
): void {
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
      !propertiesAfter.has(each.name) && each.name !== ignored && isSeen(types.before, each),
  );
  const added = [...propertiesAfter.values()].filter(
    (each) =>
      !propertiesBefore.has(each.name) && each.name !== ignored && isSeen(types.after, each),
  );
  const objects = { types, objectBefore: before, objectAfter: after, site };
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
    reportRenamed(objects, found, each);
  }
  for (const property of removed) reportPresence(objects, found, property, "removed");
  for (const property of added) reportPresence(objects, found, property, "added");
  for (const property of propertiesAfter.values()) {
    const propertyBefore = propertiesBefore.get(property.name);
    if (propertyBefore === undefined || property.name === ignored) continue;
    const compare = (into: FoundChanges): void =>
      compareProperty(objects, into, propertyBefore, property);
    const isInherited = propertyBefore.owner !== undefined && property.owner !== undefined;
    // A base's property is the same in all derived types, so compare it only once.
    if (site.label === "" && isInherited)
      found.add(types.compareOnce(propertyBefore, property, compare));
    else compare(found);
  }
  // Compare bases, too: if a derived object redeclares a property, no message contains the base's
  // version of the property, but code may use the base.
  for (const base of before.bases) if (after.bases.includes(base)) found.linkBase(base, site.steps);
  const { oldToNew, newToOld } = types.byReaders;
  if (before.extras !== after.extras)
    found.report(objectRules[after.extras === "closed" ? "object.closed" : "object.opened"], site, {
      change: `further properties ${after.extras === "closed" ? "allowed → forbidden" : "forbidden → allowed"}`,
      oldToNew: () => oldToNew.counterexample(before, after),
      newToOld: () => newToOld.counterexample(after, before),
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
    mirror: "prop.required-name-added",
  },
  "prop.added-optional": {
    title: "Optional property added",
    reason: "An older reader ignores the property.",
    oldToNew: "ok",
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
    mirror: "prop.removed-required",
  },
  "prop.removed-optional": {
    title: "Optional property removed",
    reason: "A newer reader ignores the property.",
    oldToNew: "lost",
    newToOld: "ok",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    heldBack: true,
    mirror: "prop.added-optional",
  },
  "prop.removed-required": {
    title: "Required property removed",
    reason: "Newer writers omit parts that older readers require.",
    oldToNew: "lost",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed"),
    heldBack: true,
    mirror: "prop.added-required",
  },
  "prop.added-closed": {
    title: "Optional property added to a closed object",
    reason: "Older readers reject unknown properties.",
    oldToNew: "ok",
    newToOld: "degraded",
    heldBack: true,
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
    mirror: "prop.removed-required-closed",
  },
  "prop.removed-closed": {
    title: "Optional property removed from a closed object",
    reason: "Newer readers reject unknown properties.",
    oldToNew: "degraded",
    newToOld: "ok",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    heldBack: true,
    mirror: "prop.added-closed",
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
    mirror: "prop.added-required-closed",
  },
  "prop.renamed-optional": {
    title: "Optional property renamed",
    reason: "Each version ignores the name that the other uses.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    mirror: "prop.renamed-optional",
  },
  "prop.renamed-required": {
    title: "Required property renamed",
    reason: "Each version requires its own name.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("excess"),
    consumer: fails("removed"),
    mirror: "prop.renamed-required",
  },
  "prop.became-required": {
    title: "Property became required",
    reason: "Older writers may omit the property, but newer readers require it.",
    oldToNew: "broken",
    newToOld: "ok",
    producer: fails("missing"),
    mirror: "prop.became-optional",
  },
  "prop.became-optional": {
    title: "Property became optional",
    reason: "Newer writers may omit the property, but older readers require it.",
    oldToNew: "ok",
    newToOld: "broken",
    consumer: fails("type"),
    mirror: "prop.became-required",
  },
});

/** Two objects to compare, and the location of both. */
interface Objects {
  readonly types: Comparison;
  readonly objectBefore: ObjectType;
  readonly objectAfter: ObjectType;
  readonly site: Site;
}

/** Reports a property that exists in only one version. */
function reportPresence(
  { types, objectBefore, objectAfter, site }: Objects,
  found: FoundChanges,
  property: OwnedProperty,
  what: "added" | "removed",
): void {
  const isAdded = what === "added";
  const [having, lacking] = isAdded ? [types.after, types.before] : [types.before, types.after];
  const text = typeText(property.type);
  const isFlag =
    !property.required &&
    having.isOfCapabilities(property.owner ?? site.owner) &&
    isAnnouncement(having, property.type);
  // Examples for both directions: an object with the property, and the other version's smallest
  // object.
  const withIt = (): Json => withProperty(having, isAdded ? objectAfter : objectBefore, property);
  const without = (): Json => smallestObject(lacking, isAdded ? objectBefore : objectAfter);
  const owner = heirOf(having, lacking, isAdded ? objectAfter : objectBefore, property);
  const isDeclared = owner === property.owner;
  const inherited = isDeclared ? "" : ` (of ${property.owner!})`;
  const place = placeOf(site, owner, types);
  found.report(
    presenceRule(
      isAdded,
      isFlag,
      property,
      (isAdded ? objectBefore : objectAfter).extras === "closed",
    ),
    {
      ...site,
      owner: ownerAt(site, owner),
      label: `${site.label}.${property.name}`,
      ...pointers(
        isAdded || !isDeclared ? undefined : property,
        isAdded && isDeclared ? property : undefined,
        place,
      ),
    },
    {
      change: `${isAdded ? "+" : "-"} ${property.name}${property.required ? "" : "?"}: ${text}${inherited}`,
      before: property.name,
      after: property.name,
      decision: isFlag ? "" : `${property.name} ${text}`,
      ...(property.gate === undefined ? {} : { gate: property.gate }),
      // TypeScript treats an inline object without properties as a dictionary.
      ...(!isAdded &&
      types.after.nameOf(objectAfter) === undefined &&
      types.after.propertiesOf(objectAfter).length === 0
        ? { builds: true }
        : {}),
      oldToNew: isAdded ? without : withIt,
      newToOld: isAdded ? withIt : without,
    },
  );
}

/**
 * Returns whether a property can announce a capability, either as a boolean or as an object with
 * details.
 */
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
 * Returns the definition name to use in a location: the base that declares the property or, if the
 * object is part of another type, the owner of the location.
 */
function ownerAt(site: Site, base: string | undefined): string {
  return site.label === "" ? (base ?? site.owner) : site.owner;
}

/**
 * Returns the site of a property, which is either the base that the object inherits it from or the
 * object itself.
 */
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
  if (isUndeclared(property))
    return propertyRules[isAdded ? "prop.required-name-added" : "prop.required-name-removed"];
  if (isClosed) return propertyRules[`prop.${what}-${isRequired ? "required-" : ""}closed`];
  if (isFlag) return capabilityRules[isAdded ? "capability.added" : "capability.removed"];
  if (isRequired) return propertyRules[isAdded ? "prop.added-required" : "prop.removed-required"];
  return propertyRules[isAdded ? "prop.added-optional" : "prop.removed-optional"];
}

/** Reports a property that was probably renamed. */
function reportRenamed(
  { types, objectBefore, objectAfter, site }: Objects,
  found: FoundChanges,
  { before, after, evidence }: RenamedProperty,
): void {
  found.report(
    propertyRules[before.required ? "prop.renamed-required" : "prop.renamed-optional"],
    {
      ...site,
      owner: ownerAt(site, after.owner),
      label: `${site.label}.${after.name}`,
      ...pointers(before, after, site),
    },
    {
      change: `${before.name} → ${after.name}: ${typeText(after.type)}`,
      before: before.name,
      after: after.name,
      evidence,
      oldToNew: () => withProperty(types.before, objectBefore, before),
      newToOld: () => withProperty(types.after, objectAfter, after),
    },
  );
}

/** Compares the two versions of a property. */
function compareProperty(
  { types, objectBefore, objectAfter, site }: Objects,
  found: FoundChanges,
  before: OwnedProperty,
  after: OwnedProperty,
): void {
  const place: Site = {
    ...below(site, `.${after.name}`, { kind: "field", name: after.name }),
    owner: ownerAt(site, after.owner),
    ...pointers(before, after, site),
  };
  // The example is an object that lacks the property.
  const objectSite: Site = { ...place, steps: site.steps };
  if (before.required !== after.required)
    found.report(
      propertyRules[after.required ? "prop.became-required" : "prop.became-optional"],
      objectSite,
      {
        change: after.required ? "optional → required" : "required → optional",
        decision: `${after.name} required`,
        // In TypeScript, a type that accepts any value includes undefined.
        ...(!after.required && types.after.formOf(after.type).any ? { reads: true } : {}),
        oldToNew: () => smallestObject(types.before, objectBefore),
        newToOld: () => smallestObject(types.after, objectAfter),
      },
    );
  types.compare(found, before.type, after.type, place);
  const isKnown = isSameAddress(before, after);
  if (isKnown || (before.default !== undefined && after.default !== undefined))
    compareDefaults(found, before.default, after.default, place);
  if (isKnown || !isKeptGate(types, before, after))
    reportGates(found, before.gate, after.gate, objectSite);
  if (isReference(before.type) === isReference(after.type))
    compareTexts(found, before, after, place);
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
    oldToNew: "ok",
    newToOld: "ok",
    mirror: "default.removed",
  },
  "default.changed": {
    title: "Default changed",
    reason: "An absent value means {before} to one version and {after} to the other.",
    oldToNew: "different",
    newToOld: "different",
    mirror: "default.changed",
  },
  "default.removed": {
    title: "Default no longer specified",
    reason: "The schema no longer defines what an absent value means.",
    oldToNew: "ok",
    newToOld: "ok",
    mirror: "default.added",
  },
});

/**
 * Compares a property's default values. The default states what it means for the property to be
 * absent.
 */
function compareDefaults(
  found: FoundChanges,
  before: Json | undefined,
  after: Json | undefined,
  site: Site,
): void {
  const [beforeText, afterText] = [before, after].map((value) => JSON.stringify(value) ?? "");
  if (beforeText === afterText) return;
  const id =
    before === undefined
      ? "default.added"
      : after === undefined
        ? "default.removed"
        : "default.changed";
  found.report(defaultRules[id], site, {
    change: `default ${beforeText || "none"} → ${afterText || "none"}`,
    before: beforeText!,
    after: afterText!,
    decision: `default ${beforeText} ${afterText}`,
  });
}
