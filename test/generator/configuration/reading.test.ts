import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ConfigurationSource } from "../../../generator/configuration/configuration-set.js";
import { readConfigurations } from "../../../generator/configuration/read-configurations.js";
import { InputError } from "../../../generator/index.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { fixture, read } from "../../support/read-configuration.js";

function readLaunch(launch: unknown, texts?: object): Promise<ConfigurationSource> {
  return read({ type: "t", label: "%label%", configurationAttributes: { launch } }, texts);
}

async function refusal(act: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [
      error.code,
      error.message,
      error.place.pointer,
      error.place.line !== undefined,
      error.hint,
    ];
  }
  return assert.fail("it was read");
}

const attributes = "/contributes/debuggers/0/configurationAttributes";

test("schemas of all drafts, with the texts of VS Code, become one spelling", async () => {
  const { sets } = await readLaunch(
    {
      required: ["a"],
      properties: {
        a: {
          type: "string",
          description: "plain",
          markdownDescription: "%a%",
          enum: ["x", "y"],
          enumDescriptions: ["of x", "of y"],
          deprecationMessage: "gone",
          patternErrorMessage: "no",
          errorMessage: "wrong",
          default: "x",
        },
        b: {
          items: [{ type: "string" }],
          additionalItems: false,
          minimum: 1,
          exclusiveMinimum: true,
        },
        c: { dependencies: { d: ["e"], f: { required: ["g"] } }, deprecated: true, title: "c" },
        d: { $ref: "#/$defs/D" },
      },
      $defs: { D: { type: ["integer", "null"], "x-own": 1, "// why": null } },
    },
    { a: { message: "marked", comment: [] }, label: "T" },
  );
  assert.deepEqual(sets, [
    {
      type: "t",
      request: "launch",
      label: "T",
      pointer: `${attributes}/launch`,
      schema: {
        required: ["a"],
        properties: {
          a: {
            type: ["string"],
            enum: ["x", "y"],
            default: "x",
            docs: "marked",
            enumDocs: ["of x", "of y"],
            deprecated: "gone",
            patternHint: "no",
            hint: "wrong",
          },
          b: { prefixItems: [{ type: ["string"] }], items: false, exclusiveMinimum: 1 },
          c: {
            dependentRequired: { d: ["e"] },
            dependentSchemas: { f: { required: ["g"] } },
            docs: "c",
            deprecated: "",
          },
          d: { $ref: "D" },
        },
        definitions: { D: { type: ["integer", "null"] } },
      },
    },
  ]);
});

test("keywords that editors ignore are notes with their places", async () => {
  const source = await readLaunch({
    properties: {
      a: { type: "array", items: "string", descripton: "x" },
      b: { anyOf: ["string", { type: "number" }], required: "b" },
      c: { pattern: "(", description: "%c%" },
    },
  });
  assert.deepEqual(
    source.notes.map(({ place, message, hint }) => [
      place.pointer!.slice(`${attributes}/launch/properties`.length),
      typeof place.line,
      message,
      hint,
    ]),
    [
      ["", "number", "There is no text for %label%", "Put a package.nls.json beside the file"],
      [
        "/c/description",
        "number",
        "There is no text for %c%",
        "Put a package.nls.json beside the file",
      ],
      [
        "/a/items",
        "number",
        'The keyword "items" means nothing: it must be a schema, or a list of schemas',
        'Did you mean { "type": "string" }?',
      ],
      [
        "/a/descripton",
        "number",
        'The keyword "descripton" is unknown, and means nothing',
        'Did you mean "description"?',
      ],
      [
        "/b/anyOf/0",
        "number",
        "This means nothing: a schema must be an object, true or false",
        'Did you mean { "type": "string" }?',
      ],
      [
        "/b/required",
        "number",
        'The keyword "required" means nothing: it must be a list of texts',
        undefined,
      ],
      [
        "/c/pattern",
        "number",
        'The keyword "pattern" means nothing: it must be a regular expression',
        undefined,
      ],
    ],
  );
  assert.deepEqual(source.sets[0]!.schema.properties, {
    a: { type: ["array"] },
    b: { anyOf: [true, { type: ["number"] }] },
    c: { docs: "%c%" },
  });
});

