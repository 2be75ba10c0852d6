import { diffProtocols } from "../generator/index.js";
import { readSchema } from "../test/support/diff-sources.js";
import { schemaWith } from "../test/support/elementary-changes.js";
const d = (list: string) => ({
  Three: { anyOf: [ { type: "object", properties: { b: { type: "string" }, s: { $ref: "#/definitions/Three" } } },
   { type: "object", properties: { kind: { enum: ["a"] }, a: { $ref: "#/definitions/Two" } }, required: ["kind"], additionalProperties: false } ] },
  Two: { anyOf: [ { type: "integer" }, { type: "string", [list]: ["a", "c"] }, { type: "array", items: { $ref: "#/definitions/Three" } } ] },
});
const v = async (list: string) => { const s = schemaWith({ schema: { type: "object", properties: { line: { $ref: "#/definitions/Three" } }, required: ["line"] } }, "adapter") as any; return readSchema({ ...s, definitions: { ...s.definitions, ...d(list) } }); };
const diff = diffProtocols(await v("_enum"), await v("enum"));
console.log(diff.findings.map(f => [f.id, f.at, f.change, f.path, f.wire]));
