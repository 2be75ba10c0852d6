import type { Json } from "./types.js";

/** Type names that a schema may use. */
export type ValueType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/**
 * A schema, including its descriptions. It always uses draft 2020-12 keywords, regardless of the
 * draft that the source uses. References name entries of `definitions`.
 */
export type AnnotatedSchema = boolean | AnnotatedRules;

export interface AnnotatedRules {
  readonly $ref?: string;
  readonly type?: readonly ValueType[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly prefixItems?: readonly AnnotatedSchema[];
  readonly items?: AnnotatedSchema;
  readonly contains?: AnnotatedSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: AnnotatedSchemas;
  readonly required?: readonly string[];
  readonly patternProperties?: AnnotatedSchemas;
  readonly additionalProperties?: AnnotatedSchema;
  readonly propertyNames?: AnnotatedSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly dependentSchemas?: AnnotatedSchemas;
  readonly allOf?: readonly AnnotatedSchema[];
  readonly anyOf?: readonly AnnotatedSchema[];
  readonly oneOf?: readonly AnnotatedSchema[];
  readonly not?: AnnotatedSchema;
  readonly if?: AnnotatedSchema;
  readonly then?: AnnotatedSchema;
  readonly else?: AnnotatedSchema;
  /** Definitions that references point to. Only the root schema has definitions. */
  readonly definitions?: AnnotatedSchemas;
  /** The value that applies if the property is absent. */
  readonly default?: Json;
  readonly docs?: string;
  /** Documentation for the values in `enum`, in the same order. */
  readonly enumDocs?: readonly string[];
  /** Reason for the deprecation, possibly empty. Absent if the schema is not deprecated. */
  readonly deprecated?: string;
  /** The error message for a value that violates `pattern`. */
  readonly patternHint?: string;
  /** The error message for any invalid value. */
  readonly hint?: string;
}

export interface AnnotatedSchemas {
  readonly [name: string]: AnnotatedSchema;
}

/**
 * Keywords that contain schemas, grouped by the form of their value: an object, an array or a
 * single schema.
 */
export const schemaKeywords = {
  map: ["properties", "patternProperties", "dependentSchemas", "definitions"],
  list: ["prefixItems", "allOf", "anyOf", "oneOf"],
  one: [
    ...(["items", "contains", "additionalProperties", "propertyNames"] as const),
    ...(["not", "if", "then", "else"] as const),
  ],
} as const;

/** Keywords whose values are human-readable text. */
export const textKeys: ReadonlySet<string> = new Set([
  "docs",
  "enumDocs",
  "deprecated",
  "patternHint",
  "hint",
]);

/**
 * Copies a schema while replacing its parts from the inside out. `change` receives a schema whose
 * subschemas have already been replaced, and returns its replacement.
 */
export function mapSchema(
  schema: AnnotatedSchema,
  change: (rules: AnnotatedRules) => unknown,
): unknown {
  if (typeof schema === "boolean") return schema;
  const copy: Record<string, unknown> = { ...schema };
  for (const key of schemaKeywords.map) {
    const parts = schema[key];
    if (parts !== undefined)
      copy[key] = Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, mapSchema(part, change)]),
      );
  }
  for (const key of schemaKeywords.list) {
    const parts = schema[key];
    if (parts !== undefined) copy[key] = parts.map((part) => mapSchema(part, change));
  }
  for (const key of schemaKeywords.one) {
    const part = schema[key];
    if (part !== undefined) copy[key] = mapSchema(part, change);
  }
  return change(copy as AnnotatedRules);
}

/** Prints a default as JSON, shortened if it is long. */
export function defaultText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
