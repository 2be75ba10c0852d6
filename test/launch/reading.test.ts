import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ConfigurationSource } from "../../launch/configuration-set.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import { withFolder } from "../support/compile.js";
import { attributes, fixture, readLaunch } from "../support/read-configuration.js";

test("schemas of all drafts are read, and VS Code's keywords for texts become one for each text", async () => {
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
            type: "string",
            enum: ["x", "y"],
            default: "x",
            description: "marked",
            enumDescriptions: ["of x", "of y"],
            deprecationMessage: "gone",
            patternErrorMessage: "no",
            errorMessage: "wrong",
          },
          b: {
            items: [{ type: "string" }],
            additionalItems: false,
            minimum: 1,
            exclusiveMinimum: true,
          },
          c: {
            dependencies: { d: ["e"], f: { required: ["g"] } },
            description: "c",
            deprecated: true,
          },
          d: { $ref: "#/definitions/D" },
        },
        definitions: { D: { type: ["integer", "null"] } },
      },
    },
  ]);
});

test("keywords that editors ignore cause warnings with their locations", async () => {
  const source = await readLaunch({
    properties: {
      a: { type: "array", items: "string", descripton: "x" },
      b: { anyOf: ["string", { type: "number" }], required: "b" },
      c: { pattern: "(", description: "%c%" },
    },
  });
  assert.deepEqual(
    source.notes.map(
      ({ place, message, hint }) =>
        `${typeof place.line} ${place.pointer!.slice(`${attributes}/launch/properties`.length)} ${message} | ${hint}`,
    ),
    [
      "number  There is no string for %label% | Add a package.nls.json next to the file",
      "number /c/description There is no string for %c% | Add a package.nls.json next to the file",
      'number /a/items The keyword "items" has no effect: it must be a schema, or an array of schemas | Did you mean { "type": "string" }?',
      'number /a/descripton The keyword "descripton" is unknown and has no effect | Did you mean "description"?',
      'number /b/anyOf/0 This has no effect: a schema must be an object, true or false | Did you mean { "type": "string" }?',
      'number /b/required The keyword "required" has no effect: it must be an array of strings | undefined',
      'number /c/pattern The keyword "pattern" has no effect: it must be a regular expression | undefined',
    ],
  );
  assert.deepEqual(source.sets[0]!.schema.properties, {
    a: { type: "array" },
    b: { anyOf: [true, { type: "number" }] },
    c: { description: "%c%" },
  });
});

test("a manifest can reference files next to it, and these files can reference each other", () =>
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
      properties: {
        a: { $ref: "#/definitions/Port2" },
        b: { $ref: "#/definitions/Port" },
        c: { $ref: "#/definitions/two" },
      },
      definitions: {
        Port2: { type: "integer", anyOf: [{ $ref: "#/definitions/Low" }] },
        Low: { maximum: 9 },
        Port: { type: "string" },
        two: { type: "array", items: { $ref: "#/definitions/Low" } },
      },
    });
    assert.deepEqual(
      notes.map(({ place, message }) => [place.file, place.pointer, message]),
      [
        [
          join(folder, "schemas/two.schema.json"),
          "/typo",
          'The keyword "typo" is unknown and has no effect',
        ],
      ],
    );
    assert.deepEqual(
      inputs.map((each) => each.slice(folder.length + 1)),
      ["package.json", "schemas/one.json", "schemas/two.schema.json"],
    );
  }));

test("equivalent schemas and interfaces result in the same model", async () => {
  const schema = await readConfigurations(fixture("notes.schema.json"));
  const interfaces = await readConfigurations(fixture("notes.d.ts"));
  const bare = ({ sets }: ConfigurationSource): unknown =>
    sets.map(({ type, request, schema: { definitions: _, ...rest } }) => ({ type, request, rest }));
  assert.deepEqual(bare(interfaces), bare(schema));
  assert.deepEqual(
    schema.sets.map(({ type, request, schema: { required, properties } }) => [
      type,
      request,
      required,
      Object.keys(properties as object),
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
