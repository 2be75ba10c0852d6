import assert from "node:assert/strict";
import { test } from "node:test";
import { InputError } from "../../../cli/index.js";
import { readDefinitions } from "../../../generator/read/schema/definitions.js";
import { noNotes, openSchema } from "../../../generator/read/schema/schema-file.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { schemaWith } from "../../support/elementary-changes.js";
import { fromRoot, root as projectRoot } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";
import { validatorOf } from "../../support/schema-validator.js";
import { read } from "../../support/read-schemas.js";

test("unknown keywords and keywords that have no effect cause warnings with their locations", () => {
  const node = {
    type: "string",
    minimum: 1,
    patern: "a",
    "x-note": 1,
    markdownDescription: "text",
    deprecationMessage: "old",
  };
  const { it, warnings } = read(node);
  assert.deepEqual([it.docs, it.deprecated], ["text", "old"]);
  assert.deepEqual(warnings, [
    '/definitions/It/patern: Ignored the unknown keyword "patern"',
    '/definitions/It/minimum: Ignored "minimum": it does not apply to values of type string',
  ]);
  const text = JSON.stringify({ definitions: { It: node } });
  const schema = openSchema(readJsonText(text, "test.json"), new Set(), { strictSchema: true });
  assert.throws(
    () => {
      readDefinitions(schema, noNotes);
      schema.settle();
    },
    (error) =>
      error instanceof InputError &&
      error.code === "ERR_KEYWORD" &&
      error.place.pointer === "/definitions/It/patern" &&
      error.hint === 'Did you mean "pattern"?',
  );
});

test("formats are documented, and also checked if the description says so", () => {
  const node = { type: "string", format: "date" };
  assert.deepEqual(read(node).it.type, { kind: "string", format: "date" });
  const isValid = validatorOf(read(node, {}, { formats: true }).definitions, "It");
  assert.deepEqual(
    ["2024-02-29", "2024-02-30", "2024-04-31", "today"].map((value) => isValid(value)),
    [true, false, false, false],
  );
});

test("generate lists ignored keywords and fails on them with --strict-schema", async () => {
  await withFolder((folder) => {
    const payload = { type: "object", properties: { q: { type: "string", patern: "a" } } };
    writeFiles(folder, {
      "own.json": JSON.stringify(schemaWith({ schema: payload }, "adapter")),
      "overlay.json": JSON.stringify({ annotations: ["patern"] }),
    });
    const run = (...args: readonly string[]): readonly [number | null, string] => {
      const { status, stderr } = runCommand(projectRoot, [
        "generate",
        fromRoot("test/fixtures/elementary"),
        "--no-format",
        "--schema",
        `${folder}/own.json`,
        "--out",
        `${folder}/out`,
        ...args,
      ]);
      return [status, stderr.split("\n").find((line) => line.includes("patern")) ?? ""];
    };
    const [status, warning] = run();
    assert.equal(status, 0);
    assert.match(
      warning,
      /^warning: .*own\.json:\d+:\d+ .*\/properties\/q\/patern: Ignored the unknown keyword "patern" \[ERR_KEYWORD\]$/,
    );
    const [strict, error] = run("--strict-schema");
    assert.equal(strict, 2);
    assert.match(error, /Ignored the unknown keyword "patern" \[ERR_KEYWORD\]$/);
    assert.deepEqual(run("--strict-schema", "--force", "--overlay", `${folder}/overlay.json`), [
      0,
      "",
    ]);
  });
});
