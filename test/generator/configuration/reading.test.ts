import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { ConfigurationSource } from "../../../generator/configuration/configuration-set.js";
import { judgeSource } from "../../../generator/configuration/judge-source.js";
import { readConfigurations } from "../../../generator/configuration/read-configurations.js";
import {
  insertedBySnippet,
  type SnippetFault,
} from "../../../generator/configuration/snippet-text.js";
import { InputError } from "../../../generator/index.js";
import type { Json } from "../../../generator/model/types.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";

const fixture = (name: string): string => fromRoot(`test/fixtures/configurations/${name}`);

/** Reads a package.json with one debugger. */
function read(entry: object, texts?: object): Promise<ConfigurationSource> {
  return withFolder(async (folder) => {
    const path = join(folder, "package.json");
    writeFileSync(path, JSON.stringify({ contributes: { debuggers: [entry] } }, null, 1));
    if (texts !== undefined)
      writeFileSync(join(folder, "package.nls.json"), `// texts\n${JSON.stringify(texts)}`);
    return readConfigurations(path);
  });
}

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
      at: `${attributes}/launch`,
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

test("what editors pass over is a note with its place, and nothing else", async () => {
  const source = await readLaunch({
    properties: {
      a: { type: "array", items: "string", descripton: "x" },
      b: { anyOf: ["string", { type: "number" }], required: "b" },
      c: { pattern: "(", description: "%c%" },
    },
  });
  assert.deepEqual(
    source.notes.map(({ place, text, hint }) => [
      place.pointer!.slice(`${attributes}/launch/properties`.length),
      typeof place.line,
      text,
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
        undefined,
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
        undefined,
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

test("what cannot be read is refused with its place", async () => {
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
    ...["ERR_REF", 'Cannot find "other.json#/a"', `${place}/$ref`, true],
    "A schema makes no other file be read: put the definition under definitions of the same schema",
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

test("snippets insert what an editor would insert", () => {
  const faults: SnippetFault[] = [];
  const inserted = (body: Json): Json | undefined => insertedBySnippet(body, "", faults);
  assert.deepEqual(
    inserted({
      plain: "text",
      placeholder: "${1:main}.c",
      stop: "a${2}b$0",
      choice: "${3|one,two|}",
      nested: "${1:a ${2:b}}",
      json: '^"\\${workspaceFolder}/${1:x}"',
      escaped: '^"${1:\\${file\\}}"',
      number: "^${1:9229}",
      list: ['^"${1:a}"', 2, null],
      variable: "${TM_FILENAME}|$CLIPBOARD|${TM_SELECTED_TEXT:none}|${TM_FILENAME/(.*)/$1/}",
      unsaid: "^$1",
      price: "costs \\$5, or 5$",
      "${1:env}": true,
    }),
    {
      plain: "text",
      placeholder: "main.c",
      stop: "ab",
      choice: "one",
      nested: "a b",
      json: "${workspaceFolder}/x",
      escaped: "${file}",
      number: 9229,
      list: ["a", 2, null],
      variable: "||none|",
      price: "costs $5, or 5$",
      env: true,
    },
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(
    inserted({ a: "${workspaceFolder}/x", b: ["^main"], c: "${command:pick}", d: "$file" }),
    {
      a: "workspaceFolder/x",
      b: [],
      c: "${command:pick}",
      d: "",
    },
  );
  assert.deepEqual(
    faults.map(({ at, text, hint }) => [at, text, hint]),
    [
      [
        "/a",
        "The snippet does not insert ${workspaceFolder}: it reads it as a variable of its own",
        'Write "\\\\${workspaceFolder}"',
      ],
      [
        "/b/0",
        'The snippet inserts "main", which is no JSON',
        'Behind "^", texts need quotes of their own: "^\\"text\\""',
      ],
      [
        "/c",
        "The snippet does not insert ${command:pick}: it reads it as a variable of its own",
        'Write "\\\\${command:pick}"',
      ],
      [
        "/d",
        "The snippet does not insert ${file}: it reads it as a variable of its own",
        'Write "\\\\${file}"',
      ],
    ],
  );
});

test("what an extension offers is judged by its own attributes", async () => {
  const source = await read({
    type: "t",
    configurationAttributes: {
      launch: {
        required: ["program"],
        properties: {
          program: { type: "string" },
          port: { type: "number", default: "1" },
          old: { deprecationMessage: "Use port." },
        },
      },
    },
    initialConfigurations: [{ type: "t", request: "launch", name: "n", prot: 1 }],
    configurationSnippets: [
      {
        label: "a",
        body: {
          type: "t",
          request: "launch",
          name: "n",
          program: '^"x"',
          port: '^"${1:1}"',
          old: 1,
        },
      },
      { label: "b" },
      { label: "c", body: { type: "u", request: "attach", name: "n" } },
      { label: "d", body: { type: "t", request: "attach", name: "n" } },
    ],
  });
  assert.deepEqual(
    judgeSource(source).map(({ rule, severity, place, text, hint }) => [
      ...[rule, severity, place.pointer!.slice("/contributes/debuggers/0/".length), text, hint],
    ]),
    [
      [
        ...["launch.default", "warning", "configurationAttributes/launch/properties/port/default"],
        ...['The default of "port" is not allowed: expected a number', undefined],
      ],
      [
        "launch.missing",
        "error",
        "initialConfigurations/0",
        'Expected "program": a string',
        'Add "program"',
      ],
      [
        "launch.unknown",
        "warning",
        "initialConfigurations/0/prot",
        'There is no attribute "prot" here',
        'Did you mean "port"?',
      ],
      [
        "launch.issue",
        "error",
        "configurationSnippets/0/body/port",
        "Expected a number",
        undefined,
      ],
      [
        "launch.deprecated",
        "warning",
        "configurationSnippets/0/body/old",
        '"old" is deprecated',
        "Use port.",
      ],
      [
        "launch.snippet",
        "warning",
        "configurationSnippets/1",
        'A snippet of "t" has no body',
        'Put the configuration under "body"',
      ],
      [
        "launch.type",
        "warning",
        "configurationSnippets/2/body/type",
        'There is no debugger "u"',
        'Did you mean "t"?',
      ],
      [
        "launch.issue",
        "error",
        "configurationSnippets/3/body/request",
        'Expected "launch", the only request of "t"',
        undefined,
      ],
    ],
  );
});

test("the fixture with every keyword has nothing doubtful but what it is meant to have", async () => {
  const source = await readConfigurations(fixture("keywords.package.json"));
  assert.deepEqual(
    judgeSource(source).map(({ rule, text }) => [rule, text]),
    [
      [
        "launch.default",
        'The default of "env" is not allowed: expected an object with 1 to 3 properties',
      ],
    ],
  );
  await withFolder(async (folder) => {
    // Without its texts, it has their keys.
    copyFileSync(fixture("keywords.package.json"), join(folder, "package.json"));
    const { notes, sets } = await readConfigurations(join(folder, "package.json"));
    assert.deepEqual(
      notes.map(({ text }) => text),
      ["There is no text for %debugger.label%", "There is no text for %launch.program%"],
    );
    assert.equal(sets[0]!.label, "%debugger.label%");
  });
});

/** What public extensions offer: configurations and snippets, and what is true of them. */
const offered = [
  ["bash-debug", 4, []],
  ["go", 5, ['launch.deprecated "remotePath" is deprecated']],
  ["mock-debug", 2, []],
  ["node-debug2", 0, []],
  ["php-debug", 9, []],
] as const;

suite(
  "configurations and snippets of a public extension",
  { skip: skipWithout("configurations") },
  () => {
    for (const [name, count, findings] of offered)
      test(`${name}: all are read, and judged as they should be`, async () => {
        const source = await readConfigurations(shared(`configurations/${name}.package.json`)!);
        assert.equal(source.offered.length, count);
        assert.deepEqual(
          judgeSource(source)
            .filter(({ rule }) => rule !== "launch.schema")
            .map(({ rule, text }) => `${rule} ${text}`),
          findings,
        );
      });
  },
);
