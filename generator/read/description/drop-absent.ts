import { isJsonObject } from "../source/json-text.js";
import type { SchemaFile } from "../schema/schema-file.js";
import type { Json, Definition } from "../../model/types.js";
import type { Description, DescribedEvent, MessagesByTable } from "./description-types.js";

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

/**
 * Removes messages whose definitions are missing from this version because they were added later,
 * with a warning that names them.
 * If no messages would remain, the schema is not a version of this protocol. In that case, the
 * description is left unchanged, so that the reader reports the first definition that is missing.
 */
export function dropAbsentMessages(
  description: Description,
  definitions: readonly Definition[],
  schema: SchemaFile,
): Description {
  const { messages } = description;
  if (messages.by !== "table") return description;
  const names = new Set(definitions.map(({ name }) => name));
  const isKnown = (name: string | undefined): boolean =>
    name === undefined || names.has(name.replace(/\?$/, ""));
  const present = <Row extends DescribedEvent & { readonly result?: string }>(
    rows: Readonly<Record<string, Row>>,
  ): Record<string, Row> =>
    Object.fromEntries(
      Object.entries(rows).filter(([, { params, result }]) => isKnown(params) && isKnown(result)),
    );
  const table: MessagesByTable = {
    ...messages,
    requests: present(messages.requests),
    events: present(messages.events),
  };
  const absent = (["requests", "events"] as const).flatMap((part) =>
    Object.keys(messages[part]).filter((name) => !Object.hasOwn(table[part], name)),
  );
  const isEmpty = [table.requests, table.events].every((rows) => Object.keys(rows).length === 0);
  if (isEmpty) return description;
  if (absent.length > 0)
    schema.note(
      "ERR_REF",
      `Left out ${absent.join(", ")}: this version does not define the parameters or the result`,
      `/${schema.container}`,
    );
  return { ...description, messages: table };
}
