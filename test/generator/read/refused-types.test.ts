import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../generator/model/types.js";
import { InputError } from "../../../cli/index.js";
import { read } from "../../support/read-definitions.js";

function refusal(node: Json): { code: string; pointer: string | undefined; line: boolean } {
  try {
    read({ Other: { type: "object" }, It: node });
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return { code: error.code, pointer: error.place.pointer, line: error.place.line !== undefined };
  }
  return assert.fail("the schema was accepted");
}

const refused: readonly {
  readonly name: string;
  readonly node: Json;
  readonly code: string;
  readonly pointer: string;
}[] = [
  {
    name: "a pattern that is not a regular expression",
    node: { type: "string", pattern: "(" },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/pattern",
  },
  {
    name: "an unknown type",
    node: { type: "text" },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/type",
  },
  {
    name: "a description that is not text",
    node: { type: "string", description: 5 },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/description",
  },
  {
    name: "a dangling reference",
    node: { $ref: "#/definitions/Missing" },
    code: "ERR_REF",
    pointer: "/definitions/It/$ref",
  },
  {
    name: "a reference into a definition",
    node: { $ref: "#/definitions/Other/properties/a" },
    code: "ERR_REF",
    pointer: "/definitions/It/$ref",
  },
  {
    name: "a dynamic reference with several possible targets",
    node: {
      $defs: { a: { $id: "a", $dynamicAnchor: "x" }, b: { $id: "b", $dynamicAnchor: "x" } },
      $dynamicRef: "#x",
    },
    code: "ERR_REF",
    pointer: "/definitions/It/$dynamicRef",
  },
  {
    name: "a reference that is not text",
    node: { $ref: {} },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/$ref",
  },
  {
    name: "a reference to another file",
    node: { $ref: "other.json#/definitions/A" },
    code: "ERR_REF_OUTSIDE",
    pointer: "/definitions/It/$ref",
  },
  {
    name: "a reference to an absolute file path",
    node: { $ref: "file:///etc/passwd" },
    code: "ERR_REF_OUTSIDE",
    pointer: "/definitions/It/$ref",
  },
  {
    name: "a reference to a URL",
    node: { $ref: "http://127.0.0.1:9/a.json" },
    code: "ERR_REF_OUTSIDE",
    pointer: "/definitions/It/$ref",
  },
  {
    name: "a type that extends itself",
    node: { allOf: [{ $ref: "#/definitions/It" }, { type: "object" }] },
    code: "ERR_REF_CYCLE",
    pointer: "/definitions/It",
  },
  {
    name: "a type that consists of itself",
    node: { $ref: "#/definitions/It" },
    code: "ERR_REF_CYCLE",
    pointer: "/definitions/It",
  },
  {
    name: "a union that contains itself",
    node: { anyOf: [{ type: "null" }, { $ref: "#/definitions/It" }] },
    code: "ERR_REF_CYCLE",
    pointer: "/definitions/It",
  },
  {
    name: "an empty range",
    node: { type: "integer", minimum: 5, maximum: 4 },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It",
  },
  {
    name: "an empty enum",
    node: { enum: [] },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/enum",
  },
  {
    name: "an enum that repeats a value",
    node: { enum: ["a", "a"] },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/enum",
  },
  {
    name: "value descriptions that do not match an enum",
    node: { enum: ["a", "b"], enumDescriptions: ["one"] },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/enumDescriptions",
  },
  {
    name: "a `required` keyword that is not a list",
    node: { type: "object", required: "a" },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/required",
  },
  {
    name: "properties that are not an object",
    node: { type: "object", properties: [] },
    code: "ERR_SCHEMA",
    pointer: "/definitions/It/properties",
  },
];

for (const { name, node, code, pointer } of refused) {
  test(`readDefinitions() refuses ${name}`, () =>
    assert.deepEqual(refusal(node), { code, pointer, line: true }));
}

test("readDefinitions() refuses definitions that refer only to each other", () => {
  assert.throws(() => read({ A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } }), {
    code: "ERR_REF_CYCLE",
  });
});

// The description's names have been applied before.
for (const [name, why] of [
  ["foo-bar", "not an identifier"],
  ["1a", "not an identifier"],
  ["class", "reserved"],
  ["string", "reserved"],
  ["a;b", "not an identifier"],
  ["", "not an identifier"],
]) {
  test(`readDefinitions() refuses the definition name ${JSON.stringify(name)}`, () => {
    assert.throws(
      () => read({ [name!]: {} }),
      (error: InputError) =>
        error.code === "ERR_NAME" && error.message.includes(why!) && error.place.line !== undefined,
    );
  });
}

for (const name of ["__proto__", "constructor", "toString", "Object", "größe"]) {
  test(`readDefinitions() accepts the definition name ${name}`, () => {
    const definitions = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`) as Record<
      string,
      Json
    >;
    assert.deepEqual(
      read(definitions).map((definition) => [definition.name, definition.type]),
      [[name, { kind: "string" }]],
    );
  });
}
