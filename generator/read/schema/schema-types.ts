import type { Json, StringType, Type } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { readNumericType } from "./numeric-range.js";
import { readReference } from "./reference.js";
import { createCompositionReader } from "./schema-composition.js";
import { createEnumReader } from "./schema-enums.js";
import type { Notes, SchemaFile, SchemaObject } from "./schema-file.js";
import {
  keywordsOfType,
  readDeprecation,
  refuseOthers,
  refuseUnknown,
  unionOf,
  type NodeContext,
  type Place,
  type ReadNode,
} from "./schema-node.js";
import { createObjectReader } from "./schema-objects.js";

/** All JSON types; a schema that lists them all says nothing (`integer` is a `number`). */
const anyTypes = ["array", "boolean", "null", "number", "object", "string"];

/** Reads JSON Schema nodes into model types. Stops at every keyword that the model has no place for. */
export function createTypeReader(
  schema: SchemaFile,
  notes: Notes,
): (node: Json, pointer: string, address: string) => ReadNode {
  const { fail } = schema;
  const context: NodeContext = { schema, notes, readNode, readAnnotations };
  const { readLiteral, readEnum } = createEnumReader(context);
  const readObject = createObjectReader(context);
  const { readAllOf, readUnion, readAlternatives } = createCompositionReader(context, readObject);

  function readNode(value: Json, place: Place): ReadNode {
    if (value === true) return { type: { kind: "any" } };
    if (!isJsonObject(value))
      return fail(
        "ERR_SCHEMA",
        `Cannot read ${JSON.stringify(value)?.slice(0, 60)}: a schema must be an object`,
        place.pointer,
      );
    refuseUnknown(context, value, place.pointer);
    const inherited = value["allOf"] === undefined ? undefined : readAllOf(value, place);
    return {
      ...readAnnotations(value, place),
      ...inherited?.annotations,
      type: inherited?.type ?? readType(value, place),
    };
  }

  function readAnnotations(node: SchemaObject, place: Place): Omit<ReadNode, "type"> {
    const text = (key: string): string | undefined => {
      const value = node[key];
      if (value === undefined || typeof value === "string") return value;
      return fail(
        "ERR_SCHEMA",
        `Cannot read "${key}": it must be a text`,
        joinPointer(place.pointer, key),
      );
    };
    const docs = text("description");
    const section = text("title");
    const deprecated = readDeprecation(docs) ?? (node["deprecated"] === true ? "" : undefined);
    return {
      ...(docs === undefined ? {} : { docs }),
      ...(section === undefined ? {} : { section }),
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(node["default"] === undefined ? {} : { default: node["default"] }),
    };
  }

  function readType(node: SchemaObject, place: Place): Type {
    if (node["$ref"] !== undefined) {
      refuseOthers(context, node, place, ["$ref"], "beside $ref");
      return {
        kind: "reference",
        name: readReference(schema, node["$ref"], joinPointer(place.pointer, "$ref")),
      };
    }
    for (const key of ["anyOf", "oneOf"]) {
      if (node[key] === undefined) continue;
      if (node["properties"] !== undefined) return readAlternatives(node, key, place);
      refuseOthers(context, node, place, [key, "type"], `beside ${key}`);
      return readUnion(node[key], { ...place, pointer: joinPointer(place.pointer, key) });
    }
    if (node["const"] !== undefined) {
      refuseOthers(context, node, place, ["const", "type", "format"], "beside const");
      return readLiteral(node["const"], joinPointer(place.pointer, "const"));
    }
    for (const key of ["enum", "_enum"]) {
      if (node[key] === undefined) continue;
      refuseOthers(context, node, place, [key, "type"], `beside ${key}`);
      return readEnum(node, key, place);
    }
    const types = node["type"];
    if (types === undefined) return readUntyped(node, place);
    if (typeof types === "string") return readNamedType(node, types, place);
    if (!Array.isArray(types) || types.length === 0)
      return fail(
        "ERR_SCHEMA",
        'Cannot read "type": it must be a name or a list of names',
        joinPointer(place.pointer, "type"),
      );
    if (anyTypes.every((name) => types.includes(name))) {
      refuseOthers(context, node, place, ["type"], "for a value of any type");
      return { kind: "any" };
    }
    const allowed = ["type", ...types.flatMap((name) => keywordsOfType.get(String(name)) ?? [])];
    refuseOthers(context, node, place, allowed, `for the types ${types.join(", ")}`);
    return unionOf(
      types.map((name) =>
        readNamedType(pick(node, keywordsOfType.get(String(name)) ?? []), String(name), place),
      ),
    );
  }

  /** Without `type`, the other keywords tell: an object by its properties, nothing at all by their absence. */
  function readUntyped(node: SchemaObject, place: Place): Type {
    const isObject = ["properties", "required", "additionalProperties"].some(
      (key) => node[key] !== undefined,
    );
    if (isObject) return readNamedType(node, "object", place);
    if (node["items"] !== undefined) return readNamedType(node, "array", place);
    refuseOthers(context, node, place, [], 'without "type"');
    return { kind: "any" };
  }

  function readNamedType(node: SchemaObject, name: string, place: Place): Type {
    const keywords = keywordsOfType.get(name);
    if (keywords === undefined)
      return fail(
        "ERR_SCHEMA",
        `Cannot read the type ${JSON.stringify(name)}`,
        joinPointer(place.pointer, "type"),
        `Known types: ${[...keywordsOfType.keys()].join(", ")}`,
      );
    refuseOthers(context, node, place, ["type", ...keywords], `for the type ${name}`);
    switch (name) {
      case "integer":
      case "number":
        return readNumericType(schema, node, name, place.pointer);
      case "string":
        return readString(node, place);
      case "array":
        return {
          kind: "array",
          items:
            node["items"] === undefined
              ? { kind: "any" }
              : readNode(node["items"], {
                  pointer: joinPointer(place.pointer, "items"),
                  address: `${place.address}/*`,
                }).type,
          ...count(node, "minItems", place),
          ...count(node, "maxItems", place),
        };
      case "object":
        return readObject(node, [], place);
      default:
        return { kind: name as "boolean" | "null" };
    }
  }

  function readString(node: SchemaObject, place: Place): StringType {
    const format = node["format"];
    if (format !== undefined && typeof format !== "string")
      fail(
        "ERR_SCHEMA",
        'Cannot read "format": it must be a text',
        joinPointer(place.pointer, "format"),
      );
    return {
      kind: "string",
      ...(typeof format === "string" ? { format } : {}),
      ...count(node, "minLength", place),
      ...count(node, "maxLength", place),
    };
  }

  function count<Key extends string>(
    node: SchemaObject,
    key: Key,
    place: Place,
  ): Partial<Record<Key, number>> {
    const value = node[key];
    if (value === undefined) return {};
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
      return fail(
        "ERR_SCHEMA",
        `Cannot read "${key}": it must be a whole number from 0`,
        joinPointer(place.pointer, key),
      );
    }
    return { [key]: value } as Partial<Record<Key, number>>;
  }

  return (node, pointer, address) => readNode(node, { pointer, address });
}

function pick(node: SchemaObject, keys: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));
}
