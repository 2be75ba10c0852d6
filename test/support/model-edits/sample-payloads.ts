import type { Random } from "../random.js";
import type { ArrayType, ObjectType, Property, Type } from "../../../generator/model/types.js";
import { flatten, isOpen, listedValues, type PlainType, type Version } from "./versions.js";

const texts = ["", "a", "b", "c", "d", "e", "x", "xx", "xxx", "xxxx", "xxxxx", "other"];
const numbers = [0, 1, -1, 2, 3, 4, 5, 6, 0.5, 1.5, 4.5, -2];
const anything = [null, true, false, 0, 0.5, "", "x", [], [0], ["x"], {}, { key: 0 }, { key: "" }];

/** Maximum number of values to try for one part. */
const most = 14;

/**
 * Samples values that match a type, along with some that nearly do. The simplest values come
 * first, with only a few values per part.
 */
export function sampleValues(
  random: Random,
  version: Version,
  type: Type,
  depth = 5,
): readonly unknown[] {
  const all = flatten(version, type).map((each) => samplePlain(random, version, each, depth));
  const found: unknown[] = [];
  const longest = Math.max(0, ...all.map(({ length }) => length));
  for (let index = 0; index < longest; index++)
    for (const values of all) if (index < values.length) found.push(values[index]);
  if (found.length <= most * 2) return found;
  const rest = found.slice(most);
  return [...found.slice(0, most), ...Array.from({ length: most }, () => random.pick(rest))];
}

function samplePlain(
  random: Random,
  version: Version,
  type: PlainType,
  depth: number,
): readonly unknown[] {
  switch (type.kind) {
    case "any":
      return anything;
    case "null":
      return [null];
    case "boolean":
      return [false, true];
    case "string": {
      const { minLength = 0, maxLength = Infinity } = type;
      return texts.filter(({ length }) => length >= minLength && length <= maxLength);
    }
    case "integer":
    case "number": {
      const { minimum = -Infinity, maximum = Infinity, kind } = type;
      const isOwn = (each: number): boolean =>
        each >= minimum && each <= maximum && (kind === "number" || Number.isInteger(each));
      return numbers.filter(isOwn);
    }
    case "literal":
    case "enum": {
      const values = listedValues(type);
      // Include unlisted strings for open enums: how readers treat them is part of the check.
      return isOpen(type) && typeof values[0] === "string"
        ? [...values, "other", "a", "e"]
        : values;
    }
    case "array": {
      const { first, minItems: least = 0 } = type;
      if (depth <= 0) return least === 0 ? [[]] : [];
      if (first !== undefined) return sampleTuples(random, version, type, depth);
      const items = sampleValues(random, version, type.items, depth - 1);
      const lists: unknown[] = least === 0 ? [[]] : [];
      for (const item of items) lists.push(Array(Math.max(1, least)).fill(item));
      for (let more = 0; more < 6 && items.length > 0; more++)
        lists.push(Array.from({ length: least + random.below(5) }, () => random.pick(items)));
      return some(random, lists);
    }
    case "map": {
      if (depth <= 0) return [{}];
      const values = sampleValues(random, version, type.values, depth - 1);
      return [
        {},
        ...some(
          random,
          values.flatMap((value) => mapsOf(random, value, values)),
        ),
      ];
    }
    case "object":
      return depth <= 0 ? [] : sampleObjects(random, version, type, depth);
  }
}

/** Creates tuples of every length, and tuples with every value for each item. */
function sampleTuples(
  random: Random,
  version: Version,
  { first = [], items, minItems: least = 0, maxItems = first.length }: ArrayType,
  depth: number,
): readonly unknown[] {
  const length = Math.max(least, Math.min(maxItems, first.length));
  const values = Array.from({ length }, (_, index) =>
    sampleValues(random, version, first[index] ?? items, depth - 1),
  );
  if (values.some((each) => each.length === 0)) return [];
  const smallest = values.map(([value]) => value);
  const lists = values.flatMap((each, index) =>
    each.map((value) => [...smallest.slice(0, index), value, ...smallest.slice(index + 1)]),
  );
  return some(random, [...(least < length ? [smallest.slice(0, least)] : []), smallest, ...lists]);
}

function mapsOf(random: Random, value: unknown, values: readonly unknown[]): readonly unknown[] {
  const name = random.pick(["key", "a", "b", "c", "kind", "line"]);
  return [{ [name]: value }, { a: value, b: random.pick(values) }];
}

function sampleObjects(
  random: Random,
  version: Version,
  { properties, extras }: ObjectType,
  depth: number,
): readonly unknown[] {
  const values = new Map(
    properties.map((each): readonly [Property, readonly unknown[]] => [
      each,
      sampleValues(random, version, each.type, depth - 1),
    ]),
  );
  const object = (has: (each: Property) => boolean, pick: (each: Property) => unknown): object =>
    Object.fromEntries(
      properties.flatMap((each) => (has(each) ? [[each.name, pick(each)] as const] : [])),
    );
  const first = (each: Property): unknown => values.get(each)![0];
  const canHave = (each: Property): boolean => values.get(each)!.length > 0;
  if (!properties.every((each) => !each.required || canHave(each))) return [];
  const least = object(({ required }) => required, first);
  const objects: object[] = [least];
  if (extras === "open") objects.push({ ...least, other: true });
  for (const [{ name }, samples] of values)
    for (const value of samples) objects.push({ ...least, [name]: value });
  for (let more = 0; more < 10; more++) {
    const some = object(
      (each) => each.required || (canHave(each) && random.oneIn(2)),
      (each) => random.pick(values.get(each)!),
    );
    objects.push(extras === "closed" || !random.oneIn(4) ? some : { ...some, other: true });
  }
  return depth >= 5 ? objects : some(random, objects);
}

/** Returns the first few items and a random selection of the rest. */
function some<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  if (items.length <= most) return items;
  const rest = items.slice(4);
  return [...items.slice(0, 4), ...Array.from({ length: most - 4 }, () => random.pick(rest))];
}
