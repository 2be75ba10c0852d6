import { partOf } from "../../runtime/base/json-pointer.js";
import type { Json } from "../../generator/model/types.js";
import { isJsonObject, type JsonFile } from "../../generator/read/source/json-text.js";

const maxLines = 14;
const maxColumns = 100;
const maxParts = 12;
const maxDepth = 3;

/**
 * Prints the first lines of the part of a schema at a JSON Pointer. Returns an empty string if
 * there is no such part.
 */
export function schemaExcerpt({ value }: JsonFile, pointer = ""): string {
  const part = pointer === "" ? undefined : (partOf(value, pointer) as Json | undefined);
  if (part === undefined) return "";
  const lines = JSON.stringify(shortened(part, 0), null, 2).split("\n");
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 1), "…"] : lines;
  return shown
    .map((line) => (line.length > maxColumns ? `${line.slice(0, maxColumns - 1)}…` : line))
    .join("\n");
}

/** Shortens a value by removing deeply nested parts and truncating long arrays and strings. */
function shortened(value: Json, depth: number): Json {
  if (typeof value === "string")
    return value.length > maxColumns ? `${value.slice(0, maxColumns)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return "…";
  if (!isJsonObject(value)) {
    const items = value.slice(0, maxParts).map((item: Json) => shortened(item, depth + 1));
    return value.length > maxParts ? [...items, "…"] : items;
  }
  const entries = Object.entries(value);
  const parts = entries
    .slice(0, maxParts)
    .map(([key, part]): [string, Json] => [key.slice(0, maxColumns), shortened(part, depth + 1)]);
  return Object.fromEntries(entries.length > maxParts ? [...parts, ["…", "…"]] : parts);
}
