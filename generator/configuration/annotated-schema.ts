import type { ValueSchema, ValueRules } from "../../runtime/configuration/value-schema.js";
import type { Json } from "../model/types.js";

/** A schema in one spelling for all drafts, with what it says to people. */
export type AnnotatedSchema = boolean | AnnotatedRules;

export interface AnnotatedRules extends Omit<ValueRules, SchemaKeyword> {
  readonly properties?: AnnotatedSchemas;
  readonly patternProperties?: AnnotatedSchemas;
  readonly dependentSchemas?: AnnotatedSchemas;
  readonly definitions?: AnnotatedSchemas;
  readonly prefixItems?: readonly AnnotatedSchema[];
  readonly allOf?: readonly AnnotatedSchema[];
  readonly anyOf?: readonly AnnotatedSchema[];
  readonly oneOf?: readonly AnnotatedSchema[];
  readonly items?: AnnotatedSchema;
  readonly contains?: AnnotatedSchema;
  readonly additionalProperties?: AnnotatedSchema;
  readonly propertyNames?: AnnotatedSchema;
  readonly not?: AnnotatedSchema;
  readonly if?: AnnotatedSchema;
  readonly then?: AnnotatedSchema;
  readonly else?: AnnotatedSchema;
  readonly default?: Json;
  readonly docs?: string;
  /** Documentation of the values of `enum`, in their order. */
  readonly enumDocs?: readonly string[];
  /** Reason for the deprecation, may be empty. Absent: not deprecated. */
  readonly deprecated?: string;
  /** What to say of a value that violates `pattern`. */
  readonly patternHint?: string;
  /** What to say of any wrong value. */
  readonly hint?: string;
}

export interface AnnotatedSchemas {
  readonly [name: string]: AnnotatedSchema;
}

export type SchemaKeyword = (typeof schemaKeywords)[keyof typeof schemaKeywords][number] | "default";

/** Keywords whose values are schemas, by the shape in which they hold them. */
export const schemaKeywords = {
  map: ["properties", "patternProperties", "dependentSchemas", "definitions"],
  list: ["prefixItems", "allOf", "anyOf", "oneOf"],
  one: [
    ...(["items", "contains", "additionalProperties", "propertyNames"] as const),
    ...(["not", "if", "then", "else"] as const),
  ],
} as const;

const annotations: ReadonlySet<string> = new Set([
  ...["docs", "enumDocs", "deprecated", "patternHint", "hint"],
]);

/** The part of a schema that judges values and has defaults. */
export function rulesOf(schema: AnnotatedSchema): ValueSchema {
  return mapSchema(schema, (rules) =>
    Object.fromEntries(Object.entries(rules).filter(([key]) => !annotations.has(key))),
  ) as ValueSchema;
}

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
