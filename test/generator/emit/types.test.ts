import assert from "node:assert/strict";
import { test } from "node:test";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Definition, Json, Type } from "../../../generator/model/types.js";
import { namePackage } from "../../../generator/emit/modules/package-names.js";
import { SourceFile } from "../../../generator/emit/printer/source-file.js";
import { emitTypes } from "../../../generator/emit/modules/types.js";
import { docTag, formatDocs } from "../../../generator/emit/printer/doc-comment.js";
import { readDefinitions } from "../../../generator/read/schema/definitions.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { openSchema } from "../../../generator/read/schema/schema-file.js";

function emit(nodes: Record<string, Json>): string {
  const file = readJsonText(JSON.stringify({ definitions: nodes }), "test.json");
  const definitions = readDefinitions(openSchema(file, new Set()), {
    gates: new Map([["It/gated", { role: "server", capability: "supportsIt" }]]),
    defaults: new Map([["It/limit", 10]]),
    limits: new Map(),
    extensible: new Set(),
    annotations: new Set(),
    forgives: {},
    untyped: "meant",
    overlapping: false,
    formats: false,
  });
  return emitDefinitions(definitions);
}

function emitDefinitions(definitions: readonly Definition[]): string {
  const protocol: Protocol = {
    kind: "protocol",
    name: "test",
    title: "Test",
    version: "1.0.0",
    packageName: "test",
    packageVersion: "1.0.0",
    roles: ["client", "server"],
    envelope: {
      constants: {},
      id: "id",
      idTypes: ["integer"],
      replyTo: "id",
      request: { noun: "request", when: {}, name: "method", payload: "params" },
      event: { noun: "event", when: {}, name: "method", payload: "params" },
      response: { when: {}, result: "result", error: "error" },
    },
    framing: {},
    messages: [],
    definitions,
    bases: { request: "", event: "", response: "", error: "" },
    capabilities: [],
    dialects: [],
    essential: [],
  };
  const file = new SourceFile("Test.");
  emitTypes(protocol, namePackage(protocol), file);
  return file.toString().replace("// Test.\n\n", "");
}

const long: Json = [
  "a long value of an enum",
  "another long value of it",
  "a third one",
  "and a fourth one of them",
];

const cases: readonly (readonly [string, Record<string, Json>, string])[] = [
  [
    "an interface with docs, a range, a gate, a default and a deprecation",
    {
      It: {
        type: "object",
        description: "Its kind.",
        properties: {
          limit: { type: "integer", format: "uint32", description: "Most of them." },
          gated: { type: "boolean" },
          old: { type: "string", description: "Deprecated: Use limit." },
        },
        required: ["gated"],
      },
    },
    `/** Its kind. */
export interface It {
  /**
   * Most of them. Integer from 0 to 2^32-1.
   *
   * @default 10
   */
  limit?: number;
  /** Requires \`supportsIt\`, announced by the server. */
  gated: boolean;
  /**
   * Deprecated: Use limit.
   *
   * @deprecated Use limit.
   */
  old?: string;
}
`,
  ],
  [
    "an open enum that gives the meaning of its values",
    { Kind: { type: "string", _enum: ["a", "b"], enumDescriptions: ["First.", "Second."] } },
    `/**
 * - \`"a"\`: First.
 * - \`"b"\`: Second.
 */
export type Kind = "a" | "b" | (string & {});
`,
  ],
  [
    "a union that follows its heading, on one line if it fits, or with one line per member",
    {
      It: {
        type: "object",
        properties: {
          aPropertyWithALongName: {
            type: "string",
            enum: [
              "a long value of an enum",
              "another long value of it",
              "a third one, which does not fit",
            ],
          },
          longest: { type: "array", items: { type: "string", _enum: long } },
        },
      },
    },
    `export interface It {
  aPropertyWithALongName?:
    "a long value of an enum" | "another long value of it" | "a third one, which does not fit";
  longest?: (
    | "a long value of an enum"
    | "another long value of it"
    | "a third one"
    | "and a fourth one of them"
    | (string & {})
  )[];
}
`,
  ],
  [
    "nested objects, dictionaries and arrays of unions",
    {
      It: {
        type: "object",
        properties: {
          at: {
            type: "object",
            properties: { line: { type: "integer", description: "The line." } },
            required: ["line"],
          },
          env: { type: "object", additionalProperties: { type: ["string", "null"] } },
          ids: { type: "array", items: { type: ["integer", "string"] } },
        },
      },
    },
    `export interface It {
  at?: {
    /** The line. */
    line: number;
  };
  env?: { [key: string]: string | null };
  ids?: (number | string)[];
}
`,
  ],
  [
    "an extension, and an empty object",
    {
      Base: { type: "object" },
      It: { allOf: [{ $ref: "#/definitions/Base" }, { type: "object", properties: { a: {} } }] },
      Same: { allOf: [{ $ref: "#/definitions/Base" }, { type: "object" }] },
    },
    `import type { NoProperties } from "@wirewright/runtime";

export interface Base extends NoProperties {}

export interface It extends Base {
  a?: unknown;
}

export interface Same extends Base {}
`,
  ],
  [
    "a redefinition that no value of the base can satisfy",
    {
      Base: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      It: {
        allOf: [
          { $ref: "#/definitions/Base" },
          { type: "object", properties: { a: { type: "number" } } },
        ],
      },
    },
    `export interface Base {
  a?: string;
  b?: string;
}

export interface It extends Base {
  a?: never;
}
`,
  ],
  [
    "names that need quotes",
    {
      It: {
        type: "object",
        properties: { "a-b": {}, "it's": {}, 'say "x"': {}, default: {}, "a\nb": {} },
      },
    },
    `export interface It {
  "a-b"?: unknown;
  "it's"?: unknown;
  'say "x"'?: unknown;
  default?: unknown;
  "a\\nb"?: unknown;
}
`,
  ],
];
for (const [name, nodes, want] of cases)
  test(`emitTypes() prints ${name}`, () => assert.equal(emit(nodes), want));

