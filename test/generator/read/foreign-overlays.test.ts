/** Overlays and files as other projects have them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openProtocolSource, readProtocol, type InputError } from "../../../cli/index.js";
import type { Json } from "../../../generator/model/types.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { read } from "../../support/read-schemas.js";
import { runCommand } from "../../support/run-command.js";
import { shared, skipWithout } from "../../support/paths.js";

const overlay = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Python Additions",
  description: "Messages of a Python adapter.",
  definitions: {
    PathMap: { type: "object", properties: { local: { type: "string" } }, required: ["local"] },
  },
};

test("a description can extend a bundled protocol by name, with the version of its schema", async () => {
  await withFolder(async (folder) => {
    const extension = {
      name: "python-dap",
      title: "Python DAP",
      package: "python-dap",
      extends: "dap",
      overlays: ["overlay.json"],
    };
    writeFiles(folder, {
      "protocol.json": JSON.stringify(extension),
      "overlay.json": JSON.stringify(overlay),
    });
    const { name, title, packageName, packageVersion, version, definitions } =
      await readProtocol(folder);
    const bundled = (await readProtocol("dap")).version;
    assert.deepEqual(
      [name, title, packageName, packageVersion, version],
      ["python-dap", "Python DAP", "python-dap", bundled, bundled],
    );
    assert.ok(definitions.some((each) => each.name === "PathMap"));
    assert.equal((await readProtocol(`${folder}@1.68.0`)).packageVersion, "1.68.0");
  });
});

test("a required property that is not declared is a warning that names the nearest property", () => {
  const source = { type: "object", properties: { id: { type: "string" }, sourceMaps: {} } };
  const warning = (name: string): string =>
    `/definitions/It/required: Cannot find the property "${name}", which is required`;
  const { warnings } = read({ ...source, required: ["id", "sourceMap", "zzzzzz"] });
  assert.deepEqual(warnings, [warning("sourceMap"), warning("zzzzzz")]);
});

test("a property that another part of the schema declares may be required", () => {
  const base: Json = { type: "object", properties: { id: { type: "string" }, name: {} } };
  const own: Json = { type: "object", properties: { size: {} }, required: ["id", "size"] };
  const nodes: readonly Json[] = [
    { allOf: [{ $ref: "#/definitions/Base" }, own] },
    { allOf: [own, { $ref: "#/definitions/Base" }] },
    { ...base, anyOf: [{ required: ["id"] }, { required: ["name"] }] },
    { ...base, if: { properties: { id: { const: "a" } }, required: ["size"] }, then: false },
    { type: "object", required: ["anything"] },
    {
      type: "object",
      required: ["id", "x1"],
      properties: { id: {} },
      patternProperties: { "^x": {} },
    },
  ];
  for (const node of nodes)
    assert.deepEqual(read(node, { Base: base }).warnings, [], JSON.stringify(node));
});

const browser = (commands: readonly object[]): string =>
  JSON.stringify({
    version: { major: "1", minor: "3" },
    domains: [{ domain: "Page", types: [], events: [], commands }],
  });

test("a CDP file is compared even if it is named protocol.json", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "old/protocol.json": browser([{ name: "load" }, { name: "stop" }]),
      "new/protocol.json": browser([{ name: "load" }]),
    });
    const names = ["old/protocol.json", "new/protocol.json"];
    const { status, stdout, stderr } = runCommand(folder, ["diff", ...names, "--protocol", "cdp"]);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /Page\.stop/);
    const generated = runCommand(folder, ["generate", "old/protocol.json"]);
    assert.equal(generated.status, 2);
    assert.match(generated.stderr, /^old.protocol\.json:1:1: Cannot use a schema as a protocol d/);
  });
});

test("a description with a fault is not taken for a schema", async () => {
  await withFolder(async (folder) => {
    writeFiles(folder, { "protocol.json": '{ "name": "a", "roles": ["a"], "definitions": {} }' });
    await assert.rejects(
      openProtocolSource(join(folder, "protocol.json"), "dap"),
      (error: InputError) => error.code === "ERR_DESCRIPTION",
    );
  });
});

const metaModel = "schemas/lsp/metaModel.json";

test(
  "an overlay may be a meta model or a JSON Schema with its own top-level keywords",
  { skip: skipWithout(metaModel) },
  async () => {
    await withFolder(async (folder) => {
      writeFiles(folder, {
        "fragment.json": JSON.stringify({
          requests: [
            {
              method: "rust-analyzer/memoryUsage",
              result: { kind: "base", name: "string" },
              messageDirection: "clientToServer",
            },
          ],
        }),
        "schema.json": JSON.stringify(overlay),
      });
      const overlays = ["fragment.json", "schema.json"].map((name) => join(folder, name));
      const protocol = await readProtocol("lsp", { schema: shared(metaModel)!, overlays });
      assert.ok(protocol.messages.some(({ name }) => name === "rust-analyzer/memoryUsage"));
      assert.ok(protocol.definitions.some(({ name }) => name === "PathMap"));
    });
  },
);
