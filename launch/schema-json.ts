import type { Json } from "../generator/model/types.js";
import { assertions } from "../generator/read/schema/keywords.js";
import { isJsonObject, type JsonObject } from "../generator/read/source/json-text.js";
import { textKeywords } from "./schema-keywords.js";
import { mapSchema, referredSchema } from "./schema-parts.js";

/** Keywords for texts, each with the one for text that contains Markdown. */
export const markdownKeywords: Readonly<Record<string, string>> = {
  description: "markdownDescription",
  enumDescriptions: "markdownEnumDescriptions",
  deprecationMessage: "markdownDeprecationMessage",
};

/** The keywords that `schemaJson` writes. Any others in a file are left unchanged. */
export const writtenKeywords: ReadonlySet<string> = new Set([
  "default",
  ...assertions,
  ...textKeywords,
  ...Object.values(markdownKeywords),
]);

/**
 * Converts a schema for use in editors. The result contains no references, because editors combine
 * it with other schemas. Undefined if the schema refers to itself.
 */
export function schemaJson(schema: Json, definitions: Json | undefined): Json | undefined {
  const open = new Set<Json>();
  let isEndless = false;
  const write = (part: Json): Json =>
    mapSchema(part, ({ $ref, definitions: _definitions, ...rules }) => {
      const described = withMarkdown(rules);
      if ($ref === undefined) return described;
      if (open.has($ref)) {
        isEndless = true;
        return true;
      }
      open.add($ref);
      const target = write(referredSchema({ $ref }, definitions));
      open.delete($ref);
      const keywords = Object.keys(described);
      if (keywords.length === 0) return target;
      const isText = keywords.every((each) => each === "default" || !assertions.has(each));
      return isText && isJsonObject(target)
        ? { ...target, ...described }
        : { ...described, allOf: [target, ...((described["allOf"] ?? []) as readonly Json[])] };
    });
  const json = write(schema);
  return isEndless ? undefined : json;
}

/** Chooses the keywords in which editors interpret the Markdown in a schema's texts. */
function withMarkdown(rules: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(rules).map(([keyword, value]) => {
      const isMarkdown = [value].flat().some((text) => /`|\]\(|\*\*|^[-*] /m.test(String(text)));
      return [(isMarkdown && markdownKeywords[keyword]) || keyword, value];
    }),
  );
}