test("the compiler reports a kind of type that emitTypes() does not support", () => {
  const missing = { kind: "tuple" } as unknown as Type;
  assert.throws(() =>
    emitDefinitions([
      { kind: "definition", name: "It", type: missing, extensible: false, pointer: "" },
    ]),
  );
});

for (const { name, paragraphs, width, want } of [
  { name: "nothing", paragraphs: ["", undefined, " "], width: 40, want: [] },
  { name: "one line", paragraphs: ["Short."], width: 40, want: ["/** Short. */"] },
  {
    name: "a text that ends the comment",
    paragraphs: ["a */ b"],
    width: 40,
    want: ["/** a *\\/ b */"],
  },
  {
    name: "a list whose items are too long",
    paragraphs: [
      "- one two three four five six",
      docTag("default", "1"),
      docTag("deprecated", "x"),
    ],
    width: 20,
    want: [
      "/**",
      " * - one two three",
      " *   four five six",
      " *",
      " * @default 1",
      " * @deprecated x",
      " */",
    ],
  },
  {
    name: "text that looks like tags",
    paragraphs: [
      "@deprecated\n@internal x @alpha",
      docTag("deprecated", "@default\n@since {@link a} b@c"),
    ],
    width: 60,
    want: [
      "/**",
      " * \\@deprecated",
      " * \\@internal x \\@alpha",
      " *",
      " * @deprecated \\@default",
      " * \\@since {@link a} b@c",
      " */",
    ],
  },
  {
    name: "invisible characters",
    paragraphs: ["a\tb\u0000\u001b\u007f\u009b\u061c\u200b\u202e\u2069\ufeff\ud800\u{e0041}c"],
    width: 100,
    want: [
      "/** a b\\u0000\\u001b\\u007f\\u009b\\u061c\\u200b\\u202e\\u2069\\ufeff\\ud800\\udb40\\udc41c */",
    ],
  },
  {
    name: "line separators",
    paragraphs: ["a\u2028b\r\nc"],
    width: 40,
    want: ["/**", " * a", " * b", " * c", " */"],
  },
  {
    name: "a word longer than the line",
    paragraphs: ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b"],
    width: 20,
    want: ["/**", " * aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", " * b", " */"],
  },
] as const) {
  test(`formatDocs() formats ${name}`, () => assert.deepEqual(formatDocs(paragraphs, width), want));
}
