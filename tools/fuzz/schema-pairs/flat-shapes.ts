import type { Field, ObjectShape, Shape, Version } from "./shapes.js";

/** A shape that is neither a reference nor a union. */
export type PlainShape = Exclude<Shape, { kind: "union" | "reference" }>;

/** The alternatives of a shape, without duplicates. */
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

/** All fields of an object: inherited and own fields. */
export function fieldsOf(version: Version, shape: ObjectShape): readonly Field[] {
  return [...baseFieldsOf(version, shape), ...ownFieldsOf(version, shape)];
}

function baseFieldsOf(version: Version, { base }: ObjectShape): readonly Field[] {
  return base === undefined ? [] : (version.get(base) as ObjectShape).fields;
}

/**
 * The fields that an object adds to its base. Fields with the same name as a base field are
 * excluded: they would have to satisfy both.
 */
export function ownFieldsOf(version: Version, shape: ObjectShape): readonly Field[] {
  const names = new Set(baseFieldsOf(version, shape).map(({ name }) => name));
  return shape.fields.filter(({ name }) => !names.has(name));
}

/** Whether a shape has any values. An object that must contain itself has none. */
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

/** Returns a string for each open enum in a version. The string contains all values of the enum. */
export function openLists(version: Version): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify([...version.values()], (_, value: unknown) => {
    if (isShape(value)) found.add(openListKey(flatten(version, value)) ?? "");
    return value;
  });
  return found;
}

/**
 * All enum values of the alternatives as one string, if one of the enums is open; undefined
 * otherwise. The string does not depend on how the values are divided among the enums, because the
 * alternatives accept the same values in any case.
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
