import type { Json, StringType, Type } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { readNumericType } from "./numeric-range.js";
import { readReference } from "./reference.js";
import { readAllOf, readAlternatives, readUnion } from "./schema-composition.js";
import { readEnum, readLiteral } from "./schema-enums.js";
import type { Notes, SchemaFile, SchemaObject } from "./schema-file.js";
import {
  keywordsOfType,
  readAnnotations,
  refuseOthers,
  refuseUnknown,
  unionOf,
  type NodeContext,
  type Place,
  type ReadNode,
} from "./schema-node.js";
import { readObject } from "./schema-objects.js";

/** All JSON types except `integer`, which is a `number`. A schema that lists them all accepts any value. */
const anyTypes = ["array", "boolean", "null", "number", "object", "string"];

/** Creates a reader from JSON Schema nodes to model types. It refuses keywords that the model cannot represent. */
export function createTypeReader(
  schema: SchemaFile,
  notes: Notes,
): (node: Json, pointer: string, address: string) => ReadNode {
  const context: NodeContext = {
    schema,
    notes,
    extending: new Set(),
    inheriting: new Set(),
    nested: 0,
    readNode: (value, place) => readNode(context, value, place),
  };
  return (node, pointer, address) => readNode(context, node, { pointer, address });
}

function readNode(context: NodeContext, value: Json, place: Place): ReadNode {
  if (value === true) return { type: { kind: "any" } };
  if (!isJsonObject(value))
    return context.schema.fail(
      "ERR_SCHEMA",
      `Cannot read ${JSON.stringify(value)?.slice(0, 60)}: a schema must be an object`,
      place.pointer,
    );
  refuseUnknown(context, value, place.pointer);
  const inherited = value["allOf"] === undefined ? undefined : readAllOf(context, value, place);
  return {
    ...readAnnotations(context.schema, value, place),
    ...inherited?.annotations,
    type: inherited?.type ?? readType(context, value, place),
  };
}

function isNameList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
  );
}

function readType(context: NodeContext, node: SchemaObject, place: Place): Type {
  if (node["$ref"] !== undefined) {
    refuseOthers(context, node, place, ["$ref"], "beside $ref");
    return {
      kind: "reference",
      name: readReference(context.schema, node["$ref"], joinPointer(place.pointer, "$ref")),
    };
  }
  for (const key of ["anyOf", "oneOf"]) {
    if (node[key] === undefined) continue;
    if (node["properties"] !== undefined) return readAlternatives(context, node, key, place);
    refuseOthers(context, node, place, [key, "type"], `beside ${key}`);
    return readUnion(context, node[key], { ...place, pointer: joinPointer(place.pointer, key) });
  }
  if (node["const"] !== undefined) {
    refuseOthers(context, node, place, ["const", "type", "format"], "beside const");
    return readLiteral(context.schema, node["const"], joinPointer(place.pointer, "const"));
  }
  for (const key of ["enum", "_enum"]) {
    if (node[key] === undefined) continue;
    refuseOthers(context, node, place, [key, "type"], `beside ${key}`);
    return readEnum(context.schema, node, key, place);
  }
  const types = node["type"];
  if (types === undefined) return readUntyped(context, node, place);
  if (typeof types === "string") return readNamedType(context, node, types, place);
  if (!isNameList(types))
    return context.schema.fail(
      "ERR_SCHEMA",
      'Cannot read "type": it must be a name or a list of names',
      joinPointer(place.pointer, "type"),
    );
  if (anyTypes.every((name) => types.includes(name))) {
    refuseOthers(context, node, place, ["type"], "for a value of any type");
    return { kind: "any" };
  }
  const allowed = ["type", ...types.flatMap((name) => keywordsOfType.get(name) ?? [])];
  refuseOthers(context, node, place, allowed, `for the types ${types.join(", ")}`);
  return unionOf(
    types.map((name) =>
      readNamedType(context, pick(node, keywordsOfType.get(name) ?? []), name, place),
    ),
  );
}

/** Reads a node without `type`: an object or a list if it has keywords of one, else any value. */
function readUntyped(context: NodeContext, node: SchemaObject, place: Place): Type {
  const isObject = ["properties", "required", "additionalProperties"].some(
    (key) => node[key] !== undefined,
  );
  if (isObject) return readNamedType(context, node, "object", place);
  if (node["items"] !== undefined) return readNamedType(context, node, "array", place);
  refuseOthers(context, node, place, [], 'without "type"');
  return { kind: "any" };
}

function readNamedType(context: NodeContext, node: SchemaObject, name: string, place: Place): Type {
  const keywords = keywordsOfType.get(name);
  if (keywords === undefined)
    return context.schema.fail(
      "ERR_SCHEMA",
      `Cannot read the type ${JSON.stringify(name)}`,
      joinPointer(place.pointer, "type"),
      `Known types: ${[...keywordsOfType.keys()].join(", ")}`,
    );
  refuseOthers(context, node, place, ["type", ...keywords], `for the type ${name}`);
  switch (name) {
    case "integer":
    case "number":
      return readNumericType(context.schema, node, name, place.pointer);
    case "string":
      return readString(context, node, place);
    case "array":
      return {
        kind: "array",
        items:
          node["items"] === undefined
            ? { kind: "any" }
            : readNode(context, node["items"], {
                pointer: joinPointer(place.pointer, "items"),
                address: `${place.address}/*`,
              }).type,
        ...count(context.schema, node, "minItems", place),
        ...count(context.schema, node, "maxItems", place),
      };
    case "object":
      return readObject(context, node, [], place);
    default:
      return { kind: name as "boolean" | "null" };
  }
}

function readString(context: NodeContext, node: SchemaObject, place: Place): StringType {
  const format = node["format"];
  if (format !== undefined && typeof format !== "string")
    context.schema.fail(
      "ERR_SCHEMA",
      'Cannot read "format": it must be a text',
      joinPointer(place.pointer, "format"),
    );
  return {
    kind: "string",
    ...(typeof format === "string" ? { format } : {}),
    ...count(context.schema, node, "minLength", place),
    ...count(context.schema, node, "maxLength", place),
    ...readPattern(context, node, place),
  };
}

function readPattern(
  { schema, notes }: NodeContext,
  node: SchemaObject,
  place: Place,
): Pick<StringType, "pattern"> {
  const { pattern } = node;
  if (pattern === undefined || !notes.patterns) return {};
  if (typeof pattern === "string" && isPattern(pattern)) return { pattern };
  return schema.fail(
    "ERR_SCHEMA",
    'Cannot read "pattern": it must be a regular expression',
    joinPointer(place.pointer, "pattern"),
  );
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

function count<Key extends string>(
  schema: SchemaFile,
  node: SchemaObject,
  key: Key,
  place: Place,
): Partial<Record<Key, number>> {
  const value = node[key];
  if (value === undefined) return {};
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be a whole number from 0`,
      joinPointer(place.pointer, key),
    );
  }
  return { [key]: value } as Partial<Record<Key, number>>;
}

function pick(node: SchemaObject, keys: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));
}
