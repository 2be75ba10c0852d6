import type { Json } from "../generator/model/types.js";
import { isJsonObject } from "../generator/read/source/json-text.js";
import type { AnnotatedRules } from "../generator/model/annotated-schema.js";

/**
 * Checks a keyword's value. Returns a description of the expected value, or undefined if the value
 * is valid.
 */
type Shape = (value: Json) => string | undefined;

const shape =
  (test: (value: Json) => boolean, words: string): Shape =>
  (value) =>
    test(value) ? undefined : words;

const isText = (value: Json): boolean => typeof value === "string";
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);

const schema = shape(
  (value) => typeof value === "boolean" || isJsonObject(value),
  "a schema (an object, true or false)",
);
const schemas = shape(
  (value) => Array.isArray(value) && value.length > 0,
  "an array of at least one schema",
);
const schemaMap = shape(isJsonObject, "an object whose values are schemas");
const number = shape((value) => typeof value === "number", "a number");
const bound = shape((value) => typeof value === "number" || typeof value === "boolean", "a number");
const count = shape(
  (value) => typeof value === "number" && Number.isInteger(value) && value >= 0,
  "a whole number, at least 0",
);
const flag = shape((value) => typeof value === "boolean", "true or false");
const text = shape(isText, "a string");
const texts = shape(isTexts, "an array of strings");
const anything: Shape = () => undefined;
const pattern = shape(
  (value) => typeof value === "string" && isExpression(value),
  "a regular expression",
);

/** The known keywords, each with a check for its value. */
export const keywordShapes: ReadonlyMap<string, Shape> = new Map([
  [
    "type",
    shape(
      (value) => isText(value) || (isTexts(value) && (value as Json[]).length > 0),
      "a name or an array of names",
    ),
  ],
  ["enum", shape((value) => Array.isArray(value) && value.length > 0, "an array of values")],
  ["const", anything],
  ["default", anything],
  ["$ref", text],
  ["pattern", pattern],
  ...entries(number, "minimum", "maximum"),
  ["multipleOf", shape((value) => typeof value === "number" && value > 0, "a number above 0")],
  ...entries(bound, "exclusiveMinimum", "exclusiveMaximum"),
  ...entries(
    count,
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
  ),
  ["uniqueItems", flag],
  ["required", texts],
  [
    "items",
    shape(
      (value) => schema(value) === undefined || Array.isArray(value),
      "a schema, or an array of schemas",
    ),
  ],
  ...entries(
    schema,
    "additionalItems",
    "contains",
    "additionalProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ),
  ...entries(schemas, "allOf", "anyOf", "oneOf", "prefixItems"),
  ...entries(schemaMap, "properties", "dependentSchemas", "definitions", "$defs", "dependencies"),
  [
    "patternProperties",
    shape(
      (value) => isJsonObject(value) && Object.keys(value).every(isExpression),
      "an object whose keys are regular expressions",
    ),
  ],
  [
    "dependentRequired",
    shape(
      (value) => isJsonObject(value) && Object.values(value).every(isTexts),
      "an object whose values are arrays of names",
    ),
  ],
  ...entries(
    text,
    "description",
    "markdownDescription",
    "title",
    "patternErrorMessage",
    "errorMessage",
  ),
  ["deprecationMessage", text],
  ["markdownDeprecationMessage", text],
  ["deprecated", flag],
  ["enumDescriptions", texts],
  ["markdownEnumDescriptions", texts],
]);

function entries(own: Shape, ...keys: readonly string[]): readonly (readonly [string, Shape])[] {
  return keys.map((key) => [key, own] as const);
}

function isExpression(source: string): boolean {
  for (const flags of ["u", ""])
    try {
      new RegExp(source, flags);
      return true;
    } catch {
      // The regular expression may still be valid with different flags.
    }
  return false;
}

/** Keywords for people or editors, which do not affect which values are valid. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  "description",
  "markdownDescription",
  "title",
  "default",
  "examples",
  "deprecated",
  "enumDescriptions",
  "markdownEnumDescriptions",
  "enumItemLabels",
  "enumSortTexts",
  "enumDetails",
  "deprecationMessage",
  "markdownDeprecationMessage",
  "defaultSnippets",
  "definitions",
  "$defs",
  "patternErrorMessage",
  "errorMessage",
  "doNotSuggest",
  "suggestSortText",
  "completionDetail",
  "allowComments",
  "allowTrailingCommas",
  "format",
  "contentEncoding",
  "contentMediaType",
  "readOnly",
  "writeOnly",
  "$comment",
  "comment",
  "$id",
  "id",
  "$schema",
  "$anchor",
  "scope",
  "order",
  "tags",
  "editPresentation",
  "markdownExamples",
  "keywords",
  "included",
  "when",
]);

/** Extracts a schema's keywords that hold text for people. */
export function docsOf(schema: {
  readonly [key: string]: Json;
}): Pick<AnnotatedRules, "docs" | "enumDocs" | "deprecated" | "patternHint" | "hint"> {
  const firstText = (...keys: readonly string[]): string | undefined => {
    const found = keys
      .map((key) => schema[key])
      .find((each) => typeof each === "string" && each.trim() !== "");
    return found as string | undefined;
  };
  const enumDocs = schema["markdownEnumDescriptions"] ?? schema["enumDescriptions"];
  const docs = firstText("markdownDescription", "description", "title");
  const deprecated = firstText("markdownDeprecationMessage", "deprecationMessage");
  const patternHint = firstText("patternErrorMessage");
  const hint = firstText("errorMessage");
  return {
    ...(docs === undefined ? {} : { docs }),
    ...(enumDocs === undefined ? {} : { enumDocs: enumDocs as string[] }),
    ...(deprecated === undefined
      ? schema["deprecated"] === true
        ? { deprecated: "" }
        : {}
      : { deprecated }),
    ...(patternHint === undefined ? {} : { patternHint }),
    ...(hint === undefined ? {} : { hint }),
  };
}
