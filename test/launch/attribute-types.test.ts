import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { generate } from "../../cli/index.js";
import { own } from "../support/configuration-packages.js";
import { fromRoot } from "../support/paths.js";

test("attribute types follow the schema and include its descriptions (UPDATE_GOLDEN=1 updates them)", async () => {
  const { files } = await generate("dap", { configuration: own });
  const text = files.get("configuration.ts")!;
  const start = text.indexOf('/** Sampler attributes for "launch". */');
  const end = text.indexOf('/** Sampler configuration for "launch"');
  const golden = fromRoot("test/golden/launch-attributes.txt");
  const attributes = `${text.slice(start, end).trim()}\n`;
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(golden, attributes);
  assert.equal(attributes, readFileSync(golden, "utf8"));
});
