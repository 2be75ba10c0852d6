import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { judgeSource } from "../../launch/judge-source.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import { withFolder } from "../support/compile.js";
import { shared, skipWithout } from "../support/paths.js";
import { fixture, read } from "../support/read-configuration.js";

test("an extension's initial configurations are judged against its attributes", async () => {
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
    initialConfigurations: [
      { type: "t", request: "launch", name: "n", prot: 1 },
      { type: "t", request: "launch", name: "n", program: "x", port: "1", old: 1 },
      { type: "u", request: "attach", name: "n" },
      { type: "t", request: "attach", name: "n" },
    ],
  });
  assert.deepEqual(
    judgeSource(source).map(
      ({ rule, severity, place, message, hint }) =>
        `${severity} ${rule} ${place.pointer!.slice("/contributes/debuggers/0".length)} ${message} | ${hint}`,
    ),
    [
      'warning launch.default /configurationAttributes/launch/properties/port/default The default for "port" is not allowed: expected a number | undefined',
      'error launch.missing /initialConfigurations/0 Expected "program": a string | Add "program"',
      'warning launch.unknown /initialConfigurations/0/prot There is no attribute "prot" here | Did you mean "port"?',
      "error launch.issue /initialConfigurations/1/port Expected a number | undefined",
      'warning launch.deprecated /initialConfigurations/1/old "old" is deprecated | Use port.',
      'warning launch.type /initialConfigurations/2/type Unknown debugger type "u" | Did you mean "t"?',
      'error launch.issue /initialConfigurations/3/request Expected "launch", the only request for "t" | undefined',
    ],
  );
});

test("the fixture that contains every keyword has only the intended problems", async () => {
  const source = await readConfigurations(fixture("keywords.package.json"));
  assert.deepEqual(
    judgeSource(source).map(({ rule, message }) => [rule, message]),
    [
      [
        "launch.default",
        'The default for "env" is not allowed: expected an object with 1 to 3 properties',
      ],
    ],
  );
  await withFolder(async (folder) => {
    // Without `package.nls.json`, the configuration contains the keys in place of the strings.
    copyFileSync(fixture("keywords.package.json"), join(folder, "package.json"));
    const { notes, sets } = await readConfigurations(join(folder, "package.json"));
    assert.deepEqual(
      notes.map(({ message }) => message),
      ["There is no string for %debugger.label%", "There is no string for %launch.program%"],
    );
    assert.equal(sets[0]!.label, "%debugger.label%");
  });
});

/** Public extensions, and their numbers of initial configurations, which are all correct. */
const offered = [
  ["bash-debug", 1],
  ["go", 0],
  ["mock-debug", 1],
  ["node-debug2", 0],
  ["php-debug", 3],
] as const;

suite(
  "lint judges a public extension's initial configurations correctly",
  { skip: skipWithout("configurations") },
  () => {
    for (const [name, count] of offered)
      test(`the initial configurations of ${name} are read and judged correctly`, async () => {
        const source = await readConfigurations(shared(`configurations/${name}.package.json`)!);
        assert.equal(source.offered.length, count);
        assert.deepEqual(
          judgeSource(source)
            .filter(({ rule }) => rule !== "launch.schema")
            .map(({ rule, message }) => `${rule} ${message}`),
          [],
        );
      });
  },
);
