import type { Json } from "../generator/model/types.js";
import { isJsonObject, type JsonObject } from "../generator/read/source/json-text.js";
import { referredSchema, requiredIn, schemasIn } from "./schema-parts.js";

/** Keywords that can be merged when they occur in an included schema. */
const mergeable: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "description",
  "definitions",
  "$ref",
  "allOf",
]);

/**
 * Merges the properties of included schemas into an object, because that is the only place where
 * editors look for properties. Schemas with any other keywords are left unchanged.
 */
export function flattenObject(rules: JsonObject, definitions: Json | undefined): JsonObject {
  const { $ref, allOf, ...own } = rules;
  const parts = [
    ...($ref === undefined ? [] : [referredSchema(rules, definitions)]),
    ...((allOf ?? []) as readonly Json[]),
  ];
  const kept: Json[] = [];
  let merged: JsonObject = { type: "object" };
  for (const part of parts) {
    const flat = isJsonObject(part) ? flattenObject(part, definitions) : part;
    if (isJsonObject(flat) && Object.keys(flat).every((key) => mergeable.has(key)))
      merged = mergeObjects(merged, flat);
    else kept.push(part);
  }
  const whole = mergeObjects(merged, own);
  return kept.length === 0 ? whole : { ...whole, allOf: kept };
}

/** Merges two objects. Properties of the second object take precedence. */
function mergeObjects(a: JsonObject, b: JsonObject): JsonObject {
  const required = [...new Set([...requiredIn(a), ...requiredIn(b)])];
  const properties = { ...schemasIn(a, "properties"), ...schemasIn(b, "properties") };
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}
