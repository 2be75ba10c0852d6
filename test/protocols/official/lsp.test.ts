/** Tests the Language Server Protocol with hand-written meta models and with the published one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import type { Definition } from "../../../generator/model/types.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { base, reference } from "../../support/meta-model.js";

/** Reads a meta model consisting of the given parts. */
function readModel(parts: object): ReturnType<typeof readProtocol> {
  return withFolder(async (folder) => {
    const model = { metaData: { version: "3.99.0" }, requests: [], structures: [], ...parts };
    writeFiles(folder, { "metaModel.json": JSON.stringify(model, null, 2) });
    return readProtocol("lsp", { schema: join(folder, "metaModel.json") });
  });
}

/** Returns a definition's type, without pointers. */
function typeOf(definitions: readonly Definition[], name: string): unknown {
  const found = definitions.find((each) => each.name === name);
  return JSON.parse(
    JSON.stringify(found?.type, (key, value: unknown) => (key === "pointer" ? undefined : value)),
  ) as unknown;
}

test("structures, mixins, unions, tuples, maps and literals become types", async () => {
  const protocol = await readModel({
    structures: [
      { name: "Left", properties: [{ name: "a", type: base("integer") }] },
      { name: "Right", properties: [{ name: "b", type: base("uinteger"), optional: true }] },
      {
        name: "Both",
        extends: [reference("Left")],
        mixins: [reference("Right")],
        documentation: "The left and the right side.",
        properties: [
          {
            name: "place",
            type: { kind: "tuple", items: [base("uinteger"), base("string")] },
            documentation: "Where.",
          },
          { name: "kind", type: { kind: "stringLiteral", value: "both" } },
          {
            name: "changes",
            type: { kind: "map", key: base("DocumentUri"), value: reference("Left") },
          },
          {
            name: "range",
            type: {
              kind: "or",
              items: [
                base("boolean"),
                {
                  kind: "literal",
                  value: { properties: [{ name: "delta", type: base("decimal") }] },
                },
                base("null"),
              ],
            },
          },
        ],
      },
    ],
  });
  const { definitions, version } = protocol;
  assert.equal(version, "3.99.0");
  const integer = { kind: "integer", format: "int32", maximum: 2147483647 };
  assert.deepEqual(typeOf(definitions, "Left"), {
    kind: "object",
    bases: [],
    properties: [{ name: "a", type: { ...integer, minimum: -2147483648 }, required: true }],
    extras: "open",
  });
  assert.deepEqual(typeOf(definitions, "Right"), {
    kind: "object",
    bases: [],
    properties: [{ name: "b", type: { ...integer, minimum: 0 }, required: false }],
    extras: "open",
  });
  assert.deepEqual(typeOf(definitions, "Both"), {
    kind: "object",
    bases: ["Left", "Right"],
    properties: [
      {
        name: "place",
        type: {
          kind: "array",
          first: [{ ...integer, minimum: 0 }, { kind: "string" }],
          items: { kind: "union", members: [] },
          minItems: 2,
        },
        required: true,
        docs: "Where.",
      },
      { name: "kind", type: { kind: "literal", value: "both" }, required: true },
      {
        name: "changes",
        type: {
          kind: "map",
          values: { kind: "reference", name: "Left" },
          checks: [{ kind: "names", type: { kind: "string", format: "uri" } }],
        },
        required: true,
      },
      {
        name: "range",
        type: {
          kind: "union",
          members: [
            { kind: "boolean" },
            {
              kind: "object",
              bases: [],
              properties: [{ name: "delta", type: { kind: "number" }, required: true }],
              extras: "open",
            },
            { kind: "null" },
          ],
        },
        required: true,
      },
    ],
    extras: "open",
  });
  assert.equal(
    definitions.find(({ name }) => name === "Both")!.docs,
    "The left and the right side.",
  );
});

test("enumerations with custom values are open, and the documentation of numeric values begins with their names", async () => {
  const { definitions } = await readModel({
    enumerations: [
      {
        name: "Code",
        type: base("integer"),
        supportsCustomValues: true,
        values: [
          { name: "First", value: -1, documentation: "The first." },
          { name: "Second", value: 2 },
          { name: "Again", value: -1 },
        ],
      },
      {
        name: "Word",
        type: base("string"),
        values: [
          { name: "One", value: "one" },
          { name: "Two", value: "two", documentation: "The second." },
        ],
      },
    ],
  });
  assert.deepEqual(typeOf(definitions, "Code"), {
    kind: "enum",
    open: true,
    values: [
      { value: -1, docs: "First: The first." },
      { value: 2, docs: "Second" },
    ],
    // Besides the listed values, the enumeration accepts other integers.
    checks: [{ kind: "also", type: { kind: "integer" } }],
  });
  assert.deepEqual(typeOf(definitions, "Word"), {
    kind: "enum",
    open: false,
    values: [{ value: "one" }, { value: "two", docs: "The second." }],
  });
});

