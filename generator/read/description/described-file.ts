import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";

/** Keyword that leads from a schema to the description that lists its messages. */
const describedPart = "x-description";

/** The location of a message in the table of its description. */
export function placeInTable(kind: "request" | "event", name: string): string {
  return joinPointer("", describedPart, "messages", `${kind}s`, name);
}

/** A schema with its description, so that it locates the parts of both. */
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
