/** Tests `wirewright model`, which prints protocols as data, and the JSON Schema for its output. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { bundledProtocols, readProtocol } from "../../cli/index.js";
import {
  cannotPrintModelSchema,
  modelSchemaPath,
  printModelSchema,
} from "../../tools/maintenance/print-model-schema.js";
import { root } from "../support/paths.js";
import { outsideSchemas } from "../support/outside-schemas.js";
import { runCommand } from "../support/run-command.js";

const schema = JSON.parse(readFileSync(modelSchemaPath, "utf8")) as object;
const validate = new Ajv({ strict: false }).compile(schema);

for (const name of bundledProtocols()) {
  const { files: schemas, skip } = outsideSchemas(name);
  test(`the printed model of ${name} matches its JSON Schema`, { skip }, async () => {
    const given = schemas.flatMap((path) => ["--schema", path]);
    const { status, stdout, stderr } = runCommand(root, ["model", name, ...given]);
    assert.deepEqual([status, stderr], [0, ""]);
    const document = JSON.parse(stdout) as { protocol: object };
    assert.ok(validate(document), JSON.stringify(validate.errors));
    const protocol = await readProtocol(name, schemas.length === 0 ? {} : { schema: schemas });
    assert.deepEqual(document, { report: "model", reportVersion: 1, protocol });
  });
}

test("the JSON Schema refuses values that are not models", () => {
  const { stdout } = runCommand(root, ["model", "sqltools"]);
  const document = JSON.parse(stdout) as {
    protocol: { kind: string; definitions: { type: object }[] };
  };
  assert.equal(validate({ ...document, reportVersion: 2 }), false);
  assert.equal(validate({ ...document, protocol: { ...document.protocol, more: 1 } }), false);
  document.protocol.definitions[0]!.type = { kind: "date" };
  assert.equal(validate(document), false);
});

test("wirewright model schema prints the JSON Schema", () => {
  const { status, stdout } = runCommand(root, ["model", "schema"]);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), schema);
});

test("wirewright model refuses invalid arguments", () => {
  const errorOf = (...args: string[]): string => runCommand(root, ["model", ...args]).stderr;
  assert.match(errorOf(), /^Cannot print a model: give one protocol \[ERR_ARGUMENT\]\n/);
  assert.match(errorOf("dap", "acp"), /^Cannot print a model: give one protocol/);
  assert.match(errorOf("dap", "--format", "xml"), /^Cannot use --format "xml" \[ERR_ARGUMENT\]\n/);
  assert.match(errorOf("dab"), /\[ERR_UNKNOWN_PROTOCOL\]\n {2}Did you mean "dap"\?\n$/);
});

test(
  'the JSON Schema for models is up to date (update it with "npm run generate")',
  { skip: cannotPrintModelSchema },
  async () => {
    assert.equal(readFileSync(modelSchemaPath, "utf8"), await printModelSchema());
  },
);
