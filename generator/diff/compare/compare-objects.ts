import type { Json, ObjectType, Type } from "../../model/types.js";
import { below, type Site } from "./change.js";
import { compareTexts } from "./compare-texts.js";
import type { Comparison } from "./comparison.js";
import { setField } from "../../../runtime/base/own-fields.js";
import { smallestObject, smallestValue } from "./smallest-values.js";
import type { DiffRuleId } from "./rules.js";
import type { OwnedProperty, Side } from "./side.js";
import { typeText } from "./type-text.js";

/** Compares two objects, properties of their bases included. */
export function compareObjects(
  types: Comparison,
  old: ObjectType,
  now: ObjectType,
  site: Site,
  ignored?: string,
): void {
  const before = new Map(types.before.propertiesOf(old).map((each) => [each.name, each]));
  const after = new Map(types.after.propertiesOf(now).map((each) => [each.name, each]));
  const removed = [...before.values()].filter(({ name }) => !after.has(name) && name !== ignored);
  const added = [...after.values()].filter(({ name }) => !before.has(name) && name !== ignored);
  const objects: Objects = { types, old, now, site };
  for (const [one, other] of findRenamed(types, removed, added)) {
    removed.splice(removed.indexOf(one), 1);
    added.splice(added.indexOf(other), 1);
    reportRenamed(objects, one, other);
  }
  for (const property of removed) reportPresence(objects, property, "removed");
  for (const property of added) reportPresence(objects, property, "added");
  for (const property of after.values()) {
    const other = before.get(property.name);
    if (other === undefined || property.name === ignored) continue;
    const compare = (): void => compareProperty(objects, other, property);
    // What a base states is the same in all that derive from it.
    if (site.label === "" && other.owner !== undefined && property.owner !== undefined)
      types.compareOnce(other, property, compare);
    else compare();
  }
  if (old.extras !== now.extras)
    types.report(site, now.extras === "closed" ? "object.closed" : "object.opened", {
      oldToNew: () => types.forward.counterexample(old, now),
      newToOld: () => types.backward.counterexample(now, old),
    });
}

interface Objects {
  readonly types: Comparison;
  readonly old: ObjectType;
  readonly now: ObjectType;
  readonly site: Site;
}

function reportPresence(
  { types, old, now, site }: Objects,
  property: OwnedProperty,
  what: "added" | "removed",
): void {
  const isAdded = what === "added";
  const side = isAdded ? types.after : types.before;
  const other = isAdded ? types.before : types.after;
  const text = typeText(property.type);
  const isFlag =
    !property.required &&
    property.type.kind === "boolean" &&
    side.protocol.capabilities.some(({ definition }) => definition === site.owner);
  // The one who has the property shows it; the one who requires it is shown an object without it.
  const withIt = (): Json => withProperty(side, isAdded ? now : old, property);
  const without = (): Json => smallestObject(other, isAdded ? old : now);
  types.report(
    {
      ...site,
      owner: property.owner ?? site.owner,
      label: `${site.label}.${property.name}`,
      ...pointers(isAdded ? undefined : property, isAdded ? property : undefined, site),
    },
    presenceRule(isAdded, isFlag, property.required),
    {
      change: `${isAdded ? "+" : "-"} ${property.name}${property.required ? "" : "?"}: ${text}`,
      old: property.name,
      new: property.name,
      decision: isFlag ? "" : `${property.name} ${text}`,
      ...(property.gate === undefined ? {} : { gate: property.gate }),
      oldToNew: isAdded ? without : withIt,
      newToOld: isAdded ? withIt : without,
    },
  );
}

function presenceRule(isAdded: boolean, isFlag: boolean, isRequired: boolean): DiffRuleId {
  if (isFlag) return isAdded ? "capability.added" : "capability.removed";
  if (isRequired) return isAdded ? "prop.added-required" : "prop.removed-required";
  return isAdded ? "prop.added-optional" : "prop.removed-optional";
}

