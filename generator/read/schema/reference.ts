import { parsePointer } from "../../../runtime/base/json-pointer.js";
import type { SchemaFile } from "./schema-file.js";

/**
 * The name of the definition that a `$ref` refers to.
 *
 * References to other files are refused: a schema must not make the tool read files or contact servers.
 */
export function readReference(schema: SchemaFile, ref: unknown, pointer: string): string {
  if (typeof ref !== "string")
    return schema.fail("ERR_SCHEMA", 'Cannot read "$ref": it must be a text', pointer);
  if (!ref.startsWith("#")) {
    return schema.fail(
      "ERR_REF_OUTSIDE",
      `Cannot follow "${ref}": a reference must stay in its file`,
      pointer,
      `Copy the definition into this file and refer to "#/${schema.container}/NAME"`,
    );
  }
  let parts: string[];
  try {
    parts = parsePointer(decodeURIComponent(ref.slice(1)));
  } catch {
    return schema.fail(
      "ERR_REF",
      `Cannot read the reference "${ref}": its escapes are wrong`,
      pointer,
    );
  }
  const [container, name, ...rest] = parts;
  if (
    (container !== "definitions" && container !== "$defs") ||
    name === undefined ||
    rest.length > 0
  ) {
    return schema.fail(
      "ERR_REF",
      `Cannot follow "${ref}": only whole definitions can be referred to`,
      pointer,
      `Give the type a definition of its own and refer to "#/${schema.container}/NAME"`,
    );
  }
  if (container !== schema.container || !schema.definitions.has(name)) {
    return schema.fail("ERR_REF", `Cannot find the definition of "${ref}"`, pointer);
  }
  return name;
}
