import type { Type } from "../../generator/model/types.js";
import type { Comparison } from "./comparison.js";
import type { OwnedProperty, Side } from "./side.js";

/** Minimum proportion of shared properties for two alternatives to be paired. */
const leastShare = 0.5;

/**
 * Pairs up the alternatives of two unions: by name, then by structure, by discriminator, by equal
 * properties, and finally by the largest proportion of shared properties.
 */
export function matchMembers(
  types: Comparison,
  old: readonly Type[],
  now: readonly Type[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const free = new Set(now.keys());
  const rest = new Set(old.keys());
  const pair = (index: number, match: number): void => {
    pairs.push([index, match]);
    free.delete(match);
    rest.delete(index);
  };
  const tags = [
    old.map((type) => discriminators(types.before, type)),
    now.map((type) => discriminators(types.after, type)),
  ] as const;
  const shares = (index: number, place: number): number => {
    const [left, right] = [tags[0][index]!, tags[1][place]!];
    // If both objects have discriminators, do not pair them by their properties.
    if (left !== "" && right !== "") return 0;
    return shareOf(propertiesOf(types.before, old[index]!), propertiesOf(types.after, now[place]!));
  };
  const tests: readonly ((index: number, place: number) => boolean)[] = [
    (index, place) => isOfOneName(types, old[index]!, now[place]!),
    (index, place) => isMapOfOneName(types, old[index]!, now[place]!),
    (index, place) => haveCommonNames(types, old[index]!, now[place]!),
    (index, place) => types.structure.isSame(old[index]!, now[place]!),
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
  if (rest.size === 1 && free.size === 1 && old.length === now.length)
    pair([...rest][0]!, [...free][0]!);
  return pairs.sort(([a], [b]) => a - b);
}

/**
 * Returns whether two alternatives are definitions with the same name, which makes them the same
 * type as far as code is concerned.
 */
export function isOfOneName(types: Comparison, old: Type, now: Type): boolean {
  const name = types.before.nameOf(old);
  return name !== undefined && name === types.after.nameOf(now);
}

/**
 * Returns whether two types, such as the items of two arrays, are unions that have a definition in
 * common.
 */
export function haveCommonNames(types: Comparison, old: Type, now: Type): boolean {
  const [before, after] = [types.before.resolve(old), types.after.resolve(now)];
  return (
    before.kind === "union" &&
    after.kind === "union" &&
    before.members.some((one) => after.members.some((other) => isOfOneName(types, one, other)))
  );
}

/** Returns whether the values of two dictionaries are definitions with the same name. */
function isMapOfOneName(types: Comparison, old: Type, now: Type): boolean {
  const [before, after] = [types.before.resolve(old), types.after.resolve(now)];
  return (
    before.kind === "map" && after.kind === "map" && isOfOneName(types, before.values, after.values)
  );
}

/**
 * Returns the proportion of properties that two objects share. It is 1 if all names are the same
 * and the same properties are required.
 */
function shareOf(old: readonly OwnedProperty[], now: readonly OwnedProperty[]): number {
  if (old.length === 0 || now.length === 0) return 0;
  const after = new Map(now.map((each) => [each.name, each]));
  const common = old.filter(({ name }) => after.has(name));
  const alike = common.filter(({ name, required }) => after.get(name)!.required === required);
  return (common.length + alike.length) / (old.length + now.length);
}

function propertiesOf(side: Side, type: Type): readonly OwnedProperty[] {
  const resolved = side.resolve(type);
  return resolved.kind === "object" ? side.propertiesOf(resolved) : [];
}

/** Returns an object's fixed-value properties as a string, for comparison. */
function discriminators(side: Side, type: Type): string {
  return propertiesOf(side, type)
    .flatMap((property) => {
      const target = side.resolve(property.type);
      return target.kind === "literal" ? [`${property.name}=${JSON.stringify(target.value)}`] : [];
    })
    .sort()
    .join();
}
