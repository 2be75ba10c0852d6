import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  descriptionTypesPath,
  printDescriptionTypes,
} from "../../tools/maintenance/print-description-types.js";

test("the types of descriptions are what their JSON Schemas say: npm run generate:description", async () => {
  const printed = await printDescriptionTypes();
  assert.equal(readFileSync(descriptionTypesPath, "utf8"), printed);
  for (const name of ["Description", "Extension", "Overlay", "DescribedRequest", "Gates"])
    assert.match(printed, new RegExp(`^export interface ${name} \\{$`, "m"));
});
