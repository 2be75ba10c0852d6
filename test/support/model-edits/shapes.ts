import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import { isNever } from "../../../generator/model/type-checks.js";
import type { Type } from "../../../generator/model/types.js";

/** The shape of a value, regardless of how a schema writes it. */
export type Shape =
  | { readonly kind: "any" | "null" | "boolean" }
  | { readonly kind: "text"; readonly least?: number; readonly most?: number }
  | {
      readonly kind: "integer" | "number";
      readonly least?: number;
      readonly most?: number;
    }
  | { readonly kind: "values"; readonly open: boolean; readonly values: readonly Constant[] }
  | {
      readonly kind: "list";
      /** The shapes of the items, if the array is a tuple. */
      readonly first?: readonly Shape[];
      readonly items: Shape;
      readonly least?: number;
      readonly most?: number;
    }
  | { readonly kind: "map"; readonly values: Shape }
  | ObjectShape
  | { readonly kind: "union"; readonly members: readonly Shape[] }
  | { readonly kind: "reference"; readonly name: string };

export type Constant = string | number | boolean;

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Whether the object forbids other fields. */
  readonly closed: boolean;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

/** A protocol version: its definitions by name. `Payload` is its message's payload. */
export type Version = ReadonlyMap<string, Shape>;

/**
 * Converts a protocol's types to shapes, for readers that do not use the model. Adds the shape
 * `Payload` for the message's payload.
 */
export function shapesOf(protocol: Protocol, payload: Type): Version {
  const definitions = definitionsByName(protocol);
  const shapeOf = (type: Type): Shape => {
    switch (type.kind) {
      case "any":
      case "null":
      case "boolean":
        return { kind: type.kind };
      case "string":
        return { kind: "text", ...bounds(type.minLength, type.maxLength) };
      case "integer":
      case "number":
        return { kind: type.kind, ...bounds(type.minimum, type.maximum) };
      case "literal":
        return { kind: "values", open: false, values: [type.value] };
      case "enum":
        return {
          kind: "values",
          open: type.open,
          values: type.values.map(({ value }) => value),
        };
      case "array": {
        const { first, items, minItems, maxItems } = type;
        const length = isNever(items) ? (first?.length ?? 0) : undefined;
        return {
          kind: "list",
          ...(first === undefined ? {} : { first: first.map(shapeOf) }),
          items: length === undefined ? shapeOf(items) : { kind: "any" },
          ...bounds(
            minItems,
            length === undefined ? maxItems : Math.min(length, maxItems ?? length),
          ),
        };
      }
      case "map":
        return { kind: "map", values: shapeOf(type.values) };
      case "object":
        return {
          kind: "object",
          closed: type.extras === "closed",
          fields: flattenProperties(definitions, type).map(({ name, required, type: own }) => ({
            name,
            required,
            shape: shapeOf(own),
          })),
        };
      case "union":
        return { kind: "union", members: type.members.map(shapeOf) };
      case "reference":
        return { kind: "reference", name: type.name };
    }
  };
  return new Map([
    ...protocol.definitions.map(({ name, type }) => [name, shapeOf(type)] as const),
    ["Payload", shapeOf(payload)] as const,
  ]);
}

function bounds(
  least: number | undefined,
  most: number | undefined,
): { readonly least?: number; readonly most?: number } {
  return {
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
  };
}

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
      return shape.fields.every((each) => !each.required || isPartPossible(each.shape));
    default:
      return true;
  }
}

/** Returns whether a definition refers only to itself. */
export function isEndless(version: Version): boolean {
  const leadsTo = (shape: Shape, passed: readonly string[]): boolean => {
    if (shape.kind === "union") return shape.members.some((each) => leadsTo(each, passed));
    if (shape.kind !== "reference") return false;
    const { name } = shape;
    return passed.includes(name) || leadsTo(version.get(name)!, [...passed, name]);
  };
  return [...version].some(([name, shape]) => leadsTo(shape, [name]));
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