test("a manifest refers to files beside it, and they to each other", () =>
  withFolder(async (folder) => {
    const launch = {
      properties: {
        a: { $ref: "schemas/one.json#/$defs/Port" },
        b: { $ref: "#/definitions/Port" },
        c: { $ref: "./schemas/two.schema.json" },
      },
      definitions: { Port: { type: "string" } },
    };
    const one = {
      $defs: { Port: { type: "integer", anyOf: [{ $ref: "#/$defs/Low" }] }, Low: { maximum: 9 } },
    };
    const two = { type: "array", items: { $ref: "one.json#/$defs/Low" }, typo: 1 };
    const path = join(folder, "package.json");
    const debuggers = [{ type: "t", configurationAttributes: { launch } }];
    mkdirSync(join(folder, "schemas"));
    writeFileSync(path, JSON.stringify({ contributes: { debuggers } }));
    writeFileSync(join(folder, "schemas/one.json"), JSON.stringify(one));
    writeFileSync(join(folder, "schemas/two.schema.json"), JSON.stringify(two));
    const { sets, notes, inputs } = await readConfigurations(path);
    assert.deepEqual(sets[0]!.schema, {
      properties: { a: { $ref: "Port2" }, b: { $ref: "Port" }, c: { $ref: "two" } },
      definitions: {
        Port2: { type: ["integer"], anyOf: [{ $ref: "Low" }] },
        Low: { maximum: 9 },
        Port: { type: ["string"] },
        two: { type: ["array"], items: { $ref: "Low" } },
      },
    });
    assert.deepEqual(
      notes.map(({ place, message }) => [place.file, place.pointer, message]),
      [
        [
          join(folder, "schemas/two.schema.json"),
          "/typo",
          'The keyword "typo" is unknown, and means nothing',
        ],
      ],
    );
    assert.deepEqual(
      inputs.map((each) => each.slice(folder.length + 1)),
      ["package.json", "schemas/one.json", "schemas/two.schema.json"],
    );
  }));

test("a manifest cannot make a file outside its folder be read", () =>
  withFolder(async (folder) => {
    mkdirSync(join(folder, "inner"));
    writeFileSync(join(folder, "secret.json"), "{}");
    symlinkSync(join(folder, "secret.json"), join(folder, "inner/link.json"));
    const path = join(folder, "inner/package.json");
    const inside = "A reference leads to a file in the folder of the manifest, or below it";
    for (const [name, reference, hint] of [
      ["../secret.json", "../secret.json#/a", inside],
      ["../secret.json", "x/../../secret.json", inside],
      ["link.json", "link.json", "It is a link to a file outside the folder of the manifest"],
      ["https:/example.com/x.json", "https://example.com/x.json", inside],
    ] as const) {
      const launch = { properties: { a: { $ref: reference } } };
      const debuggers = [{ type: "t", configurationAttributes: { launch } }];
      writeFileSync(path, JSON.stringify({ contributes: { debuggers } }));
      assert.deepEqual(await refusal(readConfigurations(path)), [
        ...["ERR_REF", `Cannot read "${name}"`, `${attributes}/launch/properties/a/$ref`, true],
        hint,
      ]);
    }
  }));

