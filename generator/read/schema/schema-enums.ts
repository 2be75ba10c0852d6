import { statedFields } from "../../base/stated-fields.js";
import type { EnumValue, Json, Type } from "../../model/types.js";
import { never } from "../../model/type-checks.js";
import { joinPointer, type JsonObject } from "../source/json-text.js";
import type { SchemaFile } from "./schema-file.js";
import { readDeprecation, unionOf, type Place } from "./schema-node.js";

/**
 * Creates the type of a fixed value. If the value is an object or array, all of its parts are fixed
 * as well.
 */
export function literalType(value: Json, pointer: string): Type {
  if (value === null) return { kind: "null" };
  if (typeof value !== "object") return { kind: "literal", value };
  if (Array.isArray(value))
    return {
      kind: "array",
      first: value.map((each: Json) => literalType(each, pointer)),
      items: never,
      minItems: value.length,
      maxItems: value.length,
    };
  return {
    kind: "object",
    bases: [],
    properties: Object.entries(value).map(([name, each]) => ({
      name,
      type: literalType(each as Json, pointer),
      required: true,
      pointer,
    })),
    extras: "closed",
  };
}

/** Reads the enum values under `key`, which is `enum` or `_enum`. */
export function readEnum(schema: SchemaFile, node: JsonObject, key: string, place: Place): Type {
  const pointer = joinPointer(place.pointer, key);
  const values = node[key];
  if (!Array.isArray(values) || values.length === 0)
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be an array of values`,
      pointer,
    );
  if (new Set(values).size !== values.length)
    return schema.fail("ERR_SCHEMA", `Cannot read "${key}": a value is listed twice`, pointer);
  const docs = readEnumDocs(schema, node, values.length, place);
  const numbers = readEnumNumbers(schema, node, values.length, place);
  const open = key === "_enum";
  if (values.length === 1 && !open) return literalType(values[0]!, joinPointer(pointer, 0));
  const listed: EnumValue[] = [];
  const literals: Type[] = [];
  values.forEach((value: Json, index) => {
    if (typeof value === "string" || typeof value === "number") {
      const text = docs?.[index];
      listed.push(
        statedFields({
          value,
          number: numbers?.[index],
          docs: text === "" ? undefined : text,
          deprecated: readDeprecation(text),
        }),
      );
    } else literals.push(literalType(value, joinPointer(pointer, index)));
  });
  return unionOf([...listedTypes(listed, open), ...literals]);
}

/** Creates one enum for strings and one for numbers, if there are both. */
function listedTypes(listed: readonly EnumValue[], open: boolean): readonly Type[] {
  const kinds = new Set(listed.map(({ value }) => typeof value));
  return [...kinds].map((kind) => ({
    kind: "enum",
    open,
    values: listed.filter(({ value }) => typeof value === kind),
  }));
}

function readEnumDocs(
  schema: SchemaFile,
  node: JsonObject,
  length: number,
  place: Place,
): readonly string[] | undefined {
  const docs = node["enumDescriptions"] ?? node["markdownEnumDescriptions"];
  // The names of values say what the values mean if nothing describes them.
  if (docs === undefined)
    return nameKeywords.map((keyword) => node[keyword]).find((names) => areTexts(names, length));
  return areTexts(docs, length)
    ? docs
    : schema.fail(
        "ERR_SCHEMA",
        `Cannot read "enumDescriptions": it must contain ${length} strings, one per value`,
        joinPointer(place.pointer, "enumDescriptions"),
      );
}

/** The keywords in which generators of schemas name the values of an enum, one name per value. */
const nameKeywords = ["enumNames", "x-enumNames", "x-enum-varnames", "tsEnumNames"] as const;

function areTexts(list: unknown, length: number): list is string[] {
  return (
    Array.isArray(list) && list.length === length && list.every((each) => typeof each === "string")
  );
}

function readEnumNumbers(
  schema: SchemaFile,
  node: JsonObject,
  length: number,
  place: Place,
): readonly number[] | undefined {
  const numbers = node["enumNumbers"];
  if (numbers === undefined) return undefined;
  return Array.isArray(numbers) &&
    numbers.length === length &&
    numbers.every((each) => Number.isSafeInteger(each)) &&
    new Set(numbers).size === length
    ? (numbers as number[])
    : schema.fail(
        "ERR_SCHEMA",
        `Cannot read "enumNumbers": it must contain ${length} different integers, one per value`,
        joinPointer(place.pointer, "enumNumbers"),
      );
}
