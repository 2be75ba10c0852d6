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

/** Schemas that are refused, each with the location of the fault in it. */
const refused: readonly (readonly [name: string, node: Json, at: string, code?: string])[] = [
  ["a pattern that is not a regular expression", { type: "string", pattern: "(" }, "/pattern"],
  ["an unknown type", { type: "text" }, "/type"],
  ["a description that is not text", { type: "string", description: 5 }, "/description"],
  ["a dangling reference", { $ref: "#/definitions/Missing" }, "/$ref", "ERR_REF"],
  [
    "a reference into a definition",
    { $ref: "#/definitions/Other/properties/a" },
    "/$ref",
    "ERR_REF",
  ],
  [
    "a dynamic reference with several possible targets",
    {
      $defs: { a: { $id: "a", $dynamicAnchor: "x" }, b: { $id: "b", $dynamicAnchor: "x" } },
      $dynamicRef: "#x",
    },
    "/$dynamicRef",
    "ERR_REF",
  ],
  ["a reference that is not text", { $ref: {} }, "/$ref"],
  [
    "a reference to another file",
    { $ref: "other.json#/definitions/A" },
    "/$ref",
    "ERR_REF_OUTSIDE",
  ],
  [
    "a reference to an absolute file path",
    { $ref: "file:///etc/passwd" },
    "/$ref",
    "ERR_REF_OUTSIDE",
  ],
  ["a reference to a URL", { $ref: "http://127.0.0.1:9/a.json" }, "/$ref", "ERR_REF_OUTSIDE"],
  [
    "a type that extends itself",
    { allOf: [{ $ref: "#/definitions/It" }, { type: "object" }] },
    "",
    "ERR_REF_CYCLE",
  ],
  ["a type that consists of itself", { $ref: "#/definitions/It" }, "", "ERR_REF_CYCLE"],
  [
    "a union that contains itself",
    { anyOf: [{ type: "null" }, { $ref: "#/definitions/It" }] },
    "",
    "ERR_REF_CYCLE",
  ],
  ["an empty range", { type: "integer", minimum: 5, maximum: 4 }, ""],
  ["an empty enum", { enum: [] }, "/enum"],
  ["an enum that repeats a value", { enum: ["a", "a"] }, "/enum"],
  [
    "value descriptions that do not match an enum",
    { enum: ["a", "b"], enumDescriptions: ["one"] },
    "/enumDescriptions",
  ],
  ["a `required` keyword that is not a list", { type: "object", required: "a" }, "/required"],
  ["properties that are not an object", { type: "object", properties: [] }, "/properties"],
];

for (const [name, node, at, code = "ERR_SCHEMA"] of refused) {
  test(`readDefinitions() refuses ${name}`, () =>
    assert.deepEqual(refusal(node), { code, pointer: `/definitions/It${at}`, line: true }));
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
