import type { Definition, Json } from "../../generator/model/types.js";
import { readDefinitions } from "../../generator/read/schema/definitions.js";
import { readJsonText } from "../../generator/read/source/json-text.js";
import { openSchema } from "../../generator/read/schema/schema-file.js";

export function read(
  definitions: Record<string, Json>,
  container: "definitions" | "$defs" = "definitions",
): readonly Definition[] {
  const file = readJsonText(JSON.stringify({ [container]: definitions }, null, 1), "test.json");
  const schema = openSchema(file, new Set(["x-note"]));
  const read = readDefinitions(schema, {
    gates: new Map(),
    defaults: new Map(),
    limits: new Map(),
    extensible: new Set(),
    annotations: new Set(["x-note"]),
    forgives: {},
    untyped: "meant",
    overlapping: false,
    formats: false,
  });
  schema.settle();
  return read;
}
