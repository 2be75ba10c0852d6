import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigurations } from "../../launch/read-configurations.js";
import { InputError } from "../../cli/index.js";
import { readInput, testCases } from "../support/case-list.js";
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

testCases(
  "test/cases/refused-configurations.md",
  "unreadable files are refused",
  async (input, section) => {
    const [given] = readInput(input, { loop }) as readonly [object];
    return [await refusal(section === "attributes" ? readLaunch(given) : read(given))];
  },
);

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
