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

/** A domain with the same structures, whose types have the domain's name in front of theirs. */
const domains = {
  version: { major: "1", minor: "0" },
  domains: [
    {
      domain: "Store",
      types: [
        {
          id: "Entry",
          type: "object",
          properties: [
            { name: "a", type: "string" },
            { name: "b", type: "integer", optional: true, description: "A count." },
            { name: "mode", type: "string", enum: ["read", "write"], optional: true },
            { name: "any", type: "any", optional: true },
            {
              name: "inner",
              type: "object",
              properties: [{ name: "a", type: "string", optional: true }],
              optional: true,
            },
          ],
        },
        { id: "List", type: "array", items: { $ref: "Entry" } },
      ],
    },
  ],
};

/** A schema, its description, and what precedes the names of `base` in its definitions. */
interface Format {
  readonly schema: unknown;
  readonly described: object;
  readonly prefix?: string;
}

const formats: readonly Format[] = [
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
  {
    schema: domains,
    described: {
      ...description,
      schema: { ...description.schema, format: "cdp" },
      messages: { by: "format" },
    },
    prefix: "Store",
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
  // Unlike `structuredClone`, this copies a part for each of its occurrences.
  const copy = JSON.parse(JSON.stringify(value)) as Record<string, Json>;
  const keys = parsePointer(pointer);
  const last = keys.pop()!;
  let holder = copy;
  for (const key of keys) holder = holder[key] as Record<string, Json>;
  assert.ok(Object.hasOwn(holder, last), pointer);
  delete holder[last];
  return copy;
}

/**
 * Returns whether a value has the properties that an overlay requires. An overlay may require only
 * those that it adds.
 */
function hasRequired(overlay: Json | undefined, value: Json | undefined): boolean {
  if (!isPart(overlay)) return true;
  const { properties = {}, required = [], items } = overlay as { readonly [key: string]: Json };
  if (Array.isArray(value)) return value.every((each: Json) => hasRequired(items, each));
  return (
    !isPart(value) ||
    ((required as readonly string[]).every((name) => Object.hasOwn(value, name)) &&
      Object.entries(properties as Part).every(([name, part]) => hasRequired(part, value[name])))
  );
}

function isPart(value: Json | undefined): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const values: readonly Part[] = [undefined, "", "x", 0, 5, -1, null, {}, { a: "x" }].flatMap(
  (value) =>
    ["a", "b", "mode", "level", "inner"].map(
      (name) => ({ a: "text", [name]: value, other: 1 }) as Part,
    ),
);

property(
  "an overlay adds all its parts and invalidates only values without what it requires, or is refused where it contradicts",
  overlays,
  ({ format, section, definitions }) =>
    withFolder(async (folder) => {
      const path = join(folder, "overlay.json");
      const { schema: written, described, prefix = "" } = formats[format]!;
      writeFiles(folder, {
        "protocol.json": JSON.stringify(described),
        "types-1.0.0.json": JSON.stringify(written),
      });
      const read = (overlay?: Part): Promise<ProtocolSource> => {
        if (overlay !== undefined) writeFiles(folder, { "overlay.json": JSON.stringify(overlay) });
        return readProtocolSource(folder, overlay === undefined ? {} : { overlays: [path] });
      };
      const name = `${prefix}Entry`;
      const named = Object.entries(definitions).map(([each, part]) => [
        each === "Entry" || each === "List" ? `${prefix}${each}` : each,
        part,
      ]);
      let overlay: Part = { [section]: Object.fromEntries(named) as Part };
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
      const [was, is] = [plain, merged].map((source) =>
        validatorOf(source.protocol.definitions, name),
      );
      const { properties } = before![name] as { readonly properties: Part };
      const known = values.filter((value) =>
        Object.keys(value).every((each) => each === "other" || Object.hasOwn(properties, each)),
      );
      const entry = (overlay[section] as Part)[name];
      for (const value of known)
        if (was!(value)) assert.equal(is!(value), hasRequired(entry, value), JSON.stringify(value));
    }),
);