test("unreadable files are refused with the place of the fault", async () => {
  const place = `${attributes}/launch`;
  assert.deepEqual(await refusal(readLaunch({ properties: { a: { type: "strin" } } })), [
    ...["ERR_SCHEMA", 'Cannot read the type "strin"', `${place}/properties/a/type`, true],
    'Did you mean "string"?',
  ]);
  assert.deepEqual(await refusal(readLaunch({ properties: { a: { $ref: "#/definitions/A" } } })), [
    ...["ERR_REF", 'Cannot find "#/definitions/A"', `${place}/properties/a/$ref`, true],
    "Define it under definitions of the same schema",
  ]);
  assert.deepEqual(await refusal(readLaunch({ $ref: "other.json#/a" })), [
    ...["ERR_REF", 'Cannot read "other.json"', `${place}/$ref`, true],
    "There is no such file beside the manifest",
  ]);
  const loop = {
    $ref: "#/definitions/A",
    definitions: { A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } },
  };
  assert.deepEqual(await refusal(readLaunch(loop)), [
    ...["ERR_REF", 'Cannot read "A": it is defined by itself', `${place}/$ref`, true, undefined],
  ]);
  assert.deepEqual(await refusal(readLaunch({ unevaluatedProperties: false })), [
    ...["ERR_KEYWORD", 'Cannot read the keyword "unevaluatedProperties"'],
    ...[`${place}/unevaluatedProperties`, true, 'Use "additionalProperties" or "additionalItems"'],
  ]);
  assert.deepEqual(
    await refusal(readLaunch({ properties: JSON.parse('{"__proto__":{}}') as object })),
    [
      ...[
        "ERR_NAME",
        'Cannot read an attribute called "__proto__"',
        `${place}/properties/__proto__`,
        true,
      ],
      undefined,
    ],
  );
  assert.deepEqual(await refusal(read({ type: "t", configurationAttributes: { lauch: {} } })), [
    ...["ERR_SCHEMA", 'Cannot read attributes of the request "lauch"', `${attributes}/lauch`, true],
    'A configuration is for "launch" or "attach": did you mean "launch"?',
  ]);
  assert.deepEqual(await refusal(read({ label: "x", configurationAttributes: {} })), [
    ...[
      "ERR_SCHEMA",
      'Cannot read a debugger without "type"',
      "/contributes/debuggers/0",
      true,
      undefined,
    ],
  ]);
  assert.deepEqual(await refusal(read({ type: "t" })), [
    ...[
      "ERR_SCHEMA",
      "Cannot find any attributes of configurations",
      "/contributes/debuggers",
      true,
    ],
    'Add "configurationAttributes" to a debugger',
  ]);
});

test("a schema and interfaces that say the same are read alike", async () => {
  const schema = await readConfigurations(fixture("notes.schema.json"));
  const interfaces = await readConfigurations(fixture("notes.d.ts"));
  const bare = ({ sets }: ConfigurationSource): unknown =>
    sets.map(({ type, request, schema: { definitions: _, ...rest } }) => ({ type, request, rest }));
  assert.deepEqual(bare(interfaces), bare(schema));
  assert.deepEqual(
    schema.sets.map(({ type, request, schema: { required, properties } }) => [
      ...[type, request, required, Object.keys(properties!)],
    ]),
    [
      [
        "notes",
        "launch",
        ["program"],
        ["cwd", "env", "log", "program", "port", "trace", "args", "profile"],
      ],
      ["notes", "attach", ["processId"], ["cwd", "env", "log", "processId"]],
    ],
  );
  assert.deepEqual([schema.notes, interfaces.notes], [[], []]);
});

test("a file without sets is refused, and one with a set twice", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "launch.schema.json");
    const set = { properties: { type: { const: "a" }, request: { const: "launch" } } };
    writeFileSync(path, JSON.stringify({ oneOf: [set, set] }));
    assert.deepEqual((await refusal(readConfigurations(path))).slice(0, 3), [
      ...["ERR_SCHEMA", 'Cannot read two sets of attributes for "a" and "launch"', "/oneOf/1"],
    ]);
    writeFileSync(path, "{}");
    assert.deepEqual((await refusal(readConfigurations(path))).slice(0, 2), [
      ...["ERR_SCHEMA", "Cannot find any attributes of configurations"],
    ]);
    const declarations = join(folder, "launch.ts");
    writeFileSync(
      declarations,
      'interface A {\n  type: "a";\n  request: "launch";\n  run: () => void;\n}\n',
    );
    assert.deepEqual(await refusal(readConfigurations(declarations)), [
      ...["ERR_DECLARATION", "Cannot read the type `() => void`", undefined, true],
      "Only types of JSON values can be compared: no functions, generics or computed types",
    ]);
  });
});
