import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigurations } from "../../launch/read-configurations.js";
import { InputError } from "../../cli/index.js";
import { withFolder } from "../support/compile.js";
import { attributes, read, readLaunch } from "../support/read-configuration.js";

/** Returns the code, location, message and hint of a refusal. */
async function refusal(act: Promise<unknown>): Promise<string> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, message, hint, place } = error;
    assert.equal(typeof place.line, "number");
    return `${code} ${place.pointer}: ${message} | ${hint}`;
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
      assert.equal(
        await refusal(readConfigurations(path)),
        `ERR_REF ${attributes}/launch/properties/a/$ref: Cannot read "${name}" | ${hint}`,
      );
    }
  }));

const loop = {
  $ref: "#/definitions/A",
  definitions: { A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } },
};

/** Attributes for `launch` that cannot be read, each with the refusal. */
const attributesRefused: readonly (readonly [object, string])[] = [
  [
    { properties: { a: { type: "strin" } } },
    'ERR_SCHEMA /properties/a/type: Cannot read the type "strin" | Did you mean "string"?',
  ],
  [
    { properties: { a: { $ref: "#/definitions/A" } } },
    'ERR_REF /properties/a/$ref: Cannot find "#/definitions/A" | Define it under definitions in the same schema',
  ],
  [
    { $ref: "other.json#/a" },
    'ERR_REF /$ref: Cannot read "other.json" | There is no such file next to the manifest',
  ],
  [loop, 'ERR_REF /$ref: Cannot read "A": its definition refers to itself | undefined'],
  [
    { unevaluatedProperties: false },
    'ERR_KEYWORD /unevaluatedProperties: Cannot read the keyword "unevaluatedProperties" | Use "additionalProperties" or "additionalItems"',
  ],
  [
    { properties: JSON.parse('{"__proto__":{}}') as object },
    'ERR_NAME /properties/__proto__: Cannot read an attribute called "__proto__" | undefined',
  ],
];

/** Debuggers that cannot be read, each with the refusal. */
const debuggersRefused: readonly (readonly [object, string])[] = [
  [
    { type: "t", configurationAttributes: { lauch: {} } },
    'ERR_SCHEMA /0/configurationAttributes/lauch: Cannot read attributes for the request "lauch" | A configuration is for "launch" or "attach": did you mean "launch"?',
  ],
  [
    { label: "x", configurationAttributes: {} },
    'ERR_SCHEMA /0: Cannot read a debugger that has no "type" | undefined',
  ],
  [
    { type: "t" },
    'ERR_SCHEMA : Cannot find any configuration attributes | Add "configurationAttributes" to a debugger',
  ],
];

test("unreadable files are refused with the location of the error", async () => {
  for (const [launch, expected] of attributesRefused)
    assert.equal((await refusal(readLaunch(launch))).replace(`${attributes}/launch`, ""), expected);
  for (const [entry, expected] of debuggersRefused)
    assert.equal((await refusal(read(entry))).replace("/contributes/debuggers", ""), expected);
});

test("a manifest without attributes, or with duplicate attributes, is refused", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "launch.schema.json");
    const set = { properties: { type: { const: "a" }, request: { const: "launch" } } };
    writeFileSync(path, JSON.stringify({ oneOf: [set, set] }));
    assert.equal(
      await refusal(readConfigurations(path)),
      'ERR_SCHEMA /oneOf/1: Found two sets of attributes for "a" and "launch"; only one is supported | undefined',
    );
    writeFileSync(path, "{}");
    assert.equal(
      await refusal(readConfigurations(path)),
      'ERR_SCHEMA : Cannot find any configuration attributes | Give objects a constant "type" and "request": "type": { "const": "my-debugger" }, "request": { "const": "launch" }',
    );
    const declarations = join(folder, "launch.ts");
    writeFileSync(
      declarations,
      'interface A {\n  type: "a";\n  request: "launch";\n  run: () => void;\n}\n',
    );
    assert.equal(
      await refusal(readConfigurations(declarations)),
      "ERR_DECLARATION undefined: Cannot read the type `() => void` | Only JSON types can be compared, not functions, generics or computed types",
    );
  });
});
