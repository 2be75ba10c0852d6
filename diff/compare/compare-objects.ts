import type { ObjectType } from "../../generator/model/types.js";
import type { FoundChanges, Site } from "./change.js";
import { compareProperty, reportPresence, reportRenamed } from "./compare-properties.js";
import type { Comparison } from "./comparison.js";
import { findRenamed } from "./find-renamed.js";
import { compiles, ruleFamily } from "./rule-family.js";
import type { OwnedProperty, Side } from "./side.js";

export const objectRules = ruleFamily({
  "object.closed": {
    title: "Additional properties forbidden",
    reason: "Older writers may add properties that newer readers reject.",
    oldToNew: "degraded",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "object.opened",
  },
  "object.opened": {
    title: "Additional properties allowed",
    reason: "Newer writers may add properties that older readers reject.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
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
  old: ObjectType,
  now: ObjectType,
  site: Site,
  ignored?: string,
): void {
  const before = new Map(types.before.propertiesOf(old).map((each) => [each.name, each]));
  const after = new Map(types.after.propertiesOf(now).map((each) => [each.name, each]));
  // Ignore optional properties for which no value exists. They are never sent, and no reader misses
  // them.
  const isSeen = (side: Side, { required, type }: OwnedProperty): boolean =>
    required || side.isInhabited(type);
  const removed = [...before.values()].filter(
    (each) => !after.has(each.name) && each.name !== ignored && isSeen(types.before, each),
  );
  const added = [...after.values()].filter(
    (each) => !before.has(each.name) && each.name !== ignored && isSeen(types.after, each),
  );
  const objects = { types, old, now, site };
  const isClosed = old.extras === "closed" || now.extras === "closed";
  const renamed = isClosed
    ? []
    : findRenamed(types.structure, [removed, [...before.values()]], [added, [...after.values()]]);
  for (const each of renamed) {
    removed.splice(removed.indexOf(each.old), 1);
    added.splice(added.indexOf(each.now), 1);
    reportRenamed(objects, found, each);
  }
  for (const property of removed) reportPresence(objects, found, property, "removed");
  for (const property of added) reportPresence(objects, found, property, "added");
  for (const property of after.values()) {
    const oldProperty = before.get(property.name);
    if (oldProperty === undefined || property.name === ignored) continue;
    const compare = (into: FoundChanges): void =>
      compareProperty(objects, into, oldProperty, property);
    const isInherited = oldProperty.owner !== undefined && property.owner !== undefined;
    // A base's property is the same in all derived types, so compare it only once.
    if (site.label === "" && isInherited)
      found.add(types.compareOnce(oldProperty, property, compare));
    else compare(found);
  }
  // Compare bases, too: if a derived object redeclares a property, no message contains the base's
  // version of the property, but code may use the base.
  for (const base of old.bases) if (now.bases.includes(base)) found.linkBase(base, site.steps);
  const { forward, backward } = types.byReaders;
  if (old.extras !== now.extras)
    found.report(objectRules[now.extras === "closed" ? "object.closed" : "object.opened"], site, {
      change: `further properties ${now.extras === "closed" ? "allowed → forbidden" : "forbidden → allowed"}`,
      oldToNew: () => forward.counterexample(old, now),
      newToOld: () => backward.counterexample(now, old),
    });
}
