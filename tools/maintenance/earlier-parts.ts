import type { Json } from "../../generator/model/types.js";
import type { EarlierPart } from "../../generator/read/schema/schema-history.js";
import { isJsonObject } from "../../generator/read/source/json-text.js";
import { pointerStep } from "../../runtime/base/json-pointer.js";
import type { JsonObject } from "./schema-nodes.js";

type EarlierParts = Record<string, EarlierPart>;

/**
 * Returns an entry for `history.json`: how an earlier schema differs from a later one, by address.
 *
 * Descriptions are included only for parts that the later schema lacks. All other parts keep the
 * later descriptions.
 */
export function earlierParts(later: JsonObject, earlier: JsonObject): EarlierParts {
  const found: EarlierParts = {};
  compareGroup(found, "", "definitions", later, earlier);
  compareKeywords(found, "", later, earlier, ["definitions"]);
  return found;
}

/** Keywords that contain nothing but text for human readers. */
const textKeywords: ReadonlySet<string> = new Set(["description", "enumDescriptions"]);

function comparePart(
  found: EarlierParts,
  address: string,
  later: JsonObject,
  earlier: JsonObject,
): void {
  const [now, old] = [inlinePart(later), inlinePart(earlier)];
  if (now === undefined || old === undefined || basesOf(later) !== basesOf(earlier)) {
    if (!isSame(later, earlier)) found[address] = { $is: earlier };
    return;
  }
  const below: string[] = [];
  if (isJsonObject(now["properties"]) && isJsonObject(old["properties"])) {
    compareGroup(found, address, "properties", now, old);
    below.push("properties");
  }
  for (const keyword of ["items", "additionalProperties"]) {
    const [laterItem, earlierItem] = [now[keyword], old[keyword]];
    if (!isJsonObject(laterItem) || !isJsonObject(earlierItem)) continue;
    comparePart(found, `${address}/${keyword}`, laterItem, earlierItem);
    below.push(keyword);
  }
  compareKeywords(found, address, now, old, below);
}

/**
 * Returns the part that `allOf` adds to the bases, or the whole schema if there is no `allOf`.
 * Returns undefined if `allOf` adds no part or several.
 */
function inlinePart(node: JsonObject): JsonObject | undefined {
  const { allOf } = node;
  if (!Array.isArray(allOf)) return node;
  const inline = allOf.filter((each: Json): each is JsonObject => !isBase(each));
  return inline.length === 1 ? inline[0] : undefined;
}

function basesOf({ allOf }: JsonObject): string {
  return Array.isArray(allOf)
    ? JSON.stringify(allOf.map((each: Json) => isBase(each) && each))
    : "";
}

function isBase(part: Json): boolean {
  return isJsonObject(part) && "$ref" in part;
}

/** Compares named parts: definitions or properties. */
function compareGroup(
  found: EarlierParts,
  address: string,
  group: "definitions" | "properties",
  later: JsonObject,
  earlier: JsonObject,
): void {
  const [now, old] = [later, earlier].map((each) => (each[group] ?? {}) as JsonObject) as [
    JsonObject,
    JsonObject,
  ];
  const at = (name: string): string => `${address}${pointerStep(name)}`.replace(/^\//, "");
  for (const name of Object.keys(now)) {
    if (Object.hasOwn(old, name))
      comparePart(found, at(name), now[name] as JsonObject, old[name] as JsonObject);
    else found[at(name)] = null;
  }
  const staying = new Set(
    longestRow(
      Object.keys(now).filter((name) => Object.hasOwn(old, name)),
      Object.keys(old),
    ),
  );
  // Work from the last part to the first, so that each part's successor is known.
  let before: string | null = null;
  for (const [name, part] of Object.entries(old).reverse()) {
    if (!Object.hasOwn(now, name)) found[at(name)] = { $is: part, $before: before };
    else if (!staying.has(name)) found[at(name)] = { ...found[at(name)], $before: before };
    before = name;
  }
}

/** Returns the longest subsequence of names that appears in the same order in another array. */
function longestRow(names: readonly string[], order: readonly string[]): readonly string[] {
  const places = new Map(order.map((name, place) => [name, place]));
  const rows: (readonly string[])[] = [];
  for (const [index, name] of names.entries()) {
    let best: readonly string[] = [];
    for (let other = 0; other < index; other++)
      if (places.get(names[other]!)! < places.get(name)! && rows[other]!.length > best.length)
        best = rows[other]!;
    rows.push([...best, name]);
  }
  return rows.reduce((longest, row) => (row.length > longest.length ? row : longest), []);
}

function compareKeywords(
  found: EarlierParts,
  address: string,
  later: JsonObject,
  earlier: JsonObject,
  below: readonly string[],
): void {
  const skipped = new Set([...textKeywords, ...below]);
  const changed: Record<string, Json> = {};
  for (const keyword of new Set([...Object.keys(later), ...Object.keys(earlier)])) {
    if (skipped.has(keyword) || isSame(later[keyword] ?? null, earlier[keyword] ?? null)) continue;
    changed[keyword] = earlier[keyword] ?? null;
  }
  // Descriptions of enum values are stored with the values, so an entry needs them only for removed
  // values.
  const values = valuesOf(later);
  if (
    earlier["enumDescriptions"] !== undefined &&
    !valuesOf(earlier).every((v) => values.includes(v))
  )
    changed["enumDescriptions"] = earlier["enumDescriptions"];
  if (Object.keys(changed).length > 0) found[address] = { ...found[address], ...changed };
}

function valuesOf({ enum: closed, _enum: open }: JsonObject): readonly Json[] {
  const values = closed ?? open;
  return Array.isArray(values) ? values : [];
}

function isSame(a: Json, b: Json): boolean {
  return structureText(a) === structureText(b);
}

/** Returns a schema as a string, without text for human readers and with its keywords sorted. */
export function structureText(schema: Json): string {
  return JSON.stringify(ordered(schema, true));
}

/**
 * @param isNode Whether the keys are keywords. Otherwise, they are names of properties or
 * definitions.
 */
function ordered(value: Json, isNode: boolean): Json {
  if (Array.isArray(value)) return value.map((each: Json) => ordered(each, true));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (!isNode) return entries.map(([name, part]) => [name, ordered(part, true)]);
  return entries
    .filter(([keyword]) => !textKeywords.has(keyword))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([keyword, part]) => [
      keyword,
      ordered(part, keyword !== "properties" && keyword !== "definitions"),
    ]);
}
