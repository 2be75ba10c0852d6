import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rules } from "../../diff/compare/rules.js";
import { lintRules } from "../../sessions/judge/rules.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { assertPlain, assertShown, forged } from "../support/forged-text.js";
import { fromRoot } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

interface Refusal {
  readonly name: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Malicious text without those characters that an argument cannot contain. */
const argument = forged.replaceAll(/[\0\ud800-\udfff]/g, "");

const fileName = argument.replaceAll("/", "").slice(0, 60);

const definitions = (text: string): string => `{ "definitions": { ${text} } }`;

const quotedText = JSON.stringify(forged);

const schemas: Readonly<Record<string, string>> = {
  "no JSON": forged,
  "a duplicate key": `{ ${quotedText}: 1, ${quotedText}: 2 }`,
  "an unknown keyword at the root": `{ ${quotedText}: 1 }`,
  "an unknown keyword": definitions(`"A": { ${quotedText}: 1 }`),
  "a dangling reference": definitions(
    `"A": { "$ref": ${JSON.stringify(`#/definitions/${forged}`)} }`,
  ),
  "a reference outside": definitions(`"A": { "$ref": ${quotedText} }`),
  "an unknown type": definitions(`"A": { "type": ${quotedText} }`),
  "a property without a type": definitions(
    `"A": { "type": "object", "properties": { ${quotedText}: { "type": 1 } } }`,
  ),
  "a required property that does not exist": definitions(
    `"A": { "type": "object", "required": [1, ${quotedText}] }`,
  ),
  "an empty enum": definitions(`"A": { "properties": { ${quotedText}: { "enum": [] } } }`),
};

const refusals: readonly Refusal[] = [
  { name: "a command", args: [argument] },
  { name: "an option", args: ["generate", `--${argument}`] },
  { name: "one argument too many", args: ["generate", "dap", argument] },
  { name: "a protocol", args: ["generate", argument] },
  { name: "a version", args: ["generate", "dap", "--version", argument] },
  { name: "a package name", args: ["generate", "dap", "--package", argument] },
  { name: "a configuration that does not exist", args: ["generate", "--config", argument] },
  { name: "a format", args: ["diff", "dap", "dap", "--format", argument] },
  { name: "a range", args: ["diff", "--range", argument] },
  { name: "a rule", args: ["diff", "explain", argument] },
  { name: "a severity", args: ["diff", "dap", "dap", "--severity", `${argument}=off`] },
  { name: "a source", args: ["diff", argument, "dap"] },
  { name: "a revision", args: ["diff", `${argument}:a.json`, "dap"] },
  { name: "a recording that does not exist", args: ["lint", argument] },
  { name: "a host", args: ["lint", "a", "--host", argument] },
  { name: "an address", args: ["tap", "--connect", argument] },
  { name: "a program", args: ["tap", "--", argument] },
  { name: "an output path for a recording", args: ["tap", "--out", `${argument}/x`, "--", "true"] },
  { name: "a recording without messages", args: ["lint", fileName], files: { [fileName]: forged } },
  ...Object.entries(schemas).flatMap(([name, text]): Refusal[] => [
    {
      name: `a schema with ${name}`,
      args: ["generate", "dap", "--schema", fileName],
      files: { [fileName]: text },
    },
    {
      name: `an overlay with ${name}`,
      args: ["generate", "dap", "--strict-schema", "--overlay", fileName],
      files: { [fileName]: text },
    },
    {
      name: `a schema to compare with ${name}`,
      args: ["diff", "dap", "-", "--format", "json"],
      input: text,
    },
  ]),
  ...(
    [
      ["no JSON", forged],
      ["an unknown key", `{ "packages": [{ "protocol": "dap", "out": "x", ${quotedText}: 1 }] }`],
      ["an unknown protocol", `{ "packages": [{ "protocol": ${quotedText}, "out": "x" }] }`],
      [
        "a package name",
        `{ "packages": [{ "protocol": "dap", "out": "x", "package": ${quotedText} }] }`,
      ],
      [
        "one folder twice",
        `{ "packages": [{ "protocol": "dap", "out": ${quotedText} }, { "protocol": "dap", "out": ${quotedText} }] }`,
      ],
    ] as const
  ).map(([name, text]) => ({
    name: `a configuration with ${name}`,
    args: ["generate", "--config", fileName],
    files: { [fileName]: text },
  })),
  {
    name: "a description with an unknown key",
    args: ["generate", "protocol"],
    files: { "protocol/protocol.json": `{ ${quotedText}: 1 }` },
  },
  {
    name: "acceptances with an unknown key",
    args: ["diff", "dap", "dap", "--accept", fileName],
    files: { [fileName]: `{ "accept": [], ${quotedText}: 1 }` },
  },
  {
    name: "a host with an unknown key",
    args: ["lint", "a", "--host", "h.json"],
    files: { "h.json": `{ ${quotedText}: 1 }` },
  },
  {
    name: "a host with an unknown outcome",
    args: ["lint", "a", "--host", "h.json"],
    files: {
      "h.json": `{ "name": "h", "title": "h", "outcomes": { ${quotedText}: { "severity": "error", "docs": "x" } }, "rules": [{ "id": "A-B1", "outcome": ${JSON.stringify(`${forged}?`)}, "docs": "x" }] }`,
    },
  },
  {
    name: "declarations without types",
    args: ["diff", `${fileName}.d.ts`, "dap"],
    files: { [`${fileName}.d.ts`]: `declare const a: ${quotedText};` },
  },
  {
    name: "declarations with an invalid type",
    args: ["diff", "a.d.ts", "dap"],
    files: { "a.d.ts": `interface A { a: Foreign<${quotedText}>; [${quotedText}]: typeof x }` },
  },
];

for (const { name, args, files = {}, input } of refusals) {
  test(`malicious text as ${name} results in an escaped error`, async () => {
    await withFolder((folder) => {
      mkdirSync(join(folder, "empty"));
      writeFiles(folder, files);
      const { status, stdout, stderr } = runCommand(folder, args, input);
      assert.equal(status, 2, stderr);
      assertPlain(stderr, "stderr");
      assert.match(stderr, /^(Found \d+ faults:\n)?([^\n]+\[ERR_[A-Z_]+\]\n( {2}[^\n]+\n)?)+$/);
      assertPlain(stdout, "stdout");
      if (stdout !== "") assert.equal((JSON.parse(stdout) as { report: string }).report, "error");
    });
  });
}

for (const [what, name] of [
  ["malicious text", forged],
  ["an invisible character", "A\u3164"],
] as const)
  test(`${what} as a definition's name results in a plain name and an escaped note`, async () => {
    await withFolder((folder) => {
      writeFiles(folder, {
        "overlay.json": definitions(`${JSON.stringify(name)}: { "type": "string" }`),
      });
      const args = ["generate", "dap", "--overlay", "overlay.json", "--no-format"];
      const { status, stderr } = runCommand(folder, args);
      assert.equal(status, 0, stderr);
      assertPlain(stderr, "stderr");
      assert.match(stderr, /^warning: [^\n]+Named "[^\n]+\[ERR_NAME\]\n/);
      const types = readFileSync(join(folder, "generated/dap/types.ts"), "utf8");
      assertShown(types, "types.ts");
    });
  });

test("rule lists are safe to print", () => {
  for (const args of [
    ["diff", "rules"],
    ["lint", "rules"],
    ...[...rules.keys()].slice(0, 3).map((id) => ["diff", "explain", id]),
  ]) {
    const { status, stdout } = runCommand(fromRoot("."), args);
    assert.equal(status, 0);
    assertPlain(stdout, args.join(" "));
  }
  assert.ok(lintRules.size > 0);
});
