import { extendsDefinition } from "../../model/queries.js";
import { withInherited } from "../../model/properties.js";
import { orderByReference } from "../../model/reference-order.js";
import { hasWholeChecks, isNever, never } from "../../model/type-checks.js";
import type {
  Check,
  Definition,
  Definitions,
  NumericType,
  ObjectType,
  Property,
  StringType,
  Type,
} from "../../model/types.js";
import { accepts, also, intersectPrimitives } from "./intersect-types.js";
import { kindOf, valuesOf } from "./plain-types.js";
import type { SchemaFile } from "./schema-file.js";
import { withChecks } from "./schema-node.js";

/**
 * Completes derived objects that would lose constraints if they merely inherited properties.
 * Constraints are lost if a base is not an object, if it has checks in addition to its properties,
 * or if the derived object redefines one of its properties without narrowing it.
 */
export function settleBases(
  schema: SchemaFile,
  definitions: readonly Definition[],
): readonly Definition[] {
  const settled = new Map(definitions.map((definition) => [definition.name, definition]));
  const propertiesOf = new Map<string, readonly Property[]>();
  // Visit bases before the objects that extend them.
  for (const name of orderByReference(definitions).names) {
    const definition = settled.get(name)!;
    const { type } = definition;
    if (type.kind !== "object" || type.bases.length === 0) continue;
    const settledType = settle(schema, settled, type, definition.pointer ?? "");
    settled.set(name, { ...definition, type: settledType });
  }
  return definitions.map(({ name }) => settled.get(name)!);

  function inheritedOf(base: string): readonly Property[] {
    let properties = propertiesOf.get(base);
    if (properties === undefined) {
      const type = settled.get(base)?.type;
      properties =
        type?.kind === "object" ? withInherited(type.bases, inheritedOf, type.properties) : [];
      propertiesOf.set(base, properties);
    }
    return properties;
  }

  function settle(file: SchemaFile, known: Definitions, type: ObjectType, at: string): Type {
    const checks: Check[] = [];
    const bases = type.bases.filter((base) => {
      const target = known.get(base)!.type;
      const isObject = target.kind === "object";
      if (!isObject || hasWholeChecks(target))
        checks.push({ kind: "also", type: { kind: "reference", name: base } });
      return isObject;
    });
    const ownProperties = new Map(type.properties.map((property) => [property.name, property]));
    const last = new Map<string, Property>();
    for (const base of bases) {
      for (const property of inheritedOf(base)) {
        const other = ownProperties.get(property.name) ?? last.get(property.name);
        if (ownProperties.has(property.name) && isAtMost(other!.type, property.type, known))
          continue;
        if (!ownProperties.has(property.name)) {
          const first = bases.find((each) => inheritedOf(each).includes(other!))!;
          if (other !== undefined && isDisjoint(property.type, other.type, known)) {
            const what = `"${first}" and "${base}" declare "${property.name}" differently`;
            file.warn("ERR_SCHEMA", `No value can be valid here: ${what}`, at);
            if (property.required || other.required) return never;
            ownProperties.set(property.name, { ...property, type: never });
          } else if (other !== undefined && !isAtMost(property.type, other.type, known))
            checks.push({ kind: "also", type: { kind: "reference", name: first } });
          // If several bases have the property, the last one wins.
          last.set(property.name, property);
          continue;
        }
        const redefined = narrowed(other!, property, known);
        if (isNever(redefined.type) && !isNever(other!.type))
          file.warn(
            "ERR_SCHEMA",
            `No value can be valid here: "${base}" declares the property differently`,
            redefined.pointer,
          );
        if (isNever(redefined.type) && redefined.required) return never;
        ownProperties.set(property.name, redefined);
      }
    }
    const properties = [...ownProperties.values()];
    return withChecks({ ...type, bases, properties }, checks);
  }
}

