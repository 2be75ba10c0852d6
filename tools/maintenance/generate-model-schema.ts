import { writeTextFile } from "../../generator/output/write-output.js";
import { modelSchemaPath, printModelSchema } from "./print-model-schema.js";

await writeTextFile(modelSchemaPath, await printModelSchema());
