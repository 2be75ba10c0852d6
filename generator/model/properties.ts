import { propertySections } from "../../runtime/validation/link-rule.js";
import { oncePer } from "./once.js";
import type { Definitions, ObjectType, Property } from "./types.js";

type PropertiesOf = (type: ObjectType) => readonly Property[];

/**
 * Combines an object's properties with those of its bases, which come first. A redefined property
 * keeps its position, and remains required if any base requires it.
 *
 * @param propertiesOf Returns all properties of a base.
 */
export function withInherited<Inherited extends Property>(
  bases: readonly string[],
  propertiesOf: (base: string) => readonly Inherited[],
  own: readonly Property[],
): readonly (Property | Inherited)[] {
  const byName = new Map<string, Property | Inherited>();
  for (const base of bases)
    for (const property of propertiesOf(base)) byName.set(property.name, property);
  for (const property of own) {
    const isRequired = property.required || byName.get(property.name)?.required === true;
    byName.set(property.name, isRequired ? { ...property, required: true } : property);
  }
  return [...byName.values()];
}

/**
 * Returns a function that collects an object's properties and caches the result for each object.
 */
function flattener(
  order: (own: readonly Property[]) => readonly Property[],
): (definitions: Definitions) => PropertiesOf {
  return oncePer((definitions: Definitions): PropertiesOf => {
    const propertiesOf: PropertiesOf = oncePer((type: ObjectType) =>
      withInherited(
        type.bases,
        (base) => {
          const target = definitions.get(base)?.type;
          return target?.kind === "object" ? propertiesOf(target) : [];
        },
        order(type.properties),
      ),
    );
    return propertiesOf;
  });
}

const inSchemaOrder = flattener((own) => own);
const inCheckedOrder = flattener((own) =>
  propertySections.flatMap((section) => {
    const listed = own.filter(({ required }) => required === (section === "required"));
    // In rules, properties are object keys, and JavaScript lists integer-like keys first. Use the
    // same order here.
    return Object.values(Object.fromEntries(listed.map((property) => [property.name, property])));
  }),
);

/**
 * Returns all properties of an object, including inherited ones. Bases come first, and own
 * properties replace inherited ones.
 */
export function flattenProperties(definitions: Definitions, type: ObjectType): readonly Property[] {
  return inSchemaOrder(definitions)(type);
}

/**
 * Returns all properties of an object, in the order in which checks number them. `FaultMask`
 * explains the numbering.
 */
export function checkedProperties(definitions: Definitions, type: ObjectType): readonly Property[] {
  return inCheckedOrder(definitions)(type);
}
