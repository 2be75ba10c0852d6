import { fieldsOf, flatten } from "../schema-pairs/flat-shapes.js";
import type { Shape, Version } from "../schema-pairs/shapes.js";

/** Maximum depth to which a program reads a value. */
export const maxDepth = 4;

/** Maximum number of values that a program builds. */
const maxValues = 40;

/**
 * Creates values that together contain each part of a shape in every form that the part can take.
 */
export function fullValues(version: Version, shape: Shape, depth: number): readonly unknown[] {
  return flatten(version, shape).flatMap((each): readonly unknown[] => {
    switch (each.kind) {
      case "any":
      case "null":
        return [null];
      case "boolean":
        return [true];
      case "text":
        return ["x".repeat(each.least ?? 0)];
      case "integer":
      case "number":
        return [each.least ?? Math.min(0, each.most ?? 0)];
      case "values": {
        const [first, ...others] = each.values;
        const isText = typeof first === "string";
        // A program may use an unlisted value of an open enum.
        return each.open ? [first, isText ? "other" : 77, ...others] : each.values;
      }
      case "list": {
        if (depth > maxDepth) return (each.least ?? 0) === 0 ? [[]] : [];
        if (each.first === undefined)
          return fullValues(version, each.items, depth + 1).map((item) =>
            Array<unknown>(Math.max(1, each.least ?? 0)).fill(item),
          );
        const items = each.first.map((item) => fullValues(version, item, depth + 1));
        return combined(items);
      }
      case "map":
        return depth > maxDepth
          ? [{}]
          : fullValues(version, each.values, depth + 1).map((value) => ({ key: value }));
      case "object": {
        const fields = fieldsOf(version, each).filter(
          ({ required }) => required || depth <= maxDepth,
        );
        if (depth > maxDepth * 2) return [];
        const values = fields.map((field) => fullValues(version, field.shape, depth + 1));
        if (fields.some(({ required }, index) => required && values[index]!.length === 0))
          return [];
        const known = fields.filter((_, index) => values[index]!.length > 0);
        const whole = combined(values.filter(({ length }) => length > 0)).map((own) =>
          Object.fromEntries(known.map((field, index) => [field.name, own[index]])),
        );
        const least = known.flatMap(({ name, required }) =>
          required ? [[name, whole[0]![name]] as const] : [],
        );
        return least.length < known.length ? [...whole, Object.fromEntries(least)] : whole;
      }
    }
  });
}

/**
 * Combines the values of several parts: the first value of every part, and variants that differ in
 * one part.
 */
function combined(parts: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  if (parts.some(({ length }) => length === 0)) return [];
  const first = parts.map(([value]) => value);
  const found: (readonly unknown[])[] = [first];
  for (let turn = 1; turn < maxValues && found.length < maxValues; turn++)
    for (const [index, values] of parts.entries())
      if (turn < values.length)
        found.push(first.map((each, at) => (at === index ? values[turn] : each)));
  return found.slice(0, maxValues);
}
