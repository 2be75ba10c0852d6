import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigurations } from "../../launch/read-configurations.js";
import { InputError } from "../../cli/index.js";
import { withFolder } from "../support/compile.js";
import { attributes, read, readLaunch } from "../support/read-configuration.js";

async function refusal(act: Promise<unknown>): Promise<object> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, message, hint, place } = error;
    return { code, message, pointer: place.pointer, hasLine: place.line !== undefined, hint };
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
      assert.deepEqual(await refusal(readConfigurations(path)), {
        code: "ERR_REF",
        message: `Cannot read "${name}"`,
        pointer: `${attributes}/launch/properties/a/$ref`,
        hasLine: true,
        hint,
      });
    }
  }));

test("unreadable files are refused with the location of the error", async () => {
  const place = `${attributes}/launch`;
  assert.deepEqual(await refusal(readLaunch({ properties: { a: { type: "strin" } } })), {
    code: "ERR_SCHEMA",
    message: 'Cannot read the type "strin"',
    pointer: `${place}/properties/a/type`,
    hasLine: true,
    hint: 'Did you mean "string"?',
  });
  assert.deepEqual(await refusal(readLaunch({ properties: { a: { $ref: "#/definitions/A" } } })), {
    code: "ERR_REF",
    message: 'Cannot find "#/definitions/A"',
    pointer: `${place}/properties/a/$ref`,
    hasLine: true,
    hint: "Define it under definitions in the same schema",
  });
  assert.deepEqual(await refusal(readLaunch({ $ref: "other.json#/a" })), {
    code: "ERR_REF",
    message: 'Cannot read "other.json"',
    pointer: `${place}/$ref`,
    hasLine: true,
    hint: "There is no such file next to the manifest",
  });
  const loop = {
    $ref: "#/definitions/A",
    definitions: { A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } },
  };
  assert.deepEqual(await refusal(readLaunch(loop)), {
    code: "ERR_REF",
    message: 'Cannot read "A": its definition refers to itself',
    pointer: `${place}/$ref`,
    hasLine: true,
    hint: undefined,
  });
  assert.deepEqual(await refusal(readLaunch({ unevaluatedProperties: false })), {
    code: "ERR_KEYWORD",
    message: 'Cannot read the keyword "unevaluatedProperties"',
    pointer: `${place}/unevaluatedProperties`,
    hasLine: true,
    hint: 'Use "additionalProperties" or "additionalItems"',
  });
  assert.deepEqual(
    await refusal(readLaunch({ properties: JSON.parse('{"__proto__":{}}') as object })),
    {
      code: "ERR_NAME",
      message: 'Cannot read an attribute called "__proto__"',
      pointer: `${place}/properties/__proto__`,
      hasLine: true,
      hint: undefined,
    },
  );
  assert.deepEqual(await refusal(read({ type: "t", configurationAttributes: { lauch: {} } })), {
    code: "ERR_SCHEMA",
    message: 'Cannot read attributes for the request "lauch"',
    pointer: `${attributes}/lauch`,
    hasLine: true,
    hint: 'A configuration is for "launch" or "attach": did you mean "launch"?',
  });
  assert.deepEqual(await refusal(read({ label: "x", configurationAttributes: {} })), {
    code: "ERR_SCHEMA",
    message: 'Cannot read a debugger that has no "type"',
    pointer: "/contributes/debuggers/0",
    hasLine: true,
    hint: undefined,
  });
  assert.deepEqual(await refusal(read({ type: "t" })), {
    code: "ERR_SCHEMA",
    message: "Cannot find any configuration attributes",
    pointer: "/contributes/debuggers",
    hasLine: true,
    hint: 'Add "configurationAttributes" to a debugger',
  });
});

test("a manifest without attributes, or with duplicate attributes, is refused", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "launch.schema.json");
    const set = { properties: { type: { const: "a" }, request: { const: "launch" } } };
    writeFileSync(path, JSON.stringify({ oneOf: [set, set] }));
    assert.deepEqual(await refusal(readConfigurations(path)), {
      code: "ERR_SCHEMA",
      message: 'Found two sets of attributes for "a" and "launch"; only one is supported',
      pointer: "/oneOf/1",
      hasLine: true,
      hint: undefined,
    });
    writeFileSync(path, "{}");
    assert.deepEqual(await refusal(readConfigurations(path)), {
      code: "ERR_SCHEMA",
      message: "Cannot find any configuration attributes",
      pointer: "",
      hasLine: true,
      hint: 'Give objects a constant "type" and "request": "type": { "const": "my-debugger" }, "request": { "const": "launch" }',
    });
    const declarations = join(folder, "launch.ts");
    writeFileSync(
      declarations,
      'interface A {\n  type: "a";\n  request: "launch";\n  run: () => void;\n}\n',
    );
    assert.deepEqual(await refusal(readConfigurations(declarations)), {
      code: "ERR_DECLARATION",
      message: "Cannot read the type `() => void`",
      pointer: undefined,
      hasLine: true,
      hint: "Only JSON types can be compared, not functions, generics or computed types",
    });
  });
});
