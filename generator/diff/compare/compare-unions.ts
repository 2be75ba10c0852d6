import type { Type, UnionType } from "../../model/types.js";
import type { Site, Step } from "./change.js";
import type { Comparison } from "./comparison.js";
import type { Side } from "./side.js";
import { typeText } from "./type-text.js";

/** Compares types of which at least one has alternatives. */
export function compareUnions(types: Comparison, before: Type, after: Type, site: Site): void {
  const oldMembers = membersOf(types.before.resolve(before), before);
  const newMembers = membersOf(types.after.resolve(after), after);
  const isObjects = [
    ...oldMembers.map((each) => types.before.resolve(each)),
    ...newMembers.map((each) => types.after.resolve(each)),
  ].every(({ kind }) => kind === "object");
  if (!isObjects) {
    if (!types.structure.isSame(before, after)) types.compareByVariance(site, before, after);
    return;
  }
  const matched = matchMembers(types, oldMembers, newMembers);
  const isUnion = (type: { readonly kind: string }): boolean => type.kind === "union";
  for (const [oldIndex, newIndex] of matched) {
    const step: Step = {
      kind: "member",
      before: isUnion(types.before.resolve(before)) ? oldIndex : -1,
      after: isUnion(types.after.resolve(after)) ? newIndex : -1,
    };
    types.compare(oldMembers[oldIndex]!, newMembers[newIndex]!, {
      ...site,
      steps: [...site.steps, step],
    });
  }
  const oldMatched = new Set(matched.map(([index]) => index));
  const newMatched = new Set(matched.map(([, index]) => index));
  oldMembers.forEach((member, index) => {
    if (oldMatched.has(index)) return;
    const text = typeText(member);
    types.report({ ...site, label: `${site.label} | ${text}` }, "union.branch-removed", {
      change: `- ${text}`,
      old: text,
      oldToNew: () => types.forward.counterexample(member, after),
      newToOld: () => undefined,
    });
  });
  newMembers.forEach((member, index) => {
    if (newMatched.has(index)) return;
    const text = typeText(member);
    types.report({ ...site, label: `${site.label} | ${text}` }, "union.branch-added", {
      change: `+ ${text}`,
      new: text,
      oldToNew: () => undefined,
      newToOld: () => types.backward.counterexample(member, before),
    });
  });
}

/** Pairs alternatives: those built alike, then those with the same discriminator, then those of one name. */
function matchMembers(
  types: Comparison,
  old: readonly Type[],
  now: readonly Type[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const free = new Set(now.keys());
  const rest = new Set(old.keys());
  const tests: readonly ((a: Type, b: Type) => boolean)[] = [
    (a, b) => types.structure.isSame(a, b),
    (a, b) => {
      const [left, right] = [discriminators(types.before, a), discriminators(types.after, b)];
      return left !== "" && left === right;
    },
    (a, b) => a.kind === "reference" && b.kind === "reference" && a.name === b.name,
    // Alternatives that nothing tells apart can only be meant for each other.
    () => rest.size === 1 && free.size === 1 && old.length === now.length,
  ];
  for (const test of tests) {
    for (const index of [...rest]) {
      const match = [...free].find((candidate) => test(old[index]!, now[candidate]!));
      if (match === undefined) continue;
      pairs.push([index, match]);
      free.delete(match);
      rest.delete(index);
    }
  }
  return pairs.sort(([a], [b]) => a - b);
}

function membersOf(resolved: Type, type: Type): readonly Type[] {
  return resolved.kind === "union" ? (resolved as UnionType).members : [type];
}

/** The fixed values of an object's properties, as text. */
function discriminators(side: Side, type: Type): string {
  const resolved = side.resolve(type);
  if (resolved.kind !== "object") return "";
  return side
    .propertiesOf(resolved)
    .flatMap((property) => {
      const target = side.resolve(property.type);
      return target.kind === "literal" ? [`${property.name}=${JSON.stringify(target.value)}`] : [];
    })
    .sort()
    .join();
}