test("the meta model's messages have directions, nullable results, partial results and registration options", async () => {
  const { messages, definitions } = await readModel({
    structures: [{ name: "Hover", properties: [] }],
    requests: [
      {
        method: "text/hover",
        messageDirection: "clientToServer",
        params: reference("Hover"),
        result: { kind: "or", items: [reference("Hover"), base("null")] },
        partialResult: { kind: "array", element: reference("Hover") },
        registrationOptions: { kind: "and", items: [reference("Hover")] },
        errorData: base("boolean"),
        documentation: "Asks.",
      },
      {
        method: "text/list",
        messageDirection: "both",
        result: { kind: "array", element: reference("Hover") },
      },
    ],
    notifications: [
      { method: "text/gone", messageDirection: "serverToClient", deprecated: "Nobody sends it." },
    ],
  });
  const hover = { kind: "reference", name: "Hover" };
  assert.deepEqual(messages, [
    {
      kind: "request",
      name: "text/hover",
      sender: "client",
      definition: "TextHoverRequest",
      responseDefinition: "TextHoverResponse",
      payload: { type: hover, required: true },
      result: { type: { kind: "union", members: [hover, { kind: "null" }] }, required: true },
      partialResult: "TextHoverPartialResult",
      errorData: "TextHoverErrorData",
      registration: { method: "text/hover", options: "TextHoverRegistrationOptions" },
      docs: "Asks.",
      pointer: "/requests/text~1hover",
    },
    {
      kind: "request",
      name: "text/list",
      sender: "both",
      definition: "TextListRequest",
      responseDefinition: "TextListResponse",
      result: { type: { kind: "reference", name: "TextListResult" }, required: true },
      docs: "The message `text/list`.",
      pointer: "/requests/text~1list",
    },
    {
      kind: "event",
      name: "text/gone",
      sender: "server",
      definition: "TextGoneNotification",
      docs: "The message `text/gone`.",
      deprecated: "Nobody sends it.",
      pointer: "/events/text~1gone",
    },
  ]);
  assert.deepEqual(typeOf(definitions, "TextHoverPartialResult"), { kind: "array", items: hover });
  assert.deepEqual(typeOf(definitions, "TextHoverRegistrationOptions"), hover);
  assert.deepEqual(typeOf(definitions, "TextHoverErrorData"), { kind: "boolean" });
  // The response to an unreadable message has a null id.
  assert.deepEqual(
    definitions
      .filter(({ name }) => name === "Request" || name === "Response")
      .map(({ type }) =>
        type.kind === "object" ? type.properties.find(({ name }) => name === "id")!.type : type,
      ),
    [
      { kind: "union", members: [{ kind: "integer" }, { kind: "string" }] },
      { kind: "union", members: [{ kind: "integer" }, { kind: "string" }, { kind: "null" }] },
    ],
  );
});

test("a structure whose name starts with an underscore becomes part of the structures that extend it", async () => {
  const structures = [
    {
      name: "_Start",
      extends: [reference("Base")],
      properties: [{ name: "a", type: base("string") }],
    },
    { name: "Base", properties: [{ name: "b", type: base("string") }] },
    {
      name: "Start",
      extends: [reference("_Start")],
      properties: [{ name: "c", type: base("string"), optional: true }],
    },
    { name: "_Used", properties: [{ name: "d", type: base("string") }] },
    { name: "User", properties: [{ name: "used", type: reference("_Used") }] },
  ];
  const { definitions } = await readModel({ structures });
  const names = definitions.map(({ name }) => name);
  assert.equal(names.includes("_Start"), false);
  assert.equal(names.includes("_Used"), true);
  const string = { kind: "string" };
  assert.deepEqual(typeOf(definitions, "Start"), {
    kind: "object",
    bases: ["Base"],
    properties: [
      { name: "a", type: string, required: true },
      { name: "c", type: string, required: false },
    ],
    extras: "open",
  });
});
