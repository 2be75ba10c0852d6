import type { JSONSchema } from "json-schema-to-typescript";
import { docTag, formatDocs } from "../emit/printer/doc-comment.js";
import type { Json } from "../model/types.js";
import { mapSchema, type AnnotatedRules, type AnnotatedSchema } from "./annotated-schema.js";

type Printable = Record<string, unknown>;

/** Keywords that a printer of types can use, by the type that they belong to. */
const keywordsByType: Readonly<Record<string, readonly (keyof AnnotatedRules)[]>> = {
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties", "patternProperties"],
};

/**
 * A schema as json-schema-to-typescript prints it. Types are what a schema says of its values; what
 * types cannot say is left out, and texts can end no comment.
 *
 * @param nameOf The name of the type of a definition.
 */
export function printableSchema(
  schema: AnnotatedSchema,
  nameOf: (definition: string) => string,
): JSONSchema {
  return mapSchema(schema, (rules) => printable(rules, nameOf)) as JSONSchema;
}

function printable(rules: AnnotatedRules, nameOf: (definition: string) => string): Printable {
  const docs = docsText(rules);
  const { definitions } = rules;
  return {
    ...typeOf(rules, nameOf),
    ...(docs === "" ? {} : { description: docs }),
    ...(definitions === undefined
      ? {}
      : {
          definitions: Object.fromEntries(
            Object.entries(definitions).map(([name, each]) => [
              nameOf(name),
              named(each, nameOf(name)),
            ]),
          ),
        }),
  };
}

function named(schema: unknown, title: string): unknown {
  return typeof schema === "object" ? { ...schema, title } : schema;
}

function typeOf(rules: AnnotatedRules, nameOf: (definition: string) => string): Printable {
  const { $ref, type, allOf, anyOf, oneOf } = rules;
  if ($ref !== undefined) return { $ref: `#/definitions/${nameOf($ref)}` };
  const listed = rules.const === undefined ? rules.enum : [rules.const];
  if (listed !== undefined) return { enum: listed.filter((each) => fits(each, type)) };
  const parts: Printable[] = [];
  const plain = plainType(rules);
  if (plain !== undefined) parts.push(plain);
  for (const part of allOf ?? []) parts.push(part as unknown as Printable);
  for (const members of [anyOf, oneOf]) if (members !== undefined) parts.push({ anyOf: members });
  const said = parts.filter((part) => saysSomething(part));
  if (said.length === 1) return said[0]!;
  return said.length === 0 ? {} : { allOf: said };
}

/** A type without alternatives; undefined if the schema says nothing of types. */
function plainType(rules: AnnotatedRules): Printable | undefined {
  const types = rules.type ?? impliedTypes(rules);
  if (types === undefined) return undefined;
  const members = types.map((type): Printable => {
    const own: Printable = { type };
    for (const key of keywordsByType[type] ?? [])
      if (rules[key] !== undefined) own[key] = rules[key];
    return type === "array" ? listOf(own) : type === "object" ? closeOrOpen(own) : own;
  });
  return members.length === 1 ? members[0]! : { anyOf: members };
}

/** A schema without a type has that of its keywords. */
function impliedTypes(rules: AnnotatedRules): readonly string[] | undefined {
  const found = Object.entries(keywordsByType).flatMap(([type, keys]) =>
    keys.some((key) => rules[key] !== undefined) ? [type] : [],
  );
  return found.length === 0 ? undefined : found;
}

/** Sizes make tuples of lists, which nobody wants of long ones. */
function listOf({ minItems, maxItems, prefixItems, items, ...own }: Printable): Printable {
  if (prefixItems === undefined) return { ...own, ...(items === undefined ? {} : { items }) };
  const least = Math.min((minItems as number | undefined) ?? 0, (prefixItems as unknown[]).length);
  return {
    ...own,
    items: prefixItems,
    additionalItems: items ?? maxItems === undefined,
    ...(least === 0 ? {} : { minItems: least }),
  };
}

/** One index signature has to be true of all properties. */
function closeOrOpen({
  patternProperties,
  additionalProperties = true,
  ...own
}: Printable): Printable {
  const patterns = Object.values((patternProperties as object | undefined) ?? {}) as unknown[];
  const { properties = {} } = own as { readonly properties?: object };
  const required = (own["required"] as readonly string[] | undefined) ?? [];
  const all = {
    ...Object.fromEntries(required.map((name) => [name, {}])),
    ...properties,
  };
  if (Object.keys(all).length > 0)
    return {
      ...own,
      properties: all,
      additionalProperties: patterns.length > 0 || additionalProperties !== false,
    };
  const members = [...patterns, ...(additionalProperties === false ? [] : [additionalProperties])];
  if (members.length === 0) return { ...own, additionalProperties: false };
  if (members.includes(true)) return { ...own, additionalProperties: true };
  return { ...own, additionalProperties: members.length === 1 ? members[0] : { anyOf: members } };
}

function saysSomething(part: Printable | boolean): boolean {
  return typeof part === "object" && Object.keys(part).some((key) => key !== "description");
}

function fits(value: unknown, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true;
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.some((each) => each === type || (each === "integer" && type === "number"));
}

/** The text of a doc comment, without its marks. */
function docsText(rules: AnnotatedRules): string {
  const { docs, enumDocs, deprecated } = rules;
  const listed = rules.enum ?? [];
  const values = (enumDocs ?? []).flatMap((text, index) =>
    index < listed.length && text !== "" ? [`- \`${JSON.stringify(listed[index])}\`: ${text}`] : [],
  );
  const lines = formatDocs(
    [
      docs,
      values.join("\n"),
      ...(rules.default === undefined ? [] : [docTag("default", defaultText(rules.default))]),
      ...(deprecated === undefined ? [] : [docTag("deprecated", deprecated)]),
    ],
    docsWidth,
  );
  const [only = ""] = lines;
  return lines.length <= 1
    ? only.replace(/^\/\*\* (.*) \*\/$/, "$1")
    : lines
        .slice(1, -1)
        .map((line) => line.replace(/^ \* ?/, ""))
        .join("\n");
}

/** Width of comments, which stand some levels deep. */
const docsWidth = 96;

/** A default as JSON, unless it is long. */
export function defaultText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
