import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readSchema } from "../support/compared-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";
import { fromRoot, root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";
import { withFolder, writeFiles } from "../support/compile.js";

const schemaOf = (q: Schema): Schema =>
  schemaWith({ schema: { type: "object", properties: { q }, required: ["q"] } }, "adapter");

const version = (q: Schema): Promise<Protocol> => readSchema(schemaOf(q));

const text = { type: "string" };
const pattern = (expression: string): Schema => ({ ...text, pattern: expression });

test("a slow pattern is not applied to long strings", async () => {
  const slow = pattern("^(([a-z])+.)+[A-Z]([a-z])+$");
  const list = { enum: ["a".repeat(60), "b".repeat(60)] };
  const start = performance.now();
  const [before, after] = [await version(list), await version(slow)];
  diffProtocols(before, after, { reader: "schema" });
  diffProtocols(after, before, { reader: "schema" });
  assert.ok(performance.now() - start < 5_000);
});

test("an invalid pattern is refused with its location", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "old.json": JSON.stringify(schemaOf(text)),
      "new.json": JSON.stringify(schemaOf(pattern("(")), null, 2),
    });
    const protocol = fromRoot("test/fixtures/elementary");
    const run = (...args: readonly string[]): unknown => {
      const { status, stderr } = runCommand(root, args);
      return [status, stderr.replaceAll(`${folder}/`, "")];
    };
    assert.deepEqual(
      run("diff", `${folder}/old.json`, `${folder}/new.json`, "--protocol", protocol),
      [
        2,
        'new.json:207:22 /definitions/Payload/properties/q/pattern: Cannot read "pattern": it must be a regular expression [ERR_SCHEMA]\n',
      ],
    );
  });
});
