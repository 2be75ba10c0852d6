import type { Field, ObjectShape, Shape, Version } from "./shapes.js";

/** A shape that is neither a reference nor a union. */
export type PlainShape = Exclude<Shape, { kind: "union" | "reference" }>;

/** Returns a shape's alternatives without duplicates. */
export function flatten(version: Version, shape: Shape): readonly PlainShape[] {
  const seen = new Set<Shape>();
  const plain: PlainShape[] = [];
  const visit = (each: Shape): void => {
    if (seen.has(each)) return;
    seen.add(each);
    if (each.kind === "reference") visit(version.get(each.name)!);
    else if (each.kind === "union") each.members.forEach(visit);
    else plain.push(each);
  };
  visit(shape);
  return plain;
}

/** Returns all fields of an object, both inherited and its own. */
export function fieldsOf(version: Version, shape: ObjectShape): readonly Field[] {
  return [...baseFieldsOf(version, shape), ...ownFieldsOf(version, shape)];
}

function baseFieldsOf(version: Version, { base }: ObjectShape): readonly Field[] {
  return base === undefined ? [] : (version.get(base) as ObjectShape).fields;
}

/**
 * Returns the fields that an object adds to its base. Fields that share a name with a base field
 * are excluded, because they would have to satisfy both.
 */
export function ownFieldsOf(version: Version, shape: ObjectShape): readonly Field[] {
  const names = new Set(baseFieldsOf(version, shape).map(({ name }) => name));
  return shape.fields.filter(({ name }) => !names.has(name));
}

/** Returns whether any value matches a shape. None does if an object must contain itself. */
export function isPossible(version: Version, shape: Shape, passed: readonly Shape[] = []): boolean {
  if (passed.includes(shape)) return false;
  const isPartPossible = (part: Shape): boolean => isPossible(version, part, [...passed, shape]);
  switch (shape.kind) {
    case "reference":
      return isPartPossible(version.get(shape.name)!);
    case "union":
      return shape.members.some(isPartPossible);
    case "object":
      return fieldsOf(version, shape).every((each) => !each.required || isPartPossible(each.shape));
    default:
      return true;
  }
}

/** Returns one string for each open enum in a version, made up of all the enum's values. */
export function openLists(version: Version): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify([...version.values()], (_, value: unknown) => {
    if (isShape(value)) found.add(openListKey(flatten(version, value)) ?? "");
    return value;
  });
  return found;
}

/**
 * Joins all enum values in the alternatives into one string if any of the enums is open; returns
 * undefined otherwise. It does not matter how the values are distributed over the enums, because
 * the alternatives accept the same values either way.
 */
export function openListKey(alternatives: readonly PlainShape[]): string | undefined {
  const lists = alternatives.flatMap((each) =>
    each.kind === "values" && typeof each.values[0] === "string" ? [each] : [],
  );
  if (!lists.some(({ open }) => open)) return undefined;
  return JSON.stringify([...new Set(lists.flatMap(({ values }) => values))].sort());
}

function isShape(value: unknown): value is Shape {
  const { kind } = (value ?? {}) as Partial<Shape>;
  return kind === "values" || kind === "union";
}
