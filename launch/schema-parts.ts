import { partOf } from "../runtime/base/json-pointer.js";
import type { Json } from "../generator/model/types.js";
import { schemaKeywords } from "../generator/read/schema/keywords.js";
import { isJsonObject, joinPointer, type JsonObject } from "../generator/read/source/json-text.js";

/**
 * Copies a schema while replacing its parts from the inside out. `change` receives a schema whose
 * subschemas have already been replaced, and returns its replacement.
 */
export function mapSchema(schema: Json, change: (rules: JsonObject) => Json): Json {
  if (!isJsonObject(schema)) return schema;
  const { one, list, named } = schemaKeywords;
  const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (list.has(keyword) && Array.isArray(value))
      return [keyword, value.map((part: Json) => mapSchema(part, change))];
    if (one.has(keyword)) return [keyword, mapSchema(value, change)];
    if (!named.has(keyword) || !isJsonObject(value)) return [keyword, value];
    const schemas = Object.entries(value).map(([name, part]) => [name, mapSchema(part, change)]);
    return [keyword, Object.fromEntries(schemas) as JsonObject];
  });
  return change(Object.fromEntries(parts));
}

/** Returns the reference to a definition of the same schema. */
export function referenceTo(definition: string): string {
  return encodeURI(`#${joinPointer("", "definitions", definition)}`);
}

/** Returns the definition that a schema refers to. */
export function referredSchema({ $ref }: JsonObject, definitions: Json | undefined): Json {
  if (typeof $ref !== "string" || definitions === undefined) return true;
  return (partOf({ definitions }, decodeURI($ref.slice(1))) as Json | undefined) ?? true;
}

/** Returns a keyword's value if it contains schemas by name, such as `properties`. */
export function schemasIn(schema: Json | undefined, keyword: string): JsonObject {
  const schemas = isJsonObject(schema) ? schema[keyword] : undefined;
  return isJsonObject(schemas) ? schemas : {};
}

/** Returns the names in `required`. */
export function requiredIn({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}
