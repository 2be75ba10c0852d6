import type { ObjectType } from "../../model/types.js";
import type { FoundChanges, Site } from "./change.js";
import { compareProperty, reportPresence, reportRenamed } from "./compare-properties.js";
import type { Comparison } from "./comparison.js";
import { compiles, ruleFamily } from "./rule-family.js";
import type { OwnedProperty } from "./side.js";

export const objectRules = ruleFamily({
  "object.closed": {
    title: "Further properties forbidden",
    reason: "Older writers may add properties that newer readers refuse.",
    oldToNew: "degraded",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "object.opened",
  },
  "object.opened": {
    title: "Further properties allowed",
    reason: "Newer writers may add properties that older readers refuse.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "object.closed",
  },
});

/**
 * Compares two objects, properties of their bases included.
 *
 * @param ignored Name of a property that is not compared.
 */
export function compareObjects(
  types: Comparison,
  found: FoundChanges,
  old: ObjectType,
  now: ObjectType,
  site: Site,
  ignored?: string,
): void {
  const before = new Map(types.before.propertiesOf(old).map((each) => [each.name, each]));
  const after = new Map(types.after.propertiesOf(now).map((each) => [each.name, each]));
  // What no value can have is neither sent nor missed.
  const removed = [...before.values()].filter(
    ({ name, type }) => !after.has(name) && name !== ignored && types.before.isInhabited(type),
  );
  const added = [...after.values()].filter(
    ({ name, type }) => !before.has(name) && name !== ignored && types.after.isInhabited(type),
  );
  const objects = { types, old, now, site };
  const isClosed = old.extras === "closed" || now.extras === "closed";
  for (const [oldProperty, newProperty] of isClosed ? [] : findRenamed(types, removed, added)) {
    removed.splice(removed.indexOf(oldProperty), 1);
    added.splice(added.indexOf(newProperty), 1);
    reportRenamed(objects, found, oldProperty, newProperty);
  }
  for (const property of removed) reportPresence(objects, found, property, "removed");
  for (const property of added) reportPresence(objects, found, property, "added");
  for (const property of after.values()) {
    const oldProperty = before.get(property.name);
    if (oldProperty === undefined || property.name === ignored) continue;
    const compare = (into: FoundChanges): void =>
      compareProperty(objects, into, oldProperty, property);
    const isInherited = oldProperty.owner !== undefined && property.owner !== undefined;
    // What a base states is the same in all that derive from it.
    if (site.label === "" && isInherited)
      found.add(types.compareOnce(oldProperty, property, compare));
    else compare(found);
  }
  const { forward, backward } = types.byReaders;
  if (old.extras !== now.extras)
    found.report(objectRules[now.extras === "closed" ? "object.closed" : "object.opened"], site, {
      oldToNew: () => forward.counterexample(old, now),
      newToOld: () => backward.counterexample(now, old),
    });
}

/** Properties that went and came with the same type, and no other candidate: probably the same thing. */
function findRenamed(
  types: Comparison,
  removed: readonly OwnedProperty[],
  added: readonly OwnedProperty[],
): readonly (readonly [old: OwnedProperty, now: OwnedProperty])[] {
  const isMatch = (old: OwnedProperty, now: OwnedProperty): boolean =>
    old.required === now.required &&
    types.structure.isSame(old.type, now.type) &&
    haveCommonWord(old.name, now.name);
  return removed.flatMap((old) => {
    const [now, ...others] = added.filter((each) => isMatch(old, each));
    if (now === undefined || others.length > 0) return [];
    const rivals = removed.filter((each) => isMatch(each, now));
    return rivals.length === 1 ? [[old, now] as const] : [];
  });
}

/** Names of one thing mostly share a word: `line` and `startLine`. */
function haveCommonWord(old: string, now: string): boolean {
  const words = (name: string): readonly string[] =>
    name.split(/(?=[A-Z])|[_-]/).map((word) => word.toLowerCase());
  const known = words(now);
  return words(old).some((word) => known.includes(word));
}
