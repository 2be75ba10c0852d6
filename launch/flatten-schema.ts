import type {
  AnnotatedRules,
  AnnotatedSchema,
  AnnotatedSchemas,
} from "../generator/model/annotated-schema.js";

/** Keywords that can be merged when they occur in an included schema. */
const mergeable: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "docs",
  "definitions",
  "$ref",
  "allOf",
]);

/**
 * Merges the properties of included schemas into an object, because that is the only place where
 * editors look for properties. Schemas with any other keywords are left unchanged.
 */
export function flattenObject(
  rules: AnnotatedRules,
  definitions: AnnotatedSchemas,
): AnnotatedRules {
  const { $ref, allOf = [], ...own } = rules;
  const target = $ref === undefined ? undefined : definitions[$ref];
  const kept: AnnotatedSchema[] = [];
  let merged: AnnotatedRules = { type: ["object"] };
  for (const part of [...(target === undefined ? [] : [target]), ...allOf]) {
    const flat = typeof part === "object" ? flattenObject(part, definitions) : part;
    if (typeof flat === "object" && Object.keys(flat).every((key) => mergeable.has(key)))
      merged = mergeObjects(merged, flat);
    else kept.push(part);
  }
  const whole = mergeObjects(merged, own);
  return kept.length === 0 ? whole : { ...whole, allOf: kept };
}

/** Merges two objects. Properties of the second object take precedence. */
function mergeObjects(a: AnnotatedRules, b: AnnotatedRules): AnnotatedRules {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  return {
    ...a,
    ...b,
    ...(a.properties === undefined && b.properties === undefined
      ? {}
      : { properties: { ...a.properties, ...b.properties } }),
    ...(required.length === 0 ? {} : { required }),
  };
}
