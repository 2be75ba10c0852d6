import { isNever } from "../../model/type-checks.js";
import type { Type } from "../../model/types.js";
import { joinPointer } from "../source/json-text.js";
import { keywordsOfType, type TypeName } from "./keywords.js";
import { readNumericType } from "./numeric-range.js";
import { jsonKinds, plainType } from "./plain-types.js";
import { readArray } from "./schema-arrays.js";
import type { SchemaFile, SchemaObject } from "./schema-file.js";
import { unionOf, type NodeContext, type Place } from "./schema-node.js";
import { readObject } from "./schema-objects.js";
import { readString } from "./schema-strings.js";

/** Reads the `type` keyword and the keywords that apply to values of its types. */
export function readTyped(context: NodeContext, node: SchemaObject, place: Place): Type {
  const { type: named } = node;
  if (named === undefined) return readUntyped(context, node, place);
  const names = typeof named === "string" ? [named] : named;
  if (!Array.isArray(names) || names.length === 0 || names.some((each) => typeof each !== "string"))
    return context.schema.fail(
      "ERR_SCHEMA",
      'Cannot read "type": it must be a name or an array of names',
      joinPointer(place.pointer, "type"),
    );
  warnOfOthers(context.schema, node, names as string[], place);
  const all = node["nullable"] === true && !names.includes("null") ? [...names, "null"] : names;
  const types = (all as string[]).map((name) => readNamed(context, node, name, place));
  const isAnything = jsonKinds.every((kind) => all.includes(kind));
  return isAnything && !hasTypeKeyword(node)
    ? { kind: "any" }
    : unionOf(types.filter((each) => !isNever(each)));
}

/** Warns about keywords that do not apply to the schema's types. */
function warnOfOthers(
  schema: SchemaFile,
  node: SchemaObject,
  names: readonly string[],
  place: Place,
): void {
  const isEvaluated = (key: string): boolean =>
    names.some((name) => isTypeName(name) && keywordsOfType[name].includes(key));
  for (const key of Object.keys(node))
    if (typeKeywords.has(key) && !isEvaluated(key) && key !== "format")
      schema.warn(
        "ERR_KEYWORD",
        `Ignored "${key}": it does not apply to values of type ${names.join(" or ")}`,
        joinPointer(place.pointer, key),
      );
}

/**
 * Reads a schema without `type`. It accepts all kinds of values, although its keywords may
 * constrain some of these kinds.
 */
function readUntyped(context: NodeContext, node: SchemaObject, place: Place): Type {
  if (!hasTypeKeyword(node)) return { kind: "any" };
  return unionOf(
    jsonKinds
      .map((kind) =>
        keywordsOfType[kind].some((key) => node[key] !== undefined && key !== "format")
          ? readNamed(context, node, kind, place)
          : plainType(kind),
      )
      .filter((each) => !isNever(each)),
  );
}

function readNamed(context: NodeContext, node: SchemaObject, name: string, place: Place): Type {
  switch (name as TypeName) {
    case "integer":
    case "number":
      return readNumericType(context.schema, node, name as "integer" | "number", place.pointer);
    case "string":
      return readString(context, node, place);
    case "array":
      return readArray(context, node, place);
    case "object":
      return readObject(context, node, place);
    case "boolean":
    case "null":
      return { kind: name as "boolean" | "null" };
    default:
      return context.schema.fail(
        "ERR_SCHEMA",
        `Cannot read the type ${JSON.stringify(name)}`,
        joinPointer(place.pointer, "type"),
        `Known types: ${Object.keys(keywordsOfType).join(", ")}`,
      );
  }
}

function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(keywordsOfType, name);
}

const typeKeywords: ReadonlySet<string> = new Set(Object.values(keywordsOfType).flat());

/**
 * Returns whether a schema contains a keyword that applies to only one kind of value. `format` does
 * not count, because it is only a note if there is no `type`.
 */
function hasTypeKeyword(node: SchemaObject): boolean {
  return Object.keys(node).some((key) => typeKeywords.has(key) && key !== "format");
}
