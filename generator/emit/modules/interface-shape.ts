import { flattenProperties } from "../../model/properties.js";
import { extendsDefinition } from "../../model/queries.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import { isAnything } from "../../model/type-checks.js";
import { indexType } from "../printer/type-expression.js";

/** An interface to be emitted. */
export interface InterfaceShape {
  readonly type: ObjectType;
  /** The properties to emit, not including inherited ones. */
  readonly own: readonly Property[];
  readonly parameters?: readonly string[];
  /** Lines to emit before the properties. */
  readonly pinned?: readonly string[];
  /** Returns the type to emit for a property if it differs from the schema's type. */
  override?(property: Property): string | undefined;
}

/**
 * Determines the bases and properties of an interface. An interface can extend a base only if it
 * narrows every property that it redefines. If the schema fails to narrow one of them, the
 * interface lists the properties of its bases instead of extending them.
 */
export function interfaceShape(
  definitions: ReadonlyMap<string, Definition>,
  type: ObjectType,
  own: readonly Property[],
): { bases: readonly string[]; properties: readonly Property[]; index?: Type } {
  const objects = basesOf(definitions, type);
  const isInherited = type.others === undefined && type.matching === undefined;
  const whole = indexType(unnamedOf([type, ...objects]), [
    ...flattenProperties(definitions, type),
    ...own,
  ]);
  const index = isInherited && whole?.kind === "any" ? undefined : whole;
  const inherited = new Map<string, Property>();
  let clash = false;
  for (const base of type.bases) {
    const target = definitions.get(base)?.type;
    if (target?.kind !== "object") continue;
    for (const property of flattenProperties(definitions, target)) {
      const other = inherited.get(property.name);
      clash ||= other !== undefined && JSON.stringify(other.type) !== JSON.stringify(property.type);
      inherited.set(property.name, property);
    }
  }
  const properties = own.map((property) => {
    const base = inherited.get(property.name);
    if (base === undefined) return property;
    clash ||= !isNarrower(property.type, base.type, definitions);
    return base.required ? { ...property, required: true } : property;
  });
  const shown = index === undefined ? {} : { index };
  // TypeScript requires an interface and its bases to agree on the type of unnamed properties.
  clash ||= index !== undefined && index.kind !== "any" && type.bases.length > 0;
  if (!clash) return { bases: type.bases, properties, ...shown };
  const ownNames = new Set(own.map((property) => property.name));
  return {
    bases: [],
    properties: [
      ...[...inherited.values()].filter((property) => !ownNames.has(property.name)),
      ...properties,
    ],
    ...shown,
  };
}

/** Returns all objects that an object extends, directly or indirectly. */
function basesOf(
  definitions: ReadonlyMap<string, Definition>,
  { bases }: ObjectType,
): readonly ObjectType[] {
  return bases.flatMap((base) => {
    const type = definitions.get(base)?.type;
    return type?.kind === "object" ? [type, ...basesOf(definitions, type)] : [];
  });
}

/**
 * Creates an object type without named properties. Its properties may have any type that one of the
 * given objects allows for its unnamed properties.
 */
function unnamedOf(types: readonly ObjectType[]): ObjectType {
  const otherTypes = types.flatMap(({ others }) => (others === undefined ? [] : [others]));
  const matching = types.flatMap((type) => type.matching ?? []);
  return {
    kind: "object",
    bases: [],
    properties: [],
    extras: types.some(({ extras }) => extras === "closed") ? "closed" : "open",
    ...(otherTypes.length === 0
      ? {}
      : { others: otherTypes.find(isAnything) ?? { kind: "union", members: otherTypes } }),
    ...(matching.length === 0 ? {} : { matching }),
  };
}

/** Returns whether it is certain that every value of `narrow` is also a value of `wide`. */
function isNarrower(
  narrow: Type,
  wide: Type,
  definitions: ReadonlyMap<string, Definition>,
): boolean {
  if (wide.kind === "any" || JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  if (narrow.kind === "reference" && wide.kind === "reference")
    return extendsDefinition(definitions, narrow.name, wide.name);
  if (narrow.kind === "union")
    return narrow.members.every((member) => isNarrower(member, wide, definitions));
  if (wide.kind === "union")
    return wide.members.some((member) => isNarrower(narrow, member, definitions));
  const isText = (type: Type): boolean =>
    type.kind === "string" ||
    (type.kind === "literal" && typeof type.value === "string") ||
    (type.kind === "enum" && typeof type.values[0]?.value === "string");
  if (wide.kind === "string" || (wide.kind === "enum" && wide.open)) return isText(narrow);
  if (wide.kind === "enum" && narrow.kind === "literal")
    return wide.values.some(({ value }) => value === narrow.value);
  if (wide.kind === "enum" && narrow.kind === "enum" && !narrow.open) {
    return narrow.values.every(({ value }) => wide.values.some((other) => other.value === value));
  }
  if (wide.kind === "boolean")
    return narrow.kind === "literal" && typeof narrow.value === "boolean";
  const numbers = ["integer", "number"];
  return (
    numbers.includes(wide.kind) &&
    (numbers.includes(narrow.kind) ||
      (narrow.kind === "literal" && typeof narrow.value === "number"))
  );
}
