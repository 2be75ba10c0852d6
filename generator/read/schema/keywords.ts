/** Keywords that describe values but do not affect their validity. */
export const annotations: ReadonlySet<string> = new Set([
  // JSON Schema
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$schema",
  "$id",
  "id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
  "$vocabulary",
  "$comment",
  "definitions",
  "$defs",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  // This project
  "enumNumbers",
  // Visual Studio Code
  "markdownDescription",
  "enumDescriptions",
  "markdownEnumDescriptions",
  "enumItemLabels",
  "deprecationMessage",
  "markdownDeprecationMessage",
  "defaultSnippets",
  "errorMessage",
  "patternErrorMessage",
  "doNotSuggest",
  "suggestSortText",
  "allowComments",
  "allowTrailingCommas",
  "allowsTrailingCommas",
  "editPresentation",
  "scope",
  "order",
  "tags",
  // OpenAPI
  "discriminator",
  "example",
  "externalDocs",
  "xml",
  // Tools that generate TypeScript
  "tsType",
  "tsEnumNames",
  "enumNames",
]);

/** JSON types. `integer` is a `number`. */
export type TypeName = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

const numeric = [
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
];

/** Keywords that constrain values of one type. */
export const keywordsOfType: Readonly<Record<TypeName, readonly string[]>> = {
  string: ["format", "minLength", "maxLength", "pattern"],
  integer: numeric,
  number: numeric,
  boolean: [],
  null: [],
  array: [
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
  ],
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
  ],
};

/** Keywords that constrain values of any type. */
const ofAnyType = [
  "type",
  "enum",
  "_enum",
  "const",
  "nullable",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/** Keywords that affect whether a value is valid. */
export const assertions: ReadonlySet<string> = new Set([
  ...ofAnyType,
  ...Object.values(keywordsOfType).flat(),
]);

/** Returns whether a keyword is a note, meaning an extension keyword that starts with `x-`. */
export function isNote(keyword: string): boolean {
  return /^x-/i.test(keyword);
}

/** Keywords whose value is a schema, an array of schemas, or an object of schemas. */
export const schemaKeywords = {
  one: new Set([
    "additionalProperties",
    "additionalItems",
    "items",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
  ]),
  list: new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]),
  named: new Set([
    "properties",
    "patternProperties",
    "definitions",
    "$defs",
    "dependentSchemas",
    "dependencies",
  ]),
} as const;
