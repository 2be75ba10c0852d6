import type { Random } from "../random.js";
import { flatten, type PlainShape, type Field, type Shape, type Version } from "./shapes.js";

const texts = ["", "a", "b", "c", "d", "e", "x", "xx", "xxx", "xxxx", "xxxxx", "other"];
const numbers = [0, 1, -1, 2, 3, 4, 5, 6, 0.5, 1.5, 4.5, -2];
const anything = [null, true, false, 0, 0.5, "", "x", [], [0], ["x"], {}, { key: 0 }, { key: "" }];

/** Maximum number of values to try for one part. */
const most = 14;

/**
 * Samples values that match a shape, along with some that nearly do. The simplest values come
 * first, with only a few values per part.
 */
export function sampleValues(
  random: Random,
  version: Version,
  shape: Shape,
  depth = 5,
): readonly unknown[] {
  const all = flatten(version, shape).map((each) => samplePlain(random, version, each, depth));
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
  shape: PlainShape,
  depth: number,
): readonly unknown[] {
  switch (shape.kind) {
    case "any":
      return anything;
    case "null":
      return [null];
    case "boolean":
      return [false, true];
    case "text": {
      const { least = 0, most: longest = Infinity } = shape;
      return texts.filter(({ length }) => length >= least && length <= longest);
    }
    case "integer":
    case "number": {
      const { least = -Infinity, most: largest = Infinity, kind } = shape;
      const isOwn = (each: number): boolean =>
        each >= least && each <= largest && (kind === "number" || Number.isInteger(each));
      return numbers.filter(isOwn);
    }
    case "values":
      // Include unlisted strings for open enums: how readers treat them is part of the check.
      return shape.open && typeof shape.values[0] === "string"
        ? [...shape.values, "other", "a", "e"]
        : shape.values;
    case "list": {
      if (depth <= 0) return (shape.least ?? 0) === 0 ? [[]] : [];
      if (shape.first !== undefined) return sampleTuples(random, version, shape, depth);
      const items = sampleValues(random, version, shape.items, depth - 1);
      const least = shape.least ?? 0;
      const lists: unknown[] = least === 0 ? [[]] : [];
      for (const item of items) lists.push(Array(Math.max(1, least)).fill(item));
      for (let more = 0; more < 6 && items.length > 0; more++)
        lists.push(Array.from({ length: least + random.below(5) }, () => random.pick(items)));
      return some(random, lists);
    }
    case "map": {
      if (depth <= 0) return [{}];
      const values = sampleValues(random, version, shape.values, depth - 1);
      return [
        {},
        ...some(
          random,
          values.flatMap((value) => mapsOf(random, value, values)),
        ),
      ];
    }
    case "object":
      return depth <= 0 ? [] : sampleObjects(random, version, shape, depth);
  }
}

/** Creates tuples of every length, and tuples with every value for each item. */
function sampleTuples(
  random: Random,
  version: Version,
  shape: PlainShape & { kind: "list" },
  depth: number,
): readonly unknown[] {
  const { first = [], items, least = 0, most: longest = first.length } = shape;
  const length = Math.max(least, Math.min(longest, first.length));
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
  shape: PlainShape & { kind: "object" },
  depth: number,
): readonly unknown[] {
  const fields = shape.fields;
  const values = new Map(
    fields.map((field): readonly [Field, readonly unknown[]] => [
      field,
      sampleValues(random, version, field.shape, depth - 1),
    ]),
  );
  const object = (has: (field: Field) => boolean, pick: (field: Field) => unknown): object =>
    Object.fromEntries(
      fields.flatMap((field) => (has(field) ? [[field.name, pick(field)] as const] : [])),
    );
  const first = (field: Field): unknown => values.get(field)![0];
  const isPossible = fields.every((field) => !field.required || values.get(field)!.length > 0);
  if (!isPossible) return [];
  const canHave = (field: Field): boolean => values.get(field)!.length > 0;
  const least = object(({ required }) => required, first);
  const objects: object[] = [least];
  if (!shape.closed) objects.push({ ...least, other: true });
  for (const field of fields)
    for (const value of values.get(field)!) objects.push({ ...least, [field.name]: value });
  for (let more = 0; more < 10; more++) {
    const some = object(
      (field) => field.required || (canHave(field) && random.oneIn(2)),
      (field) => random.pick(values.get(field)!),
    );
    objects.push(shape.closed || !random.oneIn(4) ? some : { ...some, other: true });
  }
  return depth >= 5 ? objects : some(random, objects);
}

/** Returns the first few items and a random selection of the rest. */
function some<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  if (items.length <= most) return items;
  const rest = items.slice(4);
  return [...items.slice(0, 4), ...Array.from({ length: most - 4 }, () => random.pick(rest))];
}
