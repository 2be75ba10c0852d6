/** An overlay only adds, whatever it contains: otherwise, all its contradictions are errors. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { InputError } from "../../../cli/index.js";
import type { Json } from "../../../generator/model/types.js";
import { readProtocolSource, type ProtocolSource } from "../../../generator/read/read-protocol.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { property } from "../../support/property.js";
import { validatorOf } from "../../support/schema-validator.js";
import { description, object } from "../../support/table-protocol.js";

type Part = { readonly [key: string]: Json };

const base: Part = {
  Entry: object(
    {
      a: { type: "string" },
      b: { type: "integer", minimum: 0, description: "A count." },
      mode: { type: "string", enum: ["read", "write"] },
      level: { type: "string", _enum: ["low"] },
      any: {},
      inner: object({ a: { type: "string" } }),
    },
    ["a"],
  ) as Part,
  List: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
  Extended: { allOf: [{ $ref: "#/definitions/Entry" }, { properties: { d: { type: "null" } } }] },
};

/** A meta model with the same structures as `base`, but for what its language cannot state. */
const metaModel = {
  metaData: { version: "1.0.0" },
  requests: [],
  notifications: [],
  structures: [
    {
      name: "Entry",
      properties: [
        { name: "a", type: { kind: "base", name: "string" } },
        { name: "b", type: { kind: "base", name: "uinteger" }, optional: true },
        { name: "mode", type: { kind: "stringLiteral", value: "read" }, optional: true },
      ],
    },
  ],
  enumerations: [],
  typeAliases: [],
};

const formats: readonly { readonly schema: unknown; readonly described: object }[] = [
  {
    schema: { definitions: base },
    described: { ...description, messages: { by: "table", requests: {}, events: {} } },
  },
  {
    schema: metaModel,
    described: {
      ...description,
      roles: ["client", "server"],
      schema: { ...description.schema, format: "lsp-metamodel" },
      messages: { by: "format" },
      directions: { requests: "client", events: "server" },
      framing: { client: "lines", server: "lines" },
    },
  },
];

const names = ["a", "b", "c", "mode", "level", "any"];
const keyword = fc.constantFrom<Part>(
  ...[{ type: "string" }, { type: "integer" }, { type: "object" }, { enum: ["read", "more"] }],
  ...[{ _enum: ["low", "high"] }, { enum: ["read"] }, { minLength: 2 }, { minimum: 0 }],
  ...[{ const: "read" }, { pattern: "^r" }, { not: {} }, { nullable: true }, { "x-note": 1 }],
  ...[{ description: "A count." }, { description: "Another text." }, { deprecated: true }],
  ...[{ additionalProperties: false }, { additionalProperties: true }, { minProperties: 2 }],
  ...[{ anyOf: [{ type: "string" }] }, { $ref: "#/definitions/Added" }],
);
const schema = (depth: number): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 6, arbitrary: keyword },
    { weight: 2, arbitrary: fc.tuple(keyword, keyword).map(([one, two]) => ({ ...one, ...two })) },
    { weight: 1, arbitrary: fc.constantFrom<Json>(true, false, null, {}) },
    { weight: depth * 4, arbitrary: depth === 0 ? keyword : structure(depth - 1) },
  );
const structure = (depth: number): fc.Arbitrary<Part> =>
  fc.record(
    {
      properties: fc.dictionary(fc.constantFrom(...names, "inner"), schema(depth), { maxKeys: 2 }),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      items: schema(depth),
    },
    { requiredKeys: [] },
  );
const overlays = fc.record({
  format: fc.constantFrom(...formats.keys()),
  section: fc.constantFrom("definitions", "$defs"),
  definitions: fc
    .dictionary(fc.constantFrom("Entry", "List", "Other"), schema(2), { maxKeys: 2 })
    .map((parts): Part => ({ ...parts, Added: { type: "string" } })),
});

/** Returns whether a schema with additions contains all parts of another one. */
function contains(whole: Json | undefined, part: Json): boolean {
  if (Array.isArray(part))
    return part.every(
      (each: Json) => Array.isArray(whole) && whole.some((other: Json) => contains(other, each)),
    );
  if (typeof part !== "object" || part === null) return whole === part;
  return Object.entries(part as Part).every(
    ([key, each]) =>
      contains((whole as Part | undefined)?.[key], each) ||
      // `required: []` and the like state nothing.
      (Array.isArray(each) && each.length === 0),
  );
}

function without(value: Part, pointer: string): Part {
  const copy = structuredClone(value) as Record<string, Json>;
  const keys = parsePointer(pointer);
  const last = keys.pop()!;
  let holder = copy;
  for (const key of keys) holder = holder[key] as Record<string, Json>;
  assert.ok(Object.hasOwn(holder, last), pointer);
  delete holder[last];
  return copy;
}

const values: readonly Part[] = [undefined, "", "x", 0, 5, -1, null, {}, { a: "x" }].flatMap(
  (value) =>
    ["a", "b", "mode", "level", "inner"].map(
      (name) => ({ a: "text", [name]: value, other: 1 }) as Part,
    ),
);

property(
  "an overlay adds all its parts and invalidates no value, or is refused where it contradicts",
  overlays,
  ({ format, section, definitions }) =>
    withFolder(async (folder) => {
      const path = join(folder, "overlay.json");
      const { schema: written, described } = formats[format]!;
      writeFiles(folder, {
        "protocol.json": JSON.stringify(described),
        "types-1.0.0.json": JSON.stringify(written),
      });
      const read = (overlay?: Part): Promise<ProtocolSource> => {
        if (overlay !== undefined) writeFiles(folder, { "overlay.json": JSON.stringify(overlay) });
        return readProtocolSource(folder, overlay === undefined ? {} : { overlays: [path] });
      };
      let overlay: Part = { [section]: definitions };
      let merged: ProtocolSource;
      try {
        merged = await read(overlay);
      } catch (error) {
        assert.ok(error instanceof InputError, String(error));
        for (const { place } of error.faults) assert.equal(place.file, path, error.message);
        // Without the parts that the faults name, the overlay is accepted.
        if (error.code !== "ERR_OVERLAY_CLASH") return;
        for (const { code, place } of error.faults)
          if (code === "ERR_OVERLAY_CLASH") overlay = without(overlay, place.pointer!);
        try {
          merged = await read(overlay);
        } catch (again) {
          assert.ok(
            again instanceof InputError && again.code !== "ERR_OVERLAY_CLASH",
            String(again),
          );
          return;
        }
      }
      const plain = await read();
      const [before, after] = [plain, merged].map(
        (source) => (source.schema.value as { readonly definitions: Part }).definitions,
      );
      assert.ok(contains(after, before!), "lost a part of the schema");
      assert.ok(contains(after, overlay[section]!), "lost a part of the overlay");
      const requires = /"required":\[[^\]]/.test(JSON.stringify(overlay));
      if (requires) return;
      const [was, is] = [plain, merged].map((source) =>
        validatorOf(source.protocol.definitions, "Entry"),
      );
      const { properties } = before!["Entry"] as { readonly properties: Part };
      const known = values.filter((value) =>
        Object.keys(value).every((name) => name === "other" || Object.hasOwn(properties, name)),
      );
      for (const value of known)
        assert.ok(!was!(value) || is!(value), `${JSON.stringify(value)} became invalid`);
    }),
);
