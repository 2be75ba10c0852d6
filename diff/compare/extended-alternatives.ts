import type { ObjectType, Type } from "../../generator/model/types.js";
import type { Side } from "./side.js";
import type { Alternative } from "./type-form.js";

/** The names of the properties that come from each definition, by the definition's name. */
type ExtendedDefinitions = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the definitions whose alternatives are extended by the given ones, nearest first. A schema
 * that combines a union with further properties yields such alternatives.
 */
export function extendedBy(side: Side, alternatives: readonly Type[]): ExtendedDefinitions {
  const objects = alternatives.map((each) => side.resolve(each));
  if (!objects.every((each) => each.kind === "object")) return new Map();
  const [only, ...others] = objects;
  const extended =
    only !== undefined && others.length === 0
      ? basesOf(side, only).map((name) => [name, [side.typeOf(name)]] as const)
      : [...side.definitions.values()].flatMap(({ name, pointer = "" }) => {
          const extendedTypes = side.membersOf(side.typeOf(name));
          const isExtended =
            extendedTypes.length === objects.length &&
            extendedTypes.every((each, index) => isExtendedBy(each, objects[index]!, pointer));
          return isExtended ? [[name, extendedTypes.map(({ type }) => type)] as const] : [];
        });
  return new Map(
    extended
      .map(([name, types]) => [name, namesFrom(side, types, objects)] as const)
      .sort(([, one], [, other]) => other.size - one.size),
  );
}

function basesOf(side: Side, { bases }: ObjectType): readonly string[] {
  return bases.flatMap((base) => {
    const type = side.typeOf(base);
    return type.kind === "object" ? [base, ...basesOf(side, type)] : [];
  });
}

/** @param pointer Pointer to the definition that has the alternative. */
function isExtendedBy({ type, resolved }: Alternative, by: ObjectType, pointer: string): boolean {
  if (resolved.kind !== "object" || resolved === by) return false;
  if (type.kind === "reference" && by.bases.includes(type.name)) return true;
  return (
    resolved.bases.every((base) => by.bases.includes(base)) &&
    resolved.properties.some((each) => each.pointer.startsWith(`${pointer}/`)) &&
    resolved.properties.every((property) =>
      by.properties.some(
        (each) => each.pointer === property.pointer && (each.required || !property.required),
      ),
    )
  );
}

/** Returns the names of the properties that objects take over from the types that they extend. */
function namesFrom(
  side: Side,
  types: readonly Type[],
  objects: readonly ObjectType[],
): ReadonlySet<string> {
  const properties = types.flatMap((type) => {
    const resolved = side.resolve(type);
    return resolved.kind === "object" ? side.propertiesOf(resolved) : [];
  });
  const pointers = new Set(properties.map(({ pointer }) => pointer));
  const redeclared = new Set(
    objects.flatMap((object) =>
      object.properties.flatMap(({ name, pointer }) => (pointers.has(pointer) ? [] : [name])),
    ),
  );
  return new Set(properties.flatMap(({ name }) => (redeclared.has(name) ? [] : [name])));
}
