import type { JSONSchema } from "json-schema-to-typescript";
import { escapeText } from "../../base/visible-text.js";
import {
  defaultText,
  mapSchema,
  type AnnotatedRules,
  type AnnotatedSchema,
} from "../../model/annotated-schema.js";
import { pascalCase } from "../../model/names.js";
import { docLines, docTag } from "../printer/doc-comment.js";
import { lineWidth } from "../printer/source-file.js";

type Printable = Record<string, unknown>;

/**
 * Returns the names of the types that are emitted for a schema: its own type, and the types that it
 * refers to.
 */
export function freeFormNames(
  schema: AnnotatedRules,
  name: string,
  prefix = name,
): readonly string[] {
  const found = new Set<string>();
  const visit = (part: AnnotatedSchema | undefined): void => {
    if (typeof part !== "object") return;
    const { $ref, properties = {}, patternProperties = {} } = part;
    if ($ref !== undefined && !found.has($ref)) {
      found.add($ref);
      visit(schema.definitions![$ref]);
    }
    const lists = [part.prefixItems, part.allOf, part.anyOf, part.oneOf];
    for (const each of [
      part.items,
      part.additionalProperties,
      ...[...lists, Object.values(properties), Object.values(patternProperties)].flatMap(
        (list) => list ?? [],
      ),
    ])
      visit(each);
  };
  visit(schema);
  return [name, ...[...found].map((each) => definitionName(prefix, each))];
}

/** Returns whether the type emitted for a schema is an interface. */
export function isInterface({ allOf, anyOf, oneOf, $ref }: AnnotatedRules): boolean {
  return [allOf, anyOf, oneOf, $ref].every((each) => each === undefined);
}

/**
 * Returns TypeScript for a free-form schema: first the type with the given name, then the types
 * that it refers to. Types cannot express everything in a schema, so validators check the remaining
 * constraints.
 *
 * @param prefix Prefix for the names of the schema's definitions.
 */
export async function printFreeFormTypes(
  schema: AnnotatedRules,
  name: string,
  prefix = name,
): Promise<string> {
  const { compile } = await import("json-schema-to-typescript");
  const text = await compile(
    mapSchema(schema, (rules) => printable(rules, prefix)) as JSONSchema,
    name,
    {
      bannerComment: "",
      unknownAny: true,
      style: { printWidth: lineWidth, bracketSpacing: true, trailingComma: "all" },
      // A schema must never be able to make us read files.
      $refOptions: { resolve: { external: false } },
    },
  );
  return escapeText(text.trim());
}

/** Capitalizes letters that follow digits, as json-schema-to-typescript does. */
function definitionName(prefix: string, definition: string): string {
  const own = pascalCase(definition)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .replaceAll(/\d+[a-z]/g, (part) => part.toUpperCase());
  return prefix + (own || "Part");
}

/**
 * Prepares a schema for json-schema-to-typescript. Descriptions are altered so that they cannot end
 * a comment.
 */
function printable(rules: AnnotatedRules, prefix: string): Printable {
  const { $ref, type, allOf, anyOf, oneOf, definitions } = rules;
  const docs = docsText(rules);
  const listed = rules.const === undefined ? rules.enum : [rules.const];
  return {
    ...(docs === "" ? {} : { description: docs }),
    ...($ref !== undefined
      ? { $ref: `#/definitions/${definitionName(prefix, $ref)}` }
      : listed !== undefined
        ? { enum: listed }
        : {
            ...(type === undefined ? {} : { type: type.length === 1 ? type[0] : type }),
            ...listOf(rules),
            ...objectOf(rules),
            ...(allOf === undefined ? {} : { allOf }),
            ...(anyOf === undefined && oneOf === undefined ? {} : { anyOf: anyOf ?? oneOf }),
          }),
    ...(definitions === undefined
      ? {}
      : {
          definitions: Object.fromEntries(
            Object.entries(definitions).map(([name, each]) => [definitionName(prefix, name), each]),
          ),
        }),
  };
}

/**
 * Removes array sizes, because json-schema-to-typescript would turn arrays with sizes into long
 * tuples.
 */
function listOf({ minItems = 0, maxItems, prefixItems, items }: AnnotatedRules): Printable {
  if (prefixItems === undefined) return items === undefined ? {} : { items };
  return {
    items: prefixItems,
    additionalItems: items ?? maxItems === undefined,
    ...(minItems === 0 ? {} : { minItems: Math.min(minItems, prefixItems.length) }),
  };
}

/**
 * Removes schemas for unnamed properties from objects that also have named ones. TypeScript
 * requires all properties to conform to the index signature.
 */
function objectOf(rules: AnnotatedRules): Printable {
  const { properties, required = [], patternProperties = {}, additionalProperties } = rules;
  const patterns: readonly AnnotatedSchema[] = Object.values(patternProperties);
  const all = { ...Object.fromEntries(required.map((name) => [name, {}])), ...properties };
  if (Object.keys(all).length > 0)
    return {
      properties: all,
      required,
      additionalProperties: patterns.length > 0 || additionalProperties !== false,
    };
  if (patterns.length === 0)
    return additionalProperties === undefined ? {} : { additionalProperties };
  const others = additionalProperties ?? true;
  return { additionalProperties: { anyOf: [...patterns, ...(others === false ? [] : [others])] } };
}

/** Returns the text of a doc comment, without comment markers. */
function docsText(rules: AnnotatedRules): string {
  const { docs, enumDocs = [], deprecated, enum: listed = [] } = rules;
  const values = enumDocs.flatMap((text, index) =>
    index < listed.length && text !== "" ? [`- \`${JSON.stringify(listed[index])}\`: ${text}`] : [],
  );
  return docLines(
    [
      docs,
      values.join("\n"),
      ...(rules.default === undefined ? [] : [docTag("default", defaultText(rules.default))]),
      ...(deprecated === undefined ? [] : [docTag("deprecated", deprecated)]),
    ],
    docsWidth,
  ).join("\n");
}

/** Width of comments, which are indented by several levels. */
const docsWidth = 93;
