import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { judgeSource } from "../../launch/judge-source.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import { insertedBySnippet, type SnippetFault } from "../../launch/snippet-text.js";
import type { Json } from "../../generator/model/types.js";
import { withFolder } from "../support/compile.js";
import { shared, skipWithout } from "../support/paths.js";
import { fixture, read } from "../support/read-configuration.js";

test("snippets insert the same text as in an editor", () => {
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
    faults.map(({ pointer, message, hint }) => [pointer, message, hint]),
    [
      [
        "/a",
        "The snippet does not insert ${workspaceFolder}: it would be taken for a snippet variable",
        'Write "\\\\${workspaceFolder}"',
      ],
      [
        "/b/0",
        'The snippet inserts "main", which is not JSON',
        'After "^", strings need their own quotes: "^\\"text\\""',
      ],
      [
        "/c",
        "The snippet does not insert ${command:pick}: it would be taken for a snippet variable",
        'Write "\\\\${command:pick}"',
      ],
      [
        "/d",
        "The snippet does not insert ${file}: it would be taken for a snippet variable",
        'Write "\\\\${file}"',
      ],
    ],
  );
});

test("an extension's snippets and initial configurations are judged against its attributes", async () => {
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
    judgeSource(source).map(({ rule, severity, place, message, hint }) => [
      rule,
      severity,
      place.pointer!.slice("/contributes/debuggers/0/".length),
      message,
      hint,
    ]),
    [
      [
        "launch.default",
        "warning",
        "configurationAttributes/launch/properties/port/default",
        'The default for "port" is not allowed: expected a number',
        undefined,
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
        'A snippet for "t" has no body',
        'Put the configuration under "body"',
      ],
      [
        "launch.type",
        "warning",
        "configurationSnippets/2/body/type",
        'Unknown debugger type "u"',
        'Did you mean "t"?',
      ],
      [
        "launch.issue",
        "error",
        "configurationSnippets/3/body/request",
        'Expected "launch", the only request for "t"',
        undefined,
      ],
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

/** Configurations and snippets from public extensions, with facts about them. */
const offered = [
  ["bash-debug", 4, []],
  ["go", 5, ['launch.deprecated "remotePath" is deprecated']],
  ["mock-debug", 2, []],
  ["node-debug2", 0, []],
  ["php-debug", 9, []],
] as const;

suite(
  "lint judges a public extension's configurations and snippets correctly",
  { skip: skipWithout("configurations") },
  () => {
    for (const [name, count, findings] of offered)
      test(`the configurations and snippets of ${name} are read and judged correctly`, async () => {
        const source = await readConfigurations(shared(`configurations/${name}.package.json`)!);
        assert.equal(source.offered.length, count);
        assert.deepEqual(
          judgeSource(source)
            .filter(({ rule }) => rule !== "launch.schema")
            .map(({ rule, message }) => `${rule} ${message}`),
          findings,
        );
      });
  },
);
