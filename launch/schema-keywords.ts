import type { Json } from "../generator/model/types.js";
import { annotations } from "../generator/read/schema/keywords.js";
import { isJsonObject, type JsonObject } from "../generator/read/source/json-text.js";

const isText = (value: Json): boolean => typeof value === "string";
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);
const isList = (value: Json): boolean => Array.isArray(value) && value.length > 0;
const isFlag = (value: Json): boolean => typeof value === "boolean";
const isNumber = (value: Json): boolean => typeof value === "number";
const isSchema = (value: Json): boolean => isFlag(value) || isJsonObject(value);

function isExpression(source: Json): boolean {
  return ["u", ""].some((flags) => {
    try {
      return isText(source) && new RegExp(source as string, flags) !== undefined;
    } catch {
      // The regular expression may still be valid with different flags.
      return false;
    }
  });
}

/** The values that each keyword may have. Editors ignore a keyword with any other value. */
const shapes: readonly {
  readonly keywords: string;
  readonly expected: string;
  readonly isValid: (value: Json) => boolean;
}[] = [
  {
    keywords: "type",
    expected: "a name or an array of names",
    isValid: (value) => isText(value) || (isTexts(value) && isList(value)),
  },
  { keywords: "enum", expected: "an array of values", isValid: isList },
  { keywords: "const default", expected: "a value", isValid: () => true },
  { keywords: "pattern", expected: "a regular expression", isValid: isExpression },
  { keywords: "minimum maximum", expected: "a number", isValid: isNumber },
  {
    keywords: "exclusiveMinimum exclusiveMaximum",
    expected: "a number",
    isValid: (value) => isNumber(value) || isFlag(value),
  },
  {
    keywords: "multipleOf",
    expected: "a number above 0",
    isValid: (value) => typeof value === "number" && value > 0,
  },
  {
    keywords:
      "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
    expected: "a whole number, at least 0",
    isValid: (value) => Number.isInteger(value) && Number(value) >= 0,
  },
  { keywords: "uniqueItems deprecated", expected: "true or false", isValid: isFlag },
  {
    keywords: "items",
    expected: "a schema, or an array of schemas",
    isValid: (value) => isSchema(value) || Array.isArray(value),
  },
  {
    keywords: "additionalItems contains additionalProperties propertyNames not if then else",
    expected: "a schema (an object, true or false)",
    isValid: isSchema,
  },
  {
    keywords: "allOf anyOf oneOf prefixItems",
    expected: "an array of at least one schema",
    isValid: isList,
  },
  {
    keywords: "properties dependentSchemas definitions $defs dependencies",
    expected: "an object whose values are schemas",
    isValid: isJsonObject,
  },
  {
    keywords: "patternProperties",
    expected: "an object whose keys are regular expressions",
    isValid: (value) => isJsonObject(value) && Object.keys(value).every(isExpression),
  },
  {
    keywords: "dependentRequired",
    expected: "an object whose values are arrays of names",
    isValid: (value) => isJsonObject(value) && Object.values(value).every(isTexts),
  },
  {
    keywords: "required enumDescriptions markdownEnumDescriptions",
    expected: "an array of strings",
    isValid: isTexts,
  },
  {
    keywords:
      "$ref description markdownDescription title patternErrorMessage errorMessage deprecationMessage markdownDeprecationMessage",
    expected: "a string",
    isValid: isText,
  },
];

/** The known keywords, each with the test of its value. */
export const keywordShapes: ReadonlyMap<string, (typeof shapes)[number]> = new Map(
  shapes.flatMap((shape) => shape.keywords.split(" ").map((keyword) => [keyword, shape])),
);

/** Keywords that only some editors and tools know. */
const editorKeywords =
  "comment completionDetail enumDetails enumSortTexts format included keywords markdownExamples when";

/** Returns whether a keyword does not affect which values are valid. */
export function isAnnotation(keyword: string): boolean {
  return (
    annotations.has(keyword) ||
    editorKeywords.split(" ").includes(keyword) ||
    keyword.startsWith("//") ||
    keyword.startsWith("x-")
  );
}

/**
 * Extracts a schema's texts for people. As in editors, text with Markdown takes precedence over
 * plain text.
 */
export function textsOf(schema: JsonObject): JsonObject {
  const firstText = (...keywords: readonly string[]): Json | undefined =>
    keywords
      .map((keyword) => schema[keyword])
      .find((text) => typeof text === "string" && text.trim() !== "");
  const listed = schema["enum"];
  const values = schema["markdownEnumDescriptions"] ?? schema["enumDescriptions"];
  const texts = {
    description: firstText("markdownDescription", "description", "title"),
    enumDescriptions:
      Array.isArray(listed) && Array.isArray(values)
        ? listed.map((_, index) => (values as readonly string[])[index] ?? "")
        : undefined,
    deprecationMessage: firstText("markdownDeprecationMessage", "deprecationMessage"),
    deprecated: schema["deprecated"] === true ? true : undefined,
    patternErrorMessage: firstText("patternErrorMessage"),
    errorMessage: firstText("errorMessage"),
  };
  return Object.fromEntries(
    Object.entries(texts).filter((text): text is [string, Json] => text[1] !== undefined),
  );
}

/** The keywords that `textsOf` extracts. */
export const textKeywords: ReadonlySet<string> = new Set(
  "description enumDescriptions deprecationMessage deprecated patternErrorMessage errorMessage".split(
    " ",
  ),
);
