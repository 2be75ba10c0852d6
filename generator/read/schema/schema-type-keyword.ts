import { statedFields } from "../../base/stated-fields.js";
import { isNever, isAnything, never } from "../../model/type-checks.js";
import type { Type, Check, NumericType, ArrayType, StringType } from "../../model/types.js";
import { joinPointer, type JsonObject } from "../source/json-text.js";
import { keywordsOfType, type TypeName } from "./keywords.js";
import { jsonKinds, plainType } from "./plain-types.js";
import type { SchemaFile } from "./schema-file.js";
import {
  unionOf,
  type NodeContext,
  type Place,
  placeIn,
  readCount,
  readPatternText,
} from "./schema-node.js";
import { readObject } from "./schema-objects.js";

/** Reads the `type` keyword and the keywords that apply to values of its types. */
export function readTyped(context: NodeContext, node: JsonObject, place: Place): Type {
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
  const hasEveryKind = jsonKinds.every((kind) => all.includes(kind));
  return hasEveryKind && !hasTypeKeyword(node)
    ? { kind: "any" }
    : unionOf(types.filter((each) => !isNever(each)));
}

/** Warns about keywords that do not apply to the schema's types. */
function warnOfOthers(
  schema: SchemaFile,
  node: JsonObject,
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
function readUntyped(context: NodeContext, node: JsonObject, place: Place): Type {
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

function readNamed(context: NodeContext, node: JsonObject, name: string, place: Place): Type {
  const kind = name as TypeName;
  switch (kind) {
    case "integer":
    case "number":
      return readNumericType(context.schema, node, kind, place.pointer);
    case "string":
      return readString(context, node, place);
    case "array":
      return readArray(context, node, place);
    case "object":
      return readObject(context, node, place);
    case "boolean":
    case "null":
      return { kind };
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
function hasTypeKeyword(node: JsonObject): boolean {
  return Object.keys(node).some((key) => typeKeywords.has(key) && key !== "format");
}

/** Largest integer that JavaScript can represent exactly. */
const safe = Number.MAX_SAFE_INTEGER;

/**
 * Ranges of the known integer formats. The 64-bit formats are limited to integers that JavaScript
 * can represent exactly.
 */
const formatRanges: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["int8", [-(2 ** 7), 2 ** 7 - 1]],
  ["uint8", [0, 2 ** 8 - 1]],
  ["int16", [-(2 ** 15), 2 ** 15 - 1]],
  ["uint16", [0, 2 ** 16 - 1]],
  ["int32", [-(2 ** 31), 2 ** 31 - 1]],
  ["uint32", [0, 2 ** 32 - 1]],
  ["int64", [-safe, safe]],
  ["uint64", [0, safe]],
  ["uint", [0, safe]],
]);

/** Reads a number type. Its range is its format's range, narrowed by the bounds in the schema. */
function readNumericType(
  schema: SchemaFile,
  node: JsonObject,
  kind: "integer" | "number",
  pointer: string,
): NumericType {
  const bound = (key: string): number | undefined => {
    const value = node[key];
    if (value === undefined || typeof value === "boolean") return undefined;
    return typeof value === "number"
      ? value
      : schema.fail("ERR_SCHEMA", `Cannot read "${key}": it must be a number`, `${pointer}/${key}`);
  };
  const format = typeof node["format"] === "string" ? node["format"] : undefined;
  const range = kind === "integer" ? formatRanges.get(format ?? "") : undefined;
  const lows = [range?.[0], bound("minimum"), bound("exclusiveMinimum")];
  const highs = [range?.[1], bound("maximum"), bound("exclusiveMaximum")];
  let minimum = Math.max(...lows.map((each) => each ?? -Infinity));
  let maximum = Math.min(...highs.map((each) => each ?? Infinity));
  // In draft 4, a boolean marks a bound as exclusive. In later drafts, the keyword contains the
  // bound itself.
  const isAbove = minimum > -Infinity && (node["exclusiveMinimum"] === true || minimum === lows[2]);
  const isBelow = maximum < Infinity && (node["exclusiveMaximum"] === true || maximum === highs[2]);
  if (kind === "integer") {
    if (isAbove) minimum = Math.floor(minimum) + 1;
    if (isBelow) maximum = Math.ceil(maximum) - 1;
  }
  const isExclusive = kind === "number" && (isAbove || isBelow);
  if (minimum > maximum || (isExclusive && minimum === maximum))
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read a range from ${minimum} to ${maximum}: it is empty`,
      pointer,
    );
  const multiple = bound("multipleOf");
  if (multiple !== undefined && !(multiple > 0))
    schema.fail("ERR_SCHEMA", 'Cannot read "multipleOf": it must be more than 0', pointer);
  const checks: Check[] = [];
  if (isExclusive)
    checks.push(
      statedFields({
        kind: "between",
        above: isAbove ? minimum : undefined,
        below: isBelow ? maximum : undefined,
      }),
    );
  if (multiple !== undefined) checks.push({ kind: "multiple", of: multiple });
  return statedFields({
    kind,
    format,
    minimum: minimum === -Infinity ? undefined : minimum,
    maximum: maximum === Infinity ? undefined : maximum,
    checks: checks.length === 0 ? undefined : checks,
  });
}

/**
 * Reads an array or a tuple. In older drafts, a tuple is an array of schemas in `items`. In
 * 2020-12, it is in `prefixItems`.
 */
function readArray(context: NodeContext, node: JsonObject, place: Place): Type {
  const { schema } = context;
  const isOld = Array.isArray(node["items"]);
  const firstKey = isOld ? "items" : "prefixItems";
  const restKey = isOld ? "additionalItems" : "items";
  const listed = node[firstKey] ?? [];
  if (!Array.isArray(listed))
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${firstKey}": it must be an array of schemas`,
      placeIn(place, firstKey).pointer,
    );
  const inside = { ...place, address: `${place.address}/*` };
  const read = (key: string, ...rest: readonly number[]): Type => {
    const value = rest.length === 0 ? node[key]! : listed[rest[0]!]!;
    return context.readNode(value, placeIn(inside, key, ...rest)).type;
  };
  const first = listed.map((_, index) => read(firstKey, index));
  const items: Type = node[restKey] === undefined ? { kind: "any" } : read(restKey);
  const minItems = readCount(schema, node, "minItems", place);
  const maxItems = readCount(schema, node, "maxItems", place);
  const isTooLong = isNever(items) && (minItems ?? 0) > first.length;
  if (isTooLong || first.slice(0, minItems ?? 0).some(isNever)) return never;
  if ((minItems ?? 0) > (maxItems ?? Infinity)) return never;
  const checks = readArrayChecks(context, node, place);
  const isPlain = first.every(isAnything) && isAnything(items);
  return statedFields<ArrayType>({
    kind: "array",
    first: isPlain || (first.length === 0 && !isNever(items)) ? undefined : first,
    items,
    minItems,
    maxItems,
    checks: checks.length === 0 ? undefined : checks,
  });
}

function readArrayChecks(context: NodeContext, node: JsonObject, place: Place): readonly Check[] {
  const { schema } = context;
  const least = readCount(schema, node, "minContains", place) ?? 1;
  const most = readCount(schema, node, "maxContains", place);
  const checks: Check[] = [];
  if (node["uniqueItems"] === true) checks.push({ kind: "unique" });
  if (node["contains"] !== undefined) {
    const type = context.readExact(node["contains"], placeIn(place, "contains"));
    checks.push(statedFields({ kind: "contains", type, least, most }));
  }
  return checks;
}

function readString(context: NodeContext, node: JsonObject, place: Place): StringType {
  const { schema } = context;
  const { format, pattern } = node;
  if (format !== undefined && typeof format !== "string")
    schema.fail(
      "ERR_SCHEMA",
      'Cannot read "format": it must be a string',
      placeIn(place, "format").pointer,
    );
  const form = context.notes.formats ? formatPatterns.get(String(format)) : undefined;
  const text =
    pattern === undefined ? form : readPatternText(context, pattern, placeIn(place, "pattern"));
  return statedFields<StringType>({
    kind: "string",
    format: format as string | undefined,
    minLength: readCount(schema, node, "minLength", place),
    maxLength: readCount(schema, node, "maxLength", place),
    pattern: text,
    checks: form === undefined || form === text ? undefined : [{ kind: "pattern", pattern: form }],
  });
}

const day = String.raw`(0[1-9]|[12]\d)`;
const date = String.raw`\d{4}-(02-${day}|(0[469]|11)-(${day}|30)|(0[13578]|1[02])-(${day}|3[01]))`;
const time = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([zZ]|[+-]([01]\d|2[0-3]):[0-5]\d)`;
const octet = String.raw`(25[0-5]|2[0-4]\d|1?\d?\d)`;
const label = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const uriPart = String.raw`([\w.~!$&'()*+,;=:@/?#[\]-]|%[0-9a-fA-F]{2})*`;

/**
 * Regular expressions for formats, used only if a description requests format checks. They check
 * only a string's form. For example, they accept February 29 in every year.
 */
const formatPatterns: ReadonlyMap<string, string> = new Map([
  ["date", `^${date}$`],
  ["time", `^${time}$`],
  ["date-time", `^${date}[tT]${time}$`],
  ["email", String.raw`^("([^"\\]|\\.)*"|[^\s@"<>]+)@(${label}(\.${label})*|\[[^\]\s]+\])$`],
  ["hostname", String.raw`^(?=.{1,253}$)${label}(\.${label})*$`],
  ["ipv4", String.raw`^(${octet}\.){3}${octet}$`],
  ["uri", `^[a-zA-Z][a-zA-Z0-9+.-]*:${uriPart}$`],
  ["uri-reference", `^${uriPart}$`],
  ["uuid", "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"],
  ["json-pointer", "^(/([^~/]|~[01])*)*$"],
]);
