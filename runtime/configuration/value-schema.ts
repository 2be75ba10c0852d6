/** The names of types in a schema. */
export type ValueType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/**
 * What a value may be: the part of JSON Schema that judges values, in one spelling for all drafts.
 *
 * `prefixItems` are the first items, `items` the others. References name entries of `definitions`.
 * `true` accepts everything, `false` nothing.
 */
export type ValueSchema = boolean | ValueRules;

export interface ValueRules {
  readonly $ref?: string;
  readonly type?: readonly ValueType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly prefixItems?: readonly ValueSchema[];
  readonly items?: ValueSchema;
  readonly contains?: ValueSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: ValueSchemas;
  readonly required?: readonly string[];
  readonly patternProperties?: ValueSchemas;
  readonly additionalProperties?: ValueSchema;
  readonly propertyNames?: ValueSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly dependentSchemas?: ValueSchemas;
  readonly allOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly not?: ValueSchema;
  readonly if?: ValueSchema;
  readonly then?: ValueSchema;
  readonly else?: ValueSchema;
  /** The value of a property that is absent. */
  readonly default?: unknown;
  /** What `$ref` refers to. Only the root has them. */
  readonly definitions?: ValueSchemas;
}

export interface ValueSchemas {
  readonly [name: string]: ValueSchema;
}
