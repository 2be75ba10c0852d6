import type { Json } from "../generator/model/types.js";
import {
  schemaKeywords,
  textKeys,
  type AnnotatedRules,
  type AnnotatedSchema,
  type AnnotatedSchemas,
} from "../generator/model/annotated-schema.js";

type SchemaObject = { readonly [key: string]: Json };

/** Keywords, in the order in which people usually write them. */
const order = [
  "type",
  "enum",
  "const",
  "description",
  "markdownDescription",
  "enumDescriptions",
  "markdownEnumDescriptions",
  "deprecationMessage",
  "default",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "patternErrorMessage",
  "errorMessage",
  "items",
  "additionalItems",
  "required",
  "properties",
];

/** The keywords that `schemaJson` writes. Any others in a file are left unchanged. */
export const writtenKeywords: ReadonlySet<string> = new Set([
  ...order,
  "markdownDeprecationMessage",
  "contains",
  "minItems",
  "maxItems",
  "uniqueItems",
  "patternProperties",
  "additionalProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "dependencies",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
]);

/**
 * Converts a schema for use in editors: to draft 7 with VS Code's keywords. The result contains no
 * references, because editors combine it with other schemas. Undefined if the schema refers to
 * itself.
 */
export function schemaJson(
  schema: AnnotatedSchema,
  definitions: AnnotatedSchemas = {},
): Json | undefined {
  return new SchemaWriter(definitions).write(schema);
}

class SchemaWriter {
  readonly #definitions: AnnotatedSchemas;
  readonly #open = new Set<string>();
  #isEndless = false;

  constructor(definitions: AnnotatedSchemas) {
    this.#definitions = definitions;
  }

  write(schema: AnnotatedSchema): Json | undefined {
    const json = this.#schema(schema);
    return this.#isEndless ? undefined : json;
  }

  #schema(schema: AnnotatedSchema): Json {
    if (typeof schema === "boolean") return schema;
    const { $ref, definitions: _definitions, ...own } = schema;
    if ($ref === undefined) return this.#rules(own);
    if (this.#open.has($ref)) {
      this.#isEndless = true;
      return true;
    }
    this.#open.add($ref);
    const target = this.#schema(this.#definitions[$ref]!);
    this.#open.delete($ref);
    if (Object.keys(own).length === 0) return target;
    const rest = this.#rules(own);
    const isText = Object.keys(rest).every((key) => texts.has(key));
    return isText && typeof target === "object"
      ? sorted({ ...(target as SchemaObject), ...rest })
      : { ...rest, allOf: [target, ...((rest["allOf"] as Json[] | undefined) ?? [])] };
  }

  #rules(rules: AnnotatedRules): SchemaObject {
    const json: Record<string, Json> = {};
    for (const [key, value] of Object.entries(rules)) {
      if (isIn(schemaKeywords.map, key)) json[key] = this.#map(value as AnnotatedSchemas);
      else if (isIn(schemaKeywords.list, key))
        json[key] = (value as AnnotatedSchema[]).map((each) => this.#schema(each));
      else if (isIn(schemaKeywords.one, key)) json[key] = this.#schema(value as AnnotatedSchema);
      else if (!textKeys.has(key)) json[key] = value as Json;
    }
    return sorted(withTexts(rules, olderSpelling(json)));
  }

  #map(schemas: AnnotatedSchemas): SchemaObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, each]) => [name, this.#schema(each)]),
    );
  }
}

const texts = new Set(["description", "markdownDescription", "deprecationMessage", "default"]);

function isIn(keys: readonly string[], key: string): boolean {
  return keys.includes(key);
}

/** Converts keywords to the way in which draft 7 writes them. */
function olderSpelling(json: Record<string, Json>): Record<string, Json> {
  const { type, prefixItems, items, dependentRequired, dependentSchemas, ...rest } = json;
  return {
    ...rest,
    ...(type === undefined
      ? {}
      : { type: (type as Json[]).length === 1 ? (type as Json[])[0]! : type }),
    ...(prefixItems !== undefined
      ? { items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) }
      : items === undefined
        ? {}
        : { items }),
    ...(dependentRequired === undefined && dependentSchemas === undefined
      ? {}
      : { dependencies: { ...(dependentRequired as object), ...(dependentSchemas as object) } }),
  };
}

function withTexts(rules: AnnotatedRules, json: SchemaObject): SchemaObject {
  const { docs, enumDocs, deprecated, patternHint, hint } = rules;
  return {
    ...json,
    ...(docs === undefined
      ? {}
      : { [isMarkdown(docs) ? "markdownDescription" : "description"]: docs }),
    ...(enumDocs === undefined
      ? {}
      : {
          [enumDocs.some(isMarkdown) ? "markdownEnumDescriptions" : "enumDescriptions"]:
            enumDocs as Json,
        }),
    ...(deprecated === undefined
      ? {}
      : { deprecationMessage: deprecated === "" ? "This attribute is deprecated." : deprecated }),
    ...(patternHint === undefined ? {} : { patternErrorMessage: patternHint }),
    ...(hint === undefined ? {} : { errorMessage: hint }),
  };
}

/** Returns whether text contains Markdown. */
function isMarkdown(text: string): boolean {
  return /`|\]\(|\*\*|^[-*] /m.test(text);
}

function sorted(json: SchemaObject): SchemaObject {
  const place = (key: string): number => {
    const index = order.indexOf(key);
    return index < 0 ? order.length : index;
  };
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => place(a) - place(b)));
}
