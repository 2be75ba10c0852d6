import type { Forgiven, Json, Property, Type } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { readReference } from "./reference.js";
import type { SchemaObject } from "./schema-file.js";
import type { NodeContext, Place } from "./schema-node.js";

/** Reads a dictionary, or an object with named properties that extends `bases`. */
export function readObject(
  context: NodeContext,
  node: SchemaObject,
  bases: readonly string[],
  place: Place,
): Type {
  const extra = node["additionalProperties"];
  const raw = node["properties"] ?? {};
  if (!isJsonObject(raw))
    return context.schema.fail(
      "ERR_SCHEMA",
      'Cannot read "properties": it must be an object',
      joinPointer(place.pointer, "properties"),
    );
  let others: Type | undefined;
  if (extra !== undefined && extra !== false) {
    const values = context.readNode(extra, {
      pointer: joinPointer(place.pointer, "additionalProperties"),
      address: `${place.address}/*`,
    });
    others = values.type;
    if (Object.keys(raw).length === 0 && node["required"] === undefined && bases.length === 0)
      return {
        kind: "map",
        values: values.type,
        ...(values.docs === undefined ? {} : { docs: values.docs }),
      };
  }
  const required = readRequired(context, node, place);
  const properties = Object.entries(raw).map(([name, child]) =>
    readProperty(context, name, child, required.has(name), place),
  );
  const unlisted = [...required].filter((name) => !Object.hasOwn(raw, name));
  return {
    kind: "object",
    bases,
    properties: [
      ...properties,
      ...unlisted.map((name) => requireInherited(context, name, bases, place)),
    ],
    extras: extra === false ? "closed" : "open",
    ...(others === undefined ? {} : { others }),
  };
}

function readRequired(context: NodeContext, node: SchemaObject, place: Place): ReadonlySet<string> {
  const required = node["required"] ?? [];
  if (!Array.isArray(required) || required.some((name) => typeof name !== "string")) {
    return context.schema.fail(
      "ERR_SCHEMA",
      'Cannot read "required": it must be a list of property names',
      joinPointer(place.pointer, "required"),
    );
  }
  return new Set(required as string[]);
}

function readProperty(
  context: NodeContext,
  name: string,
  child: Json,
  required: boolean,
  place: Place,
): Property {
  const at = joinPointer(place.pointer, "properties", name);
  const address = `${place.address}/${name}`;
  const {
    type,
    docs,
    deprecated,
    default: schemaDefault,
  } = context.readNode(child, { pointer: at, address });
  const fallback = context.notes.defaults.get(address) ?? schemaDefault;
  const gate = context.notes.gates.get(address);
  const forgives = (Object.keys(context.notes.forgives) as Forgiven[]).filter(
    (what) => isJsonObject(child) && child[context.notes.forgives[what]!] === true,
  );
  return {
    name,
    type,
    required,
    ...(docs === undefined ? {} : { docs }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(gate === undefined ? {} : { gate }),
    ...(forgives.length === 0 ? {} : { forgives }),
    at,
  };
}

/** The property of a name that is required but not listed: a required copy of a base's property, or else any value. */
function requireInherited(
  context: NodeContext,
  name: string,
  bases: readonly string[],
  place: Place,
): Property {
  const queue = [...bases];
  for (
    let base = queue.shift(), seen = new Set<string>();
    base !== undefined;
    base = queue.shift()
  ) {
    if (seen.has(base)) continue;
    seen.add(base);
    const parts = partsOf(
      context.schema.definitions.get(base),
      joinPointer("", context.schema.container, base),
    );
    for (const { node, pointer } of parts) {
      if (typeof node["$ref"] === "string")
        queue.push(readReference(context.schema, node["$ref"], pointer));
      const properties = node["properties"];
      if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
        return readInherited(context, name, properties[name]!, { pointer, address: base });
      }
    }
  }
  return {
    name,
    type: { kind: "any" },
    required: true,
    at: joinPointer(place.pointer, "required"),
  };
}

/** Largest number of properties copied within other copies. A few bases could cause millions of them. */
const maxNested = 10_000;

/** Copies a property of a base as a required one. A copy has no name, so it cannot refer to itself. */
function readInherited(context: NodeContext, name: string, property: Json, base: Place): Property {
  const pointer = joinPointer(base.pointer, "properties", name);
  if (context.inheriting.has(pointer))
    return context.schema.fail(
      "ERR_REF_CYCLE",
      `Cannot require "${name}" within itself: it would have no end`,
      pointer,
      "Give its type a definition of its own",
    );
  if (context.inheriting.size > 0 && ++context.nested > maxNested)
    return context.schema.fail(
      "ERR_TOO_LARGE",
      `Cannot require "${name}" of a base: ${maxNested} such properties stand within others already`,
      pointer,
      "Give its type a definition of its own",
    );
  context.inheriting.add(pointer);
  const read = readProperty(context, name, property, true, base);
  context.inheriting.delete(pointer);
  return read;
}

/** The parts of `allOf`, and the rest of the node as one more part. A node without `allOf` is its own only part. */
export function partsOf(
  node: Json | undefined,
  pointer: string,
): { node: SchemaObject; pointer: string }[] {
  if (!isJsonObject(node)) return [];
  if (node["allOf"] === undefined) return [{ node, pointer }];
  const parts = node["allOf"];
  if (!Array.isArray(parts) || !parts.every(isJsonObject)) return [];
  const { allOf: _, ...beside } = node;
  return [
    ...(parts as SchemaObject[]).map((part, index) => ({
      node: part,
      pointer: joinPointer(pointer, "allOf", index),
    })),
    ...(Object.keys(beside).length === 0 ? [] : [{ node: beside, pointer }]),
  ];
}
