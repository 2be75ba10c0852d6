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

const refused: readonly (readonly [string, Json, string, string])[] = [
  [
    "a pattern that is not a regular expression",
    { type: "string", pattern: "(" },
    "ERR_SCHEMA",
    "/definitions/It/pattern",
  ],
  ["an unknown type", { type: "text" }, "ERR_SCHEMA", "/definitions/It/type"],
  [
    "a description that is not text",
    { type: "string", description: 5 },
    "ERR_SCHEMA",
    "/definitions/It/description",
  ],
  ["a dangling reference", { $ref: "#/definitions/Missing" }, "ERR_REF", "/definitions/It/$ref"],
  [
    "a reference into a definition",
    { $ref: "#/definitions/Other/properties/a" },
    "ERR_REF",
    "/definitions/It/$ref",
  ],
  [
    "a dynamic reference with several possible targets",
    {
      $defs: { a: { $id: "a", $dynamicAnchor: "x" }, b: { $id: "b", $dynamicAnchor: "x" } },
      $dynamicRef: "#x",
    },
    "ERR_REF",
    "/definitions/It/$dynamicRef",
  ],
  ["a reference that is not text", { $ref: {} }, "ERR_SCHEMA", "/definitions/It/$ref"],
  [
    "a reference to another file",
    { $ref: "other.json#/definitions/A" },
    "ERR_REF_OUTSIDE",
    "/definitions/It/$ref",
  ],
  [
    "a reference to an absolute file path",
    { $ref: "file:///etc/passwd" },
    "ERR_REF_OUTSIDE",
    "/definitions/It/$ref",
  ],
  [
    "a reference to a URL",
    { $ref: "http://127.0.0.1:9/a.json" },
    "ERR_REF_OUTSIDE",
    "/definitions/It/$ref",
  ],
  [
    "a type that extends itself",
    { allOf: [{ $ref: "#/definitions/It" }, { type: "object" }] },
    "ERR_REF_CYCLE",
    "/definitions/It",
  ],
  [
    "a type that consists of itself",
    { $ref: "#/definitions/It" },
    "ERR_REF_CYCLE",
    "/definitions/It",
  ],
  [
    "a union that contains itself",
    { anyOf: [{ type: "null" }, { $ref: "#/definitions/It" }] },
    "ERR_REF_CYCLE",
    "/definitions/It",
  ],
  ["an empty range", { type: "integer", minimum: 5, maximum: 4 }, "ERR_SCHEMA", "/definitions/It"],
  ["an empty enum", { enum: [] }, "ERR_SCHEMA", "/definitions/It/enum"],
  ["an enum that repeats a value", { enum: ["a", "a"] }, "ERR_SCHEMA", "/definitions/It/enum"],
  [
    "value descriptions that do not match an enum",
    { enum: ["a", "b"], enumDescriptions: ["one"] },
    "ERR_SCHEMA",
    "/definitions/It/enumDescriptions",
  ],
  [
    "a `required` keyword that is not a list",
    { type: "object", required: "a" },
    "ERR_SCHEMA",
    "/definitions/It/required",
  ],
  [
    "properties that are not an object",
    { type: "object", properties: [] },
    "ERR_SCHEMA",
    "/definitions/It/properties",
  ],
];

for (const [name, node, code, pointer] of refused) {
  test(`readDefinitions() refuses ${name}`, () =>
    assert.deepEqual(refusal(node), { code, pointer, line: true }));
}

test("readDefinitions() refuses definitions that refer only to each other", () => {
  assert.throws(() => read({ A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } }), {
    code: "ERR_REF_CYCLE",
  });
});

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
