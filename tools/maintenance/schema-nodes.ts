import type { Json } from "../../generator/model/types.js";
import { isJsonObject } from "../../generator/read/source/json-text.js";

export type JsonObject = { readonly [key: string]: Json };

/** The role of a schema part, which determines whether the part needs a description. */
export type NodeRole = "schema" | "definition" | "property" | "part";

/**
 * A part of a schema with its address, such as `OutputEvent/body/category`. An inline part of
 * `allOf` has the same address as the schema around it, so that a definition keeps its descriptions
 * when it is given a base.
 */
export interface SchemaNode {
  readonly address: string;
  readonly role: NodeRole;
  readonly value: JsonObject;
}

/** Keywords whose values contain named subschemas, along with the role of these subschemas. */
const groupRoles: ReadonlyMap<string, NodeRole> = new Map([
  ["definitions", "definition"],
  ["properties", "property"],
]);

/** Keywords whose values contain subschemas. */
export const partKeywords: ReadonlySet<string> = new Set([
  ...groupRoles.keys(),
  "additionalProperties",
  "allOf",
  "items",
  "oneOf",
]);

/** A part of a schema and its location in the enclosing part. */
interface SchemaPart {
  readonly keyword: string;
  /** The part's key or index in the keyword's value; undefined if the part is the entire value. */
  readonly step: string | number | undefined;
  readonly node: SchemaNode;
}

/** Returns the immediate parts of a part, in file order. */
function partsOf({ address, role, value }: SchemaNode): readonly SchemaPart[] {
  const below = (step: string): string => (address === "" ? step : `${address}/${step}`);
  const parts: SchemaPart[] = [];
  for (const [keyword, inner] of Object.entries(value)) {
    const group = groupRoles.get(keyword);
    if (group !== undefined && isJsonObject(inner)) {
      for (const [step, part] of Object.entries(inner))
        if (isJsonObject(part))
          parts.push({ keyword, step, node: { address: below(step), role: group, value: part } });
    } else if (keyword === "allOf" && Array.isArray(inner)) {
      inner.forEach((part: Json, step) => {
        if (isJsonObject(part))
          parts.push({
            keyword,
            step,
            node: { address, role: "$ref" in part ? "part" : role, value: part },
          });
      });
    } else if (keyword === "oneOf" && Array.isArray(inner)) {
      inner.forEach((part: Json, step) => {
        if (isJsonObject(part))
          parts.push({
            keyword,
            step,
            node: { address: below(keyword), role: "part", value: part },
          });
      });
    } else if ((keyword === "items" || keyword === "additionalProperties") && isJsonObject(inner)) {
      parts.push({
        keyword,
        step: undefined,
        node: { address: below(keyword), role: "part", value: inner },
      });
    }
  }
  return parts;
}

/** Yields a part and everything nested in it, outermost first. */
export function* nodesOf(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  for (const part of partsOf(node)) yield* nodesOf(part.node);
}

export function wholeSchema(value: JsonObject): SchemaNode {
  return { address: "", role: "schema", value };
}

/**
 * Copies a schema and changes its keywords. `change` returns the new keywords for the schema or a
 * subschema. It must keep the keywords that contain subschemas.
 */
export function mapNodes(node: SchemaNode, change: (node: SchemaNode) => JsonObject): JsonObject {
  const changed: Record<string, Json> = { ...change(node) };
  for (const { keyword, step, node: part } of partsOf(node)) {
    const replaced = mapNodes(part, change);
    const held = changed[keyword];
    if (step === undefined) changed[keyword] = replaced;
    else if (Array.isArray(held)) changed[keyword] = held.with(Number(step), replaced);
    else changed[keyword] = { ...(held as JsonObject), [step]: replaced };
  }
  return changed;
}

/** Returns a copy of a schema without descriptions. */
export function structureOf(node: SchemaNode): JsonObject {
  return mapNodes(node, ({ value: { description: _, enumDescriptions: __, ...rest } }) => rest);
}
