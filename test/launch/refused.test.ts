import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigurations } from "../../launch/read-configurations.js";
import { InputError } from "../../cli/index.js";
import { withFolder } from "../support/compile.js";
import { attributes, read, readLaunch } from "../support/read-configuration.js";

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

test("a manifest cannot make the tool read a file outside its folder", () =>
  withFolder(async (folder) => {
    mkdirSync(join(folder, "inner"));
    writeFileSync(join(folder, "secret.json"), "{}");
    symlinkSync(join(folder, "secret.json"), join(folder, "inner/link.json"));
    const path = join(folder, "inner/package.json");
    const inside = "Refer to a file in the manifest's folder or below it";
    for (const [name, reference, hint] of [
      ["../secret.json", "../secret.json#/a", inside],
      ["../secret.json", "x/../../secret.json", inside],
      ["link.json", "link.json", "It is a link to a file outside the manifest's folder"],
      ["https:/example.com/x.json", "https://example.com/x.json", inside],
    ] as const) {
      const launch = { properties: { a: { $ref: reference } } };
      const debuggers = [{ type: "t", configurationAttributes: { launch } }];
      writeFileSync(path, JSON.stringify({ contributes: { debuggers } }));
      assert.deepEqual(await refusal(readConfigurations(path)), [
        "ERR_REF",
        `Cannot read "${name}"`,
        `${attributes}/launch/properties/a/$ref`,
        true,
        hint,
      ]);
    }
  }));

test("unreadable files are refused with the location of the error", async () => {
  const place = `${attributes}/launch`;
  assert.deepEqual(await refusal(readLaunch({ properties: { a: { type: "strin" } } })), [
    "ERR_SCHEMA",
    'Cannot read the type "strin"',
    `${place}/properties/a/type`,
    true,
    'Did you mean "string"?',
  ]);
  assert.deepEqual(await refusal(readLaunch({ properties: { a: { $ref: "#/definitions/A" } } })), [
    "ERR_REF",
    'Cannot find "#/definitions/A"',
    `${place}/properties/a/$ref`,
    true,
    "Define it under definitions in the same schema",
  ]);
  assert.deepEqual(await refusal(readLaunch({ $ref: "other.json#/a" })), [
    "ERR_REF",
    'Cannot read "other.json"',
    `${place}/$ref`,
    true,
    "There is no such file next to the manifest",
  ]);
  const loop = {
    $ref: "#/definitions/A",
    definitions: { A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } },
  };
  assert.deepEqual(await refusal(readLaunch(loop)), [
    "ERR_REF",
    'Cannot read "A": its definition refers to itself',
    `${place}/$ref`,
    true,
    undefined,
  ]);
  assert.deepEqual(await refusal(readLaunch({ unevaluatedProperties: false })), [
    "ERR_KEYWORD",
    'Cannot read the keyword "unevaluatedProperties"',
    `${place}/unevaluatedProperties`,
    true,
    'Use "additionalProperties" or "additionalItems"',
  ]);
  assert.deepEqual(
    await refusal(readLaunch({ properties: JSON.parse('{"__proto__":{}}') as object })),
    [
      "ERR_NAME",
      'Cannot read an attribute called "__proto__"',
      `${place}/properties/__proto__`,
      true,
      undefined,
    ],
  );
  assert.deepEqual(await refusal(read({ type: "t", configurationAttributes: { lauch: {} } })), [
    "ERR_SCHEMA",
    'Cannot read attributes for the request "lauch"',
    `${attributes}/lauch`,
    true,
    'A configuration is for "launch" or "attach": did you mean "launch"?',
  ]);
  assert.deepEqual(await refusal(read({ label: "x", configurationAttributes: {} })), [
    "ERR_SCHEMA",
    'Cannot read a debugger that has no "type"',
    "/contributes/debuggers/0",
    true,
    undefined,
  ]);
  assert.deepEqual(await refusal(read({ type: "t" })), [
    "ERR_SCHEMA",
    "Cannot find any configuration attributes",
    "/contributes/debuggers",
    true,
    'Add "configurationAttributes" to a debugger',
  ]);
});

test("a manifest without attributes, or with duplicate attributes, is refused", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "launch.schema.json");
    const set = { properties: { type: { const: "a" }, request: { const: "launch" } } };
    writeFileSync(path, JSON.stringify({ oneOf: [set, set] }));
    assert.deepEqual((await refusal(readConfigurations(path))).slice(0, 3), [
      "ERR_SCHEMA",
      'Found two sets of attributes for "a" and "launch"; only one is supported',
      "/oneOf/1",
    ]);
    writeFileSync(path, "{}");
    assert.deepEqual((await refusal(readConfigurations(path))).slice(0, 2), [
      "ERR_SCHEMA",
      "Cannot find any configuration attributes",
    ]);
    const declarations = join(folder, "launch.ts");
    writeFileSync(
      declarations,
      'interface A {\n  type: "a";\n  request: "launch";\n  run: () => void;\n}\n',
    );
    assert.deepEqual(await refusal(readConfigurations(declarations)), [
      "ERR_DECLARATION",
      "Cannot read the type `() => void`",
      undefined,
      true,
      "Only JSON types can be compared, not functions, generics or computed types",
    ]);
  });
});
