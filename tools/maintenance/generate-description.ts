import { writeTextFile } from "../../generator/output/write-output.js";
import { descriptionTypesPath, printDescriptionTypes } from "./print-description-types.js";

await writeTextFile(descriptionTypesPath, await printDescriptionTypes());