/** Narrows a property so that its values must also have the type that a base declares. */
function narrowed(own: Property, base: Property, definitions: Definitions): Property {
  const required = own.required || base.required;
  if (isAtMost(base.type, own.type, definitions)) return { ...own, required, type: base.type };
  const type = isDisjoint(own.type, base.type, definitions)
    ? never
    : commonType(own.type, base.type);
  return { ...own, required, type };
}

function commonType(own: Type, base: Type): Type {
  const isPrimitive = own.checks === undefined && kindOf(own) === kindOf(base);
  const values =
    isPrimitive && kindOf(own) !== undefined ? intersectPrimitives(own, base) : undefined;
  return values === undefined || base.checks !== undefined ? also(own, base) : values;
}

/** Returns whether two types certainly have no value in common. */
function isDisjoint(one: Type, two: Type, definitions: Definitions): boolean {
  const [some, others] = [one, two].map((type) => alternativesOf(type, definitions));
  return some!.every((a) =>
    others!.every((b) => {
      const kinds = [kindOf(a), kindOf(b)];
      if (kinds.includes(undefined)) return false;
      const values = kinds[0] === kinds[1] ? intersectPrimitives(a, b) : never;
      return values !== undefined && isNever(values);
    }),
  );
}

/** Maximum number of alternatives to compare. */
const maxAlternatives = 50;

/** Lists a type's alternatives. Expands definitions that are unions, up to the maximum number. */
function alternativesOf(type: Type, definitions: Definitions): readonly Type[] {
  const types = new Set([type]);
  const leaves: Type[] = [];
  for (const each of types) {
    if (types.size > maxAlternatives) leaves.push(each);
    else if (each.kind === "reference") types.add(definitions.get(each.name)!.type);
    else if (each.kind === "union") for (const member of each.members) types.add(member);
    else leaves.push(each);
  }
  return leaves;
}

/** Returns whether every value of the narrow type certainly has the wide type, too. */
function isAtMost(narrow: Type, wide: Type, definitions: Definitions): boolean {
  if (wide.checks !== undefined) return JSON.stringify(narrow) === JSON.stringify(wide);
  if (wide.kind === "any" || JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  if (narrow.kind === "reference" && wide.kind === "reference")
    return (
      extendsDefinition(definitions, narrow.name, wide.name) ||
      isAtMost(narrow, definitions.get(wide.name)!.type, definitions)
    );
  if (narrow.kind === "reference")
    return isAtMost(definitions.get(narrow.name)!.type, wide, definitions);
  if (wide.kind === "reference")
    return isAtMost(narrow, definitions.get(wide.name)!.type, definitions);
  if (narrow.kind === "union")
    return narrow.members.every((member) => isAtMost(member, wide, definitions));
  if (wide.kind === "union")
    return wide.members.some((member) => isAtMost(narrow, member, definitions));
  if (kindOf(narrow) !== kindOf(wide)) return false;
  const values = valuesOf(narrow);
  if (values !== undefined) return values.every((value) => accepts(wide, value));
  switch (wide.kind) {
    case "null":
    case "boolean":
      return true;
    case "string":
      return (
        wide.pattern === undefined && isWithin(lengthsOf(narrow as StringType), lengthsOf(wide))
      );
    case "integer":
    case "number":
      return (
        (wide.kind === "number" || narrow.kind === "integer") &&
        isWithin(rangeOf(narrow as NumericType), rangeOf(wide))
      );
    case "enum":
      return wide.open;
    case "array":
      return wide.items.kind === "any" && (wide.minItems ?? 0) === 0 && wide.maxItems === undefined;
    case "map":
      return wide.values.kind === "any";
    case "object":
      return wide.bases.length + wide.properties.length === 0 && !hasWholeChecks(wide);
    default:
      return false;
  }
}

type Range = readonly [least: number, most: number];

function isWithin([least, most]: Range, [from, to]: Range): boolean {
  return least >= from && most <= to;
}

function lengthsOf({ minLength = 0, maxLength = Infinity }: StringType): Range {
  return [minLength, maxLength];
}

function rangeOf({ minimum = -Infinity, maximum = Infinity }: NumericType): Range {
  return [minimum, maximum];
}
