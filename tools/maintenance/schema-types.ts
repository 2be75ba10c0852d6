import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";
import { format, resolveConfig } from "prettier";
import { formatsFolder } from "../../generator/base/bundled.js";
import type { Json } from "../../generator/model/types.js";
import { isJsonObject } from "../../generator/read/source/json-text.js";
import type { JsonObject } from "./schema-nodes.js";

/** A file with the types defined by one of our schemas. */
export interface SchemaTypes {
  readonly path: string;
  /** Name of the type for the schema itself. */
  readonly name: string;
  readonly schema: JsonObject;
  /** Definitions in other schemas that this schema references. */
  readonly more?: JsonObject;
  /** The part of the file that precedes the types. */
  readonly head: string;
}

/** Prints a schema's types with readonly properties. */
export async function printSchemaTypes({
  path,
  name,
  schema,
  more = {},
  head,
}: SchemaTypes): Promise<string> {
  const definitions = { ...more, ...(schema["definitions"] as JsonObject) };
  const own = Object.fromEntries(
    Object.entries(schema["definitions"] as JsonObject).filter(([, each]) => !isPlain(each)),
  );
  const types = await compile(
    forTypes({ ...schema, definitions: own }, definitions) as object,
    name,
    {
      additionalProperties: false,
      bannerComment: head,
      format: false,
      unreachableDefinitions: true,
    },
  );
  return format(asReadonly(types), { ...(await resolveConfig(path)), filepath: path });
}

/** Reads one of our schemas by name: `protocol` is schema/formats/protocol.schema.json. */
export function readSchema(name: string): JsonObject {
  return JSON.parse(
    readFileSync(new URL(`${name}.schema.json`, formatsFolder), "utf8"),
  ) as JsonObject;
}

/** Reduces a schema to the conditions that types can express. */
function forTypes(node: Json, definitions: JsonObject): Json {
  if (Array.isArray(node)) return node.map((each) => forTypes(each, definitions));
  if (!isJsonObject(node)) return node;
  const reference = node["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const target = definitions[name];
    if (isPlain(target))
      return { ...(forTypes(target, definitions) as JsonObject), ...descriptionOf(node) };
    // A reference with a description would become a separate type.
    return node["description"] === undefined
      ? { $ref: `#/definitions/${name}` }
      : { tsType: typeName(target, name), ...descriptionOf(node) };
  }
  const isPattern = node["type"] === "string" && node["enum"] === undefined;
  const kept = Object.entries(node).filter(([key, value]) =>
    isPattern
      ? ["type", "description"].includes(key)
      : !(key === "minItems" && value !== node["maxItems"]),
  );
  const changed = Object.fromEntries(
    kept.map(([key, value]) => [key, forTypes(value, definitions)]),
  );
  return isJsonObject(changed) && isAnyObject(changed)
    ? { ...changed, additionalProperties: { tsType: "Json" } }
    : changed;
}

/**
 * Returns whether a definition is a string or an array. Such definitions need no named types,
 * because types cannot express patterns.
 */
function isPlain(definition: Json | undefined): definition is JsonObject {
  return (
    isJsonObject(definition) && (definition["type"] === "string" || definition["type"] === "array")
  );
}

/** Returns the name that json-schema-to-typescript gives to a definition's type. */
function typeName(definition: Json | undefined, key: string): string {
  const title = isJsonObject(definition) ? definition["title"] : undefined;
  return (typeof title === "string" ? title : key).replaceAll(/(?:^| )(\w)/g, (_, first: string) =>
    first.toUpperCase(),
  );
}

function descriptionOf({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description };
}

function isAnyObject(node: JsonObject): boolean {
  return (
    node["type"] === "object" &&
    node["properties"] === undefined &&
    (node["additionalProperties"] === undefined || node["additionalProperties"] === true)
  );
}

/** Makes properties readonly and removes comments about where a definition is used. */
function asReadonly(types: string): string {
  return types
    .replaceAll(/^ \* This interface was referenced by .*\n.*via the `definition` .*\n/gm, "")
    .replaceAll(/^ \* ?\n \*\/$/gm, " */")
    .replaceAll("/**\n */\n", "")
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, "/** $1 */")
    .replaceAll(/^(\s*)((?:"[^"]+"|\$?\w+)\??|\[k: string\]):/gm, "$1readonly $2:")
    .replaceAll(/(\([^()]*\)|\b\w+)\[\]/g, "readonly $&")
    .replaceAll(/: \[(?=string,)/g, ": readonly [");
}