function reportRenamed(
  { types, old, now, site }: Objects,
  one: OwnedProperty,
  other: OwnedProperty,
): void {
  const withIt = (side: Side, type: ObjectType, property: OwnedProperty) => (): Json =>
    withProperty(side, type, property);
  types.report(
    {
      ...site,
      owner: other.owner ?? site.owner,
      label: `${site.label}.${other.name}`,
      ...pointers(one, other, site),
    },
    one.required ? "prop.renamed-required" : "prop.renamed-optional",
    {
      change: `${one.name} → ${other.name}: ${typeText(other.type)}`,
      old: one.name,
      new: other.name,
      oldToNew: withIt(types.before, old, one),
      newToOld: withIt(types.after, now, other),
    },
  );
}

function compareProperty(
  { types, old, now, site }: Objects,
  before: OwnedProperty,
  after: OwnedProperty,
): void {
  const place: Site = {
    ...below(site, `.${after.name}`, { kind: "field", name: after.name }),
    owner: after.owner ?? site.owner,
    ...pointers(before, after, site),
  };
  if (before.required !== after.required)
    types.report(
      { ...place, steps: site.steps },
      after.required ? "prop.became-required" : "prop.became-optional",
      {
        change: after.required ? "optional → required" : "required → optional",
        decision: `${after.name} required`,
        oldToNew: () => smallestObject(types.before, old),
        newToOld: () => smallestObject(types.after, now),
      },
    );
  types.compare(before.type, after.type, place);
  compareDefaults(types, place, before.default, after.default);
  const [oldGate, newGate] = [before.gate, after.gate].map((gate) =>
    gate === undefined ? "" : `${gate.role}.${gate.flag}`,
  );
  if (oldGate !== newGate)
    types.report(
      { ...place, steps: site.steps },
      newGate === "" ? "gate.removed" : oldGate === "" ? "gate.added" : "gate.changed",
      { change: `${oldGate || "none"} → ${newGate || "none"}`, old: oldGate!, new: newGate! },
    );
  if (isReference(before.type) === isReference(after.type))
    compareTexts(types, before, after, place);
}

function compareDefaults(
  types: Comparison,
  site: Site,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [old, now] = [before, after].map((value) => JSON.stringify(value) ?? "");
  if (old === now) return;
  const id =
    before === undefined
      ? "default.added"
      : after === undefined
        ? "default.removed"
        : "default.changed";
  types.report(site, id, {
    change: `default ${old || "none"} → ${now || "none"}`,
    old: old!,
    new: now!,
    decision: `default ${old} ${now}`,
  });
}

/** Properties that went and came with the same type, and no other candidate: probably the same thing. */
function findRenamed(
  types: Comparison,
  removed: readonly OwnedProperty[],
  added: readonly OwnedProperty[],
): readonly (readonly [OwnedProperty, OwnedProperty])[] {
  const isMatch = (one: OwnedProperty, other: OwnedProperty): boolean =>
    one.required === other.required &&
    types.structure.isSame(one.type, other.type) &&
    haveCommonWord(one.name, other.name);
  return removed.flatMap((one) => {
    const [other, ...others] = added.filter((each) => isMatch(one, each));
    if (other === undefined || others.length > 0) return [];
    const rivals = removed.filter((each) => isMatch(each, other));
    return rivals.length === 1 ? [[one, other] as const] : [];
  });
}

/** Names of one thing mostly share a word: `line` and `startLine`. */
function haveCommonWord(one: string, other: string): boolean {
  const words = (name: string): readonly string[] =>
    name.split(/(?=[A-Z])|[_-]/).map((word) => word.toLowerCase());
  const known = words(other);
  return words(one).some((word) => known.includes(word));
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
  const [old, now] = [before?.at || site.before, after?.at || site.after];
  return {
    ...(old === undefined ? {} : { before: old }),
    ...(now === undefined ? {} : { after: now }),
  };
}

function isReference(type: Type): boolean {
  return type.kind === "reference";
}
