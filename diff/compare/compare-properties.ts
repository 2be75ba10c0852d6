import { setField } from "../../runtime/base/own-fields.js";
import type { Json, ObjectType, Type } from "../../generator/model/types.js";
import { below, type FoundChanges, type Site } from "./change.js";
import { capabilityRules, reportGates } from "./compare-capabilities.js";
import { compareDefaults } from "./compare-defaults.js";
import { compareTexts } from "./compare-texts.js";
import type { Comparison } from "./comparison.js";
import type { RenamedProperty } from "./find-renamed.js";
import { propertyRules } from "./property-rules.js";
import type { DiffRule } from "./rule-family.js";
import type { OwnedProperty, Side } from "./side.js";
import { smallestObject, smallestValue } from "./smallest-values.js";
import { typeText } from "./type-text.js";

/** Two objects to compare, and the location of both. */
interface Objects {
  readonly types: Comparison;
  readonly old: ObjectType;
  readonly now: ObjectType;
  readonly site: Site;
}

/** Reports a property that exists in only one version. */
export function reportPresence(
  { types, old, now, site }: Objects,
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
  const withIt = (): Json => withProperty(having, isAdded ? now : old, property);
  const without = (): Json => smallestObject(lacking, isAdded ? old : now);
  const owner = heirOf(having, lacking, isAdded ? now : old, property);
  const isDeclared = owner === property.owner;
  const inherited = isDeclared ? "" : ` (of ${property.owner!})`;
  const place = placeOf(site, owner, types);
  found.report(
    presenceRule(isAdded, isFlag, property, (isAdded ? old : now).extras === "closed"),
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
      old: property.name,
      new: property.name,
      decision: isFlag ? "" : `${property.name} ${text}`,
      ...(property.gate === undefined ? {} : { gate: property.gate }),
      // TypeScript treats an inline object without properties as a dictionary.
      ...(!isAdded &&
      types.after.nameOf(now) === undefined &&
      types.after.propertiesOf(now).length === 0
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
  const { before: _before, after: _after, ...rest } = site;
  const [before, after] = [types.before, types.after].map(
    (side) => side.definitions.get(owner)?.pointer,
  );
  return {
    ...rest,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
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
export function reportRenamed(
  { types, old, now, site }: Objects,
  found: FoundChanges,
  { old: before, now: after, evidence }: RenamedProperty,
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
      old: before.name,
      new: after.name,
      evidence,
      oldToNew: () => withProperty(types.before, old, before),
      newToOld: () => withProperty(types.after, now, after),
    },
  );
}

/** Compares the two versions of a property. */
export function compareProperty(
  { types, old, now, site }: Objects,
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
        oldToNew: () => smallestObject(types.before, old),
        newToOld: () => smallestObject(types.after, now),
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
  const [old, now] = [before, after].map(({ pointer }) => pointer.replaceAll(/\/allOf\/\d+/g, ""));
  return old === now;
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
): { before?: string; after?: string } {
  const [old, now] = [before?.pointer || site.before, after?.pointer || site.after];
  return {
    ...(old === undefined ? {} : { before: old }),
    ...(now === undefined ? {} : { after: now }),
  };
}

function isReference(type: Type): boolean {
  return type.kind === "reference";
}
