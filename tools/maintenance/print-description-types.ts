import { fileURLToPath } from "node:url";
import { toolFolder } from "../../generator/base/bundled.js";
import { printSchemaTypes, readSchema } from "./schema-types.js";
import type { JsonObject } from "./schema-nodes.js";

/** The file that declares the types of descriptions. */
export const descriptionTypesPath: string = fileURLToPath(
  new URL("generator/read/description/description-types.ts", toolFolder),
);

/** The file that declares the types of session rule tables. */
export const ruleTypesPath: string = fileURLToPath(
  new URL("sessions/judge/table/rule-table.ts", toolFolder),
);

/**
 * Prints the types of `protocol.json`, extensions and overlays, as defined by their JSON Schemas.
 * Only the schemas contain the descriptions, because these types are not public.
 */
export async function printDescriptionTypes(): Promise<string> {
  const protocol = readSchema("protocol");
  return printSchemaTypes({
    path: descriptionTypesPath,
    name: "Description",
    schema: withoutTexts({
      ...protocol,
      definitions: {
        ...(protocol["definitions"] as JsonObject),
        extension: readSchema("extension"),
        overlay: readSchema("overlay"),
      },
    }),
    head: `// Generated from protocol.schema.json, extension.schema.json and overlay.schema.json in
// schema/formats, which describe each property. Do not edit: run \`npm run generate\`.

import type { Json } from "../../model/types.js";
`,
  });
}

function withoutTexts(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
  return JSON.parse(text) as JsonObject;
}

/** Prints the types of `session-rules.json`. */
export async function printRuleTypes(): Promise<string> {
  return printSchemaTypes({
    path: ruleTypesPath,
    name: "RuleTable",
    schema: readSchema("session-rules"),
    more: readSchema("protocol")["definitions"] as JsonObject,
    head: `// Generated from schema/formats/session-rules.schema.json. Do not edit: run \`npm run generate\`.
`,
  });
}
