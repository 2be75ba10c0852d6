import { writeTextFile } from "../../generator/output/write-output.js";
import {
  descriptionTypesPath,
  printDescriptionTypes,
  printRuleTypes,
  ruleTypesPath,
} from "./print-description-types.js";

await writeTextFile(descriptionTypesPath, await printDescriptionTypes());
await writeTextFile(ruleTypesPath, await printRuleTypes());
