import type { JSDocableNode } from "ts-morph";
import type { Json } from "../generator/model/types.js";
import { readDeclarations } from "../generator/read/source/declarations.js";
import { isJsonObject } from "../generator/read/source/json-text.js";
import type { ConfigurationSource } from "./configuration-set.js";
import { readLaunchSchema } from "./read-launch-schema.js";

/** Doc comment tags that set a numeric keyword, such as a bound. */
const numbers = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];

/**
 * Reads configurations from TypeScript. Each interface with literal types for `type` and `request`
 * is a set of attributes. Doc comment tags express the constraints that TypeScript types cannot:
 * `@default`, `@deprecated`, `@integer`, `@pattern`, and the names of JSON Schema keywords.
 *
 * @throws InputError with the location of the part that cannot be read.
 */
export async function readInterfaces(text: string, name: string): Promise<ConfigurationSource> {
  const file = await readDeclarations(text, name, keywordsOfTags);
  return readLaunchSchema({
    ...file,
    value: withOpenEnums(file.value),
    locate: (pointer) => file.locate(pointer),
  });
}

function keywordsOfTags(node: JSDocableNode): { [key: string]: Json } {
  const keywords: { [key: string]: Json } = {};
  for (const tag of node.getJsDocs().flatMap((doc) => doc.getTags())) {
    const name = tag.getTagName();
    const text = (tag.getCommentText() ?? "").trim();
    if (name === "default" || name === "defaultValue") keywords["default"] = valueOf(text);
    else if (name === "deprecated") {
      if (text === "") keywords["deprecated"] = true;
      else keywords["deprecationMessage"] = text;
    } else if (name === "pattern") keywords["pattern"] = text;
    else if (name === "integer") keywords["type"] = "integer";
    else if (name === "uniqueItems") keywords["uniqueItems"] = true;
    else if (numbers.includes(name) && text !== "" && Number.isFinite(Number(text)))
      keywords[name] = Number(text);
  }
  return keywords;
}

/**
 * Parses the default in a doc comment as JSON, or returns it as a string if it is not JSON.
 * Surrounding backticks are ignored.
 */
function valueOf(text: string): Json {
  const bare = text.replace(/^`(.*)`$/s, "$1");
  try {
    return JSON.parse(bare) as Json;
  } catch {
    return bare;
  }
}

/**
 * Converts open enums. In a union of `string` and listed values, the listed values are merely
 * suggestions.
 */
function withOpenEnums(value: Json): Json {
  if (Array.isArray(value)) return value.map(withOpenEnums);
  if (!isJsonObject(value)) return value;
  const { _enum: listed, ...rest } = value;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, part]) => [key, withOpenEnums(part)]),
  );
  if (listed === undefined) return copy;
  const { type, ...others } = copy as { [key: string]: Json };
  return { ...others, anyOf: [{ enum: listed }, { type: type ?? "string" }] };
}
