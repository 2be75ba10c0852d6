import { isJsonObject } from "../source/json-text.js";
import type { SchemaFile } from "../schema/schema-file.js";
import type { Description } from "./description-types.js";

/** Removes gates whose capability does not exist in this version: no peer could announce it. */
export function dropUnknownGates(description: Description, schema: SchemaFile): Description {
  const known = announcedFlags(description, schema);
  const keep = (
    gates: Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(gates ?? {}).filter(([, gate]) => known.has(gate)));
  const { messages, properties } = description.gates ?? {};
  return { ...description, gates: { messages: keep(messages), properties: keep(properties) } };
}

/** The capabilities of a schema in the form `role.flag`. */
function announcedFlags(description: Description, schema: SchemaFile): ReadonlySet<string> {
  return new Set(
    Object.entries(description.capabilities ?? {}).flatMap(([role, { type }]) => {
      const node = schema.definitions.get(type);
      const properties = isJsonObject(node) ? node["properties"] : undefined;
      return isJsonObject(properties)
        ? Object.keys(properties).map((flag) => `${role}.${flag}`)
        : [];
    }),
  );
}
