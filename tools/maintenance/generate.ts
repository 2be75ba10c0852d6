/**
 * Writes everything that is derived from other files: the types of our own formats, the JSON Schema
 * of the model, the packages, the reference pages, and the reports on the packages' declarations.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeTextFile } from "../../generator/output/write-output.js";
import { fromRoot, root } from "../../test/support/paths.js";
import {
  descriptionTypesPath,
  printDescriptionTypes,
  printRuleTypes,
  ruleTypesPath,
} from "./print-description-types.js";
import { modelSchemaPath, printModelSchema } from "./print-model-schema.js";

/** Tests that write what they compare if `UPDATE_GOLDEN` is set. */
const updating = ["docs/pages/reference", "generated/api-reports"];

function run(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [fromRoot(script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, UPDATE_GOLDEN: "1" },
  });
  if (status !== 0) process.exit(status ?? 1);
}

await writeTextFile(descriptionTypesPath, await printDescriptionTypes());
await writeTextFile(ruleTypesPath, await printRuleTypes());
if (existsSync(fromRoot("tools/maintenance/model-schema/node_modules")))
  await writeTextFile(modelSchemaPath, await printModelSchema());
else
  console.error(
    `${modelSchemaPath}: not written. Install what it needs: npm ci --prefix tools/maintenance/model-schema`,
  );
run("node_modules/typescript/bin/tsc", "-b", "cli");
run("build/cli/main.js", "generate");
run("node_modules/typescript/bin/tsc", "-b");
run("build/test/run.js", ...updating);
