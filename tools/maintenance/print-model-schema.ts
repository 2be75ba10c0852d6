import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { toolFolder } from "../../generator/base/bundled.js";

/** The JSON Schema for the output of `wirewright model`. */
export const modelSchemaPath: string = inTool("schema/formats/model.schema.json");

const generatorFolder = inTool("tools/maintenance/model-schema/");

/** The reason why the schema cannot be printed here, or false if it can. */
export const cannotPrintModelSchema: string | false = existsSync(`${generatorFolder}node_modules`)
  ? false
  : "needs npm ci --prefix tools/maintenance/model-schema";

/** The part of the ts-json-schema-generator API used here. */
interface SchemaGenerator {
  createGenerator(config: object): { createSchema(type: string): object };
}

/** Prints the model's JSON Schema, derived from its types. */
export async function printModelSchema(): Promise<string> {
  const { createGenerator } = createRequire(generatorFolder)(
    "ts-json-schema-generator",
  ) as SchemaGenerator;
  const schema = createGenerator({
    path: inTool("generator/model/model-document.ts"),
    tsconfig: inTool("tsconfig.json"),
    skipTypeCheck: true,
    encodeRefs: false,
    jsDoc: "extended",
  }).createSchema("ModelDocument");
  return format(JSON.stringify(schema), {
    ...(await resolveConfig(modelSchemaPath)),
    filepath: modelSchemaPath,
  });
}

function inTool(path: string): string {
  return fileURLToPath(new URL(path, toolFolder));
}
