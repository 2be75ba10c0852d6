import { isJsonObject } from "../source/json-text.js";
import type { SchemaFile } from "../schema/schema-file.js";
import type { Json } from "../../model/types.js";
import type { Description } from "./description-types.js";

/**
 * Removes gates that require a capability unknown to this version, because no peer could announce
 * it.
 */
export function dropUnknownGates(description: Description, schema: SchemaFile): Description {
  const keep = (
    gates: Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(gates ?? {}).filter(([, gate]) => isKnown(gate, description, schema)),
    );
  const { messages, senders, properties } = description.gates ?? {};
  return {
    ...description,
    gates: { messages: keep(messages), senders: keep(senders), properties: keep(properties) },
  };
}

function isKnown(gate: string, { capabilities }: Description, schema: SchemaFile): boolean {
  const [role = "", ...path] = gate.split(".");
  const type = capabilities?.[role]?.type;
  return type !== undefined && hasPath(schema, schema.definitions.get(type), path);
}

/**
 * Returns whether a path of property names exists in a schema or in a schema that it references.
 */
function hasPath(
  schema: SchemaFile,
  node: Json | undefined,
  path: readonly string[],
  seen: ReadonlySet<Json> = new Set(),
): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (!isJsonObject(node) || seen.has(node)) return false;
  const visited = new Set(seen).add(node);
  const { properties, $ref: reference } = node;
  if (isJsonObject(properties) && Object.hasOwn(properties, name))
    return hasPath(schema, properties[name], rest);
  const parts = [node["allOf"], node["anyOf"], node["oneOf"]].flat() as (Json | undefined)[];
  const target =
    typeof reference === "string"
      ? schema.definitions.get(reference.slice(reference.lastIndexOf("/") + 1))
      : undefined;
  return [target, ...parts].some((part) => hasPath(schema, part, path, visited));
}
