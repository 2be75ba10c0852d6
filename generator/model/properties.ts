import { numberedSections } from "../../runtime/validation/fault-mask.js";
import { oncePer } from "./once.js";
import type { Definition, ObjectType, Property } from "./types.js";

type Definitions = ReadonlyMap<string, Definition>;
type PropertiesOf = (type: ObjectType) => readonly Property[];

/**
 * The properties of an object behind those of its bases. One that is defined again keeps its place, and what a
 * base requires stays required, whatever it is narrowed to.
 *
 * @param propertiesOf All properties of a base.
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

/** The properties of each object, computed once. */
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
  numberedSections.flatMap((section) => {
    const some = own.filter(({ required }) => required === (section === "required"));
    // An object lists its properties in an order of its own: those named by a number come first.
    return Object.values(Object.fromEntries(some.map((property) => [property.name, property])));
  }),
);

/** All properties of an object with those of its bases, base first; own properties replace inherited ones. */
export function flattenProperties(definitions: Definitions, type: ObjectType): readonly Property[] {
  return inSchemaOrder(definitions)(type);
}

/** The same in the order in which checks number them: see `FaultMask`. */
export function checkedProperties(definitions: Definitions, type: ObjectType): readonly Property[] {
  return inCheckedOrder(definitions)(type);
}
