import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  descriptionTypesPath,
  printDescriptionTypes,
  printRuleTypes,
  ruleTypesPath,
} from "../../tools/maintenance/print-description-types.js";

test('the types of descriptions match their JSON Schemas (update them with "npm run generate")', async () => {
  const printed = await printDescriptionTypes();
  assert.equal(readFileSync(descriptionTypesPath, "utf8"), printed);
  for (const name of ["Description", "Extension", "Overlay", "DescribedRequest", "Gates"])
    assert.match(printed, new RegExp(`^export interface ${name} \\{$`, "m"));
});

test('the types of rule tables match their JSON Schema (update them with "npm run generate")', async () => {
  const printed = await printRuleTypes();
  assert.equal(readFileSync(ruleTypesPath, "utf8"), printed);
  const types = [...printed.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(
    types.filter((name) => /\d$/.test(name!)),
    [],
    "a definition has one type",
  );
});
