import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readSchema } from "../support/compared-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";

const part = (more: Schema = {}): Schema => ({
  Part: { type: "object", properties: { id: { type: "string" }, ...more }, required: ["id"] },
});

async function version(p: Schema, definitions: Schema = {}): Promise<Protocol> {
  const payload = { type: "object", properties: { p }, required: ["p"] };
  const schema = schemaWith({ schema: payload }, "adapter");
  const all = { ...(schema["definitions"] as object), ...definitions };
  return readSchema({ ...schema, definitions: all });
}

async function changesOf(
  [before, old]: readonly [Schema, Schema?],
  [after, now]: readonly [Schema, Schema?],
): Promise<readonly string[]> {
  const { findings } = diffProtocols(await version(before, old), await version(after, now));
  return findings.map(({ rule, severity, at, message: change }) =>
    `${severity} ${rule} ${at} ${change}`.trim(),
  );
}

const constants = (key: string, ...values: readonly unknown[]): Schema => ({
  [key]: values.map((value) => ({ const: value })),
});

/** Ways to write the same string enum. */
const lists: Readonly<Record<string, (...values: readonly string[]) => Schema>> = {
  enum: (...values) => ({ type: "string", enum: values }),
  "enum without a type": (...values) => ({ enum: values }),
  "oneOf of constants": (...values) => constants("oneOf", ...values),
  "anyOf of constants": (...values) => constants("anyOf", ...values),
  "anyOf of lists": (first, ...rest) => ({ anyOf: [{ const: first }, { enum: rest }] }),
  "lists in lists": (first, ...rest) => ({
    anyOf: [{ anyOf: [{ enum: [first] }] }, constants("oneOf", ...rest)],
  }),
};

test("adding an enum value is the same change, however the schema writes the enum", async () => {
  for (const [name, list] of Object.entries(lists))
    for (const other of Object.values(lists)) {
      assert.deepEqual(await changesOf([list("a", "b")], [other("b", "a")]), [], name);
      assert.deepEqual(
        await changesOf([list("a", "b")], [other("a", "b", "c")]),
        ['risky enum.value-added Payload.p = "c" + "c"'],
        name,
      );
    }
});

test("writing the same type differently is not a change", async () => {
  const named: Schema = { Text: { type: "string" }, ...part() };
  const rows: readonly (readonly [Schema, Schema])[] = [
    [{ type: ["string", "null"] }, { anyOf: [{ type: "null" }, { type: "string" }] }],
    [{ type: ["string", "integer"] }, { oneOf: [{ type: "integer" }, { type: "string" }] }],
    [{ type: "string" }, { anyOf: [{ type: "string" }] }],
    [{ type: "string" }, { $ref: "#/definitions/Text" }],
    [{ type: "string" }, { allOf: [{ $ref: "#/definitions/Text" }] }],
    [{ type: "string" }, { anyOf: [{ type: "string" }, { enum: ["a"] }] }],
    [{ type: "string" }, { type: "string", minLength: 0 }],
    [{ type: "boolean" }, { enum: [true, false] }],
    [{ type: "number" }, { type: ["integer", "number"] }],
    [{ $ref: "#/definitions/Part" }, named["Part"] as Schema],
    [{ $ref: "#/definitions/Part" }, { allOf: [{ $ref: "#/definitions/Part" }] }],
    [
      { type: "array", items: { type: "string" } },
      { type: "array", items: { anyOf: [{ type: "string" }] } },
    ],
  ];
  for (const [before, after] of rows) {
    assert.deepEqual(await changesOf([before, named], [after, named]), [], JSON.stringify(after));
    assert.deepEqual(await changesOf([after, named], [before, named]), [], JSON.stringify(after));
  }
});

test("replacing enum values with values of another primitive type changes the type", async () => {
  assert.deepEqual(
    await changesOf([{ type: "string", enum: ["1", "2"] }], [{ type: "integer", enum: [1, 2] }]),
    ['breaking type.changed Payload.p "1" | "2" → 1 | 2'],
  );
  assert.deepEqual(await changesOf([{ const: "1" }], [{ const: 1 }]), [
    'breaking type.changed Payload.p "1" → 1',
  ]);
});

test("parts shared by all alternatives are compared as if they were on their own", async () => {
  const either = (other: Schema): Schema => ({ anyOf: [{ type: "string" }, other] });
  assert.deepEqual(
    await changesOf([either({ type: "integer" })], [either({ type: "integer", minimum: 0 })]),
    ["safe constraint.tightened Payload.p integer → integer ≥ 0"],
  );
  assert.deepEqual(await changesOf([either({ type: "number" })], [either({ type: "integer" })]), [
    "risky type.number-to-int Payload.p number → integer",
  ]);
  const reference = either({ $ref: "#/definitions/Part" });
  assert.deepEqual(
    await changesOf([reference, part()], [reference, part({ size: { type: "integer" } })]),
    ["lossy prop.added-optional Part.size + size?: integer"],
  );
  assert.deepEqual(
    await changesOf([either({ type: "integer" })], [{ type: ["string", "integer", "boolean"] }]),
    ["breaking type.widened Payload.p string | integer → string | integer | boolean"],
  );
});

test("merging alternatives into one object does not break messages from old writers", async () => {
  const having = (name: string): Schema => ({
    type: "object",
    properties: { [name]: { type: "string" } },
    required: [name],
  });
  const both = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
  const before = await version({ anyOf: [having("a"), having("b")] });
  const { findings } = diffProtocols(before, await version(both));
  assert.deepEqual(
    findings.map(({ rule, severity, wire, witnesses }) => ({
      rule,
      level: severity,
      wire,
      shown: witnesses.map(({ message }) => (message as { arguments?: unknown }).arguments),
    })),
    [
      {
        rule: "union.untagged-added",
        level: "breaking",
        wire: { "new-client/old-adapter": "rejected", "old-client/new-adapter": "ok" },
        shown: [{ p: {} }],
      },
    ],
  );
});

test("merging or splitting similar alternatives loses only properties that one of them lacks", async () => {
  const base = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const more = { ...base, properties: { ...base.properties, b: { type: "string" } } };
  const other = { type: "object", properties: { c: { type: "string" } }, required: ["c"] };
  assert.deepEqual(await changesOf([{ anyOf: [base, other, more] }], [{ anyOf: [base, other] }]), [
    "risky union.merged Payload.p | { a, b? } - { a, b? }",
  ]);
  assert.deepEqual(await changesOf([{ anyOf: [base, other] }], [{ anyOf: [more, other, base] }]), [
    "risky union.split Payload.p | { a, b? } + { a, b? }",
  ]);
});
