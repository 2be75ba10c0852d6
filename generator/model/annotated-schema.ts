import type { Json } from "./types.js";

/** The names of types in a schema. */
export type ValueType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/**
 * A schema with the keywords of draft 2020-12, whatever its own draft, and with its descriptions.
 * References name entries of `definitions`.
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
  /** Only the root has them. */
  readonly definitions?: AnnotatedSchemas;
  /** The value of a property that is absent. */
  readonly default?: Json;
  readonly docs?: string;
  /** Documentation of the values of `enum`, in their order. */
  readonly enumDocs?: readonly string[];
  /** Reason for the deprecation, may be empty. Absent: not deprecated. */
  readonly deprecated?: string;
  /** The error text for a value that violates `pattern`. */
  readonly patternHint?: string;
  /** The error text for any wrong value. */
  readonly hint?: string;
}

export interface AnnotatedSchemas {
  readonly [name: string]: AnnotatedSchema;
}

/** Keywords whose values are schemas, by the shape of the value. */
export const schemaKeywords = {
  map: ["properties", "patternProperties", "dependentSchemas", "definitions"],
  list: ["prefixItems", "allOf", "anyOf", "oneOf"],
  one: [
    ...(["items", "contains", "additionalProperties", "propertyNames"] as const),
    ...(["not", "if", "then", "else"] as const),
  ],
} as const;

/** Keys of a schema whose values are for people. */
export const textKeys: ReadonlySet<string> = new Set([
  ...["docs", "enumDocs", "deprecated", "patternHint", "hint"],
]);

/** Rebuilds a schema from the inside out. */
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

/** A default as JSON, unless it is long. */
export function defaultText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
