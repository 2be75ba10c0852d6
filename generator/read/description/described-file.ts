import { describedPart } from "../../model/queries.js";
import type { Description } from "./description-types.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";

/**
 * Locates the messages in a description's table. Returns their JSON Pointers, keyed by kind and
 * name, such as `request next`.
 */
export function placesInTable({ messages }: Description): Map<string, string> {
  const places = new Map<string, string>();
  if (messages.by !== "table") return places;
  for (const kind of ["request", "event"] as const)
    for (const name of Object.keys(messages[`${kind}s`]))
      places.set(`${kind} ${name}`, joinPointer("", describedPart, "messages", `${kind}s`, name));
  return places;
}

/**
 * Combines a schema file with its description file, so that parts of either file can be located.
 */
export function withDescription(schema: JsonFile, description: JsonFile): JsonFile {
  const { name, value } = schema;
  if (!isJsonObject(value)) return schema;
  return {
    name,
    value: { ...value, [describedPart]: description.value },
    locate(pointer) {
      const start = `/${describedPart}/`;
      return pointer.startsWith(start)
        ? description.locate(pointer.slice(start.length - 1))
        : schema.locate(pointer);
    },
  };
}
