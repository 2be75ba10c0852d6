import type { Json, ObjectType, Property, Type } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { isOnlyRequired } from "./intersect-objects.js";
import type { SchemaObject } from "./schema-file.js";
import type { NodeContext, Place } from "./schema-node.js";
import { readProperty } from "./schema-objects.js";

/**
 * Replaces properties that a schema lists only in `required` with copies of the properties of its
 * bases.
 */
export function withInheritedProperties(context: NodeContext, type: Type): Type {
  if (type.kind === "union")
    return {
      ...type,
      members: type.members.map((member) => withInheritedProperties(context, member)),
    };
  if (type.kind !== "object" || type.bases.length === 0) return type;
  const properties = type.properties.map((property) =>
    isOnlyRequired(property) ? inherited(context, property, type) : property,
  );
  return { ...type, properties };
}

/** Copies a base's property and makes it required. Returns the given property if no base has it. */
function inherited(context: NodeContext, property: Property, { bases }: ObjectType): Property {
  const { name } = property;
  const queue = [...bases];
  for (
    let base = queue.shift(), seen = new Set<string>();
    base !== undefined;
    base = queue.shift()
  ) {
    if (seen.has(base)) continue;
    seen.add(base);
    const start = context.references.pointerOf(base);
    for (const { node, pointer } of partsOf(context.references.nodeOf(base), start)) {
      queue.push(...context.references.of(node, pointer));
      const properties = node["properties"];
      if (isJsonObject(properties) && Object.hasOwn(properties, name))
        return readInherited(context, name, properties[name]!, { pointer, address: base });
    }
  }
  return property;
}

/**
 * Maximum number of properties that may be copied within other copies. Without a limit, a few bases
 * could cause millions of copies.
 */
const maxNested = 10_000;

/**
 * Copies a base's property and makes it required. A copy has no name, so it cannot reference
 * itself.
 */
function readInherited(context: NodeContext, name: string, property: Json, base: Place): Property {
  const pointer = joinPointer(base.pointer, "properties", name);
  if (context.inheriting.has(pointer))
    return context.schema.fail(
      "ERR_REF_CYCLE",
      `Cannot require "${name}" within itself: such a value would be infinite`,
      pointer,
      "Move its type into a separate definition",
    );
  if (context.inheriting.size > 0 && ++context.nested > maxNested)
    return context.schema.fail(
      "ERR_TOO_LARGE",
      `Cannot require "${name}" from a base: ${maxNested} such properties are already nested`,
      pointer,
      "Move its type into a separate definition",
    );
  context.inheriting.add(pointer);
  const read = readProperty(context, name, property, true, base);
  context.inheriting.delete(pointer);
  return read;
}

/**
 * Splits a schema with `allOf` into its parts. The schema's other keywords form an additional part.
 * Without `allOf`, the schema itself is the only part.
 */
function partsOf(
  node: Json,
  pointer: string,
): readonly { readonly node: SchemaObject; readonly pointer: string }[] {
  if (!isJsonObject(node)) return [];
  const { allOf: parts, ...beside } = node;
  if (!Array.isArray(parts)) return [{ node, pointer }];
  return [
    ...(parts as readonly Json[]).flatMap((part, index) =>
      isJsonObject(part) ? [{ node: part, pointer: joinPointer(pointer, "allOf", index) }] : [],
    ),
    { node: beside, pointer },
  ];
}
