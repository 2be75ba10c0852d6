import { readFileSync } from "node:fs";
import type { ConfigurationTable } from "../../runtime/configuration/configuration-schema.js";
import type { ValueRules, ValueSchemas } from "../../runtime/configuration/value-schema.js";
import { bundledSchemaFolder } from "../base/bundled.js";
import { readJsonText } from "../read/source/json-text.js";
import { rulesOf, type AnnotatedRules, type AnnotatedSchemas } from "./annotated-schema.js";
import { requestNames, type ConfigurationSet, type RequestName } from "./configuration-set.js";
import { readValueSchema } from "./read-value-schema.js";

const path = "configurations/common.json";

let common: AnnotatedSchemas | undefined;

/** Attributes that VS Code adds to those of every debugger. */
export function commonAttributes(): AnnotatedSchemas {
  return (common ??= readCommon());
}

function readCommon(): AnnotatedSchemas {
  const file = readJsonText(readFileSync(new URL(path, bundledSchemaFolder), "utf8"), path);
  const context = { file, referred: new Map(), notes: [] };
  return (readValueSchema(context, file.value, "") as AnnotatedRules).properties!;
}

/** The rules of attributes that VS Code adds, by name. */
export function commonRules(): ValueSchemas {
  return Object.fromEntries(
    Object.entries(commonAttributes()).map(([name, each]) => [name, rulesOf(each)]),
  );
}

/** The rules of sets, by request, as the packages carry them. */
export function configurationTables(
  sets: readonly ConfigurationSet[],
): ReadonlyMap<RequestName, ConfigurationTable> {
  return new Map(
    requestNames.map((request) => [
      request,
      {
        request,
        common: commonRules(),
        types: Object.fromEntries(
          sets
            .filter((set) => set.request === request)
            .map(({ type, schema }) => [type, rulesOf(schema) as ValueRules]),
        ),
      },
    ]),
  );
}
