import type { Type } from "../../generator/model/types.js";
import { isOfOverlap, withinUnion } from "./alternatives-in-code.js";
import { FoundChanges, type Site, type Step } from "./change.js";
import { limitsOf } from "./compare-variance.js";
import type { Comparison } from "./comparison.js";
import type { Side } from "./side.js";

/**
 * Compares those alternatives in two unions that are definitions with the same name but not
 * objects. Each pair of definitions is compared on its own, so that changes are located in the
 * definitions. Returns false if the unions have no such alternatives.
 */
export function compareAliases(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): boolean {
  const [old, now] = [types.before.resolve(before), types.after.resolve(after)];
  if (old.kind !== "union" || now.kind !== "union") return false;
  const aliases = old.members.flatMap((member) => {
    const match = now.members.find((each) => isAlias(types, member, each));
    return match === undefined ? [] : [[member, match] as const];
  });
  const left = old.members.filter((each) => !aliases.some(([alias]) => alias === each));
  const right = now.members.filter((each) => !aliases.some(([, alias]) => alias === each));
  // The alternatives without a counterpart are compared with each other, so either both versions
  // must have some or neither.
  if (aliases.length === 0 || (left.length === 0) !== (right.length === 0)) return false;
  const [oldRest, newRest] = [types.unionOf(left), types.unionOf(right)];
  // Do not split a union if only the remaining alternatives have a discriminator, because readers
  // of the whole union cannot make use of it.
  const isMisread = (side: Side, whole: Type, rest: Type): boolean =>
    side.discriminatorOf(whole) === undefined && side.discriminatorOf(rest) !== undefined;
  if (isMisread(types.before, old, oldRest) || isMisread(types.after, now, newRest)) return false;
  const compareParts = (one: Type, other: Type, step: Step): void => {
    const inside = new FoundChanges();
    types.compare(inside, one, other, { ...site, steps: [...site.steps, step] });
    if (inside.changes.length + inside.links.length === 0) return;
    const limits = limitsOf(types, [one, old], [other, now]);
    const isNamed = one.kind === "reference" && other.kind === "reference";
    if (isNamed) found.add(inside, limits);
    // Outside definitions, a change matters only if it affects values. If the union as a whole
    // accepts all the values, add only changes to alternatives that code distinguishes.
    else if (limits.forward !== "ok" || limits.backward !== "ok")
      found.add(withinUnion(inside, limits), limits);
    else found.add(seenByCode(inside), limits);
  };
  for (const [one, other] of aliases)
    compareParts(one, other, { kind: "member", before: one, after: other });
  if (left.length > 0)
    compareParts(oldRest, newRest, { kind: "member", before: oldRest, after: newRest });
  return true;
}

/**
 * Selects the changes that affect only code: changes to definitions, and changes to alternatives
 * that only code distinguishes.
 */
function seenByCode(inside: FoundChanges): FoundChanges {
  const found = new FoundChanges();
  found.changes.push(...inside.changes.filter(isOfOverlap));
  found.links.push(...inside.links);
  return found;
}

/**
 * Returns whether two alternatives are versions of the same definition and that definition is not
 * an object.
 */
function isAlias(types: Comparison, old: Type, now: Type): boolean {
  if (old.kind !== "reference" || now.kind !== "reference" || old.name !== now.name) return false;
  return [types.before.resolve(old), types.after.resolve(now)].some(
    ({ kind }) => kind !== "object" && kind !== "map",
  );
}
