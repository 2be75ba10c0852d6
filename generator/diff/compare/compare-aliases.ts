import type { Type } from "../../model/types.js";
import { isOfOverlap, withinUnion } from "./alternatives-in-code.js";
import { FoundChanges, type Site, type Step } from "./change.js";
import { limitsOf } from "./compare-variance.js";
import type { Comparison } from "./comparison.js";
import type { Side } from "./side.js";

/**
 * Separately compares alternatives with the same name that are not objects, so that their changes
 * are found in their definitions. Returns false if there are none.
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
  // Otherwise, the rest of one version would have no counterpart.
  if (aliases.length === 0 || (left.length === 0) !== (right.length === 0)) return false;
  const [oldRest, newRest] = [types.unionOf(left), types.unionOf(right)];
  // Readers recognize the alternatives of the rest by a constant that the whole union lacks.
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
    // A change outside a definition shows only in its values, but for alternatives that only code
    // sees. Code handles every value of the union, and aliases may also accept those values.
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

/** Changes that do not affect values: definitions, and alternatives that only code distinguishes. */
function seenByCode(inside: FoundChanges): FoundChanges {
  const found = new FoundChanges();
  found.changes.push(...inside.changes.filter(isOfOverlap));
  found.links.push(...inside.links);
  return found;
}

/** Whether two alternatives are the versions of a definition that is not an object. */
function isAlias(types: Comparison, old: Type, now: Type): boolean {
  if (old.kind !== "reference" || now.kind !== "reference" || old.name !== now.name) return false;
  return [types.before.resolve(old), types.after.resolve(now)].some(
    ({ kind }) => kind !== "object" && kind !== "map",
  );
}
