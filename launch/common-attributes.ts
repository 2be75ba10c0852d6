import { readFileSync } from "node:fs";
import { platforms } from "../runtime/configuration/configuration-rules.js";
import { bundledSchemaFolder } from "../generator/base/bundled.js";
import { readJsonText } from "../generator/read/source/json-text.js";
import type { AnnotatedRules, AnnotatedSchemas } from "../generator/model/annotated-schema.js";
import type { ConfigurationSet } from "./configuration-set.js";
import { readValueSchema } from "./read-value-schema.js";

let common: AnnotatedSchemas | undefined;

/**
 * Returns the attributes that VS Code accepts for every debugger, in addition to those the debugger
 * defines.
 */
export function commonAttributes(): AnnotatedSchemas {
  return (common ??= readBundledSchema("configurations/common.json").properties!);
}

/** Reads a schema that ships with wirewright. */
export function readBundledSchema(path: string): AnnotatedRules {
  const file = readJsonText(readFileSync(new URL(path, bundledSchemaFolder), "utf8"), path);
  const context = { file, referred: new Map(), notes: [] };
  return readValueSchema(context, file.value, "") as AnnotatedRules;
}

/**
 * Returns the schema of a whole configuration: the debugger's own attributes combined with the
 * common attributes, as in editors.
 */
export function wholeSchema({ schema, type, request }: ConfigurationSet): AnnotatedRules {
  const properties: AnnotatedSchemas = {
    ...Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(
        ([name]) => !platforms.some((each) => each === name),
      ),
    ),
    ...commonAttributes(),
    type: { enum: [type] },
    request: { enum: [request] },
  };
  const { type: _type, request: _request, name: _name, ...replaceable } = properties;
  const platform: AnnotatedRules = {
    type: ["object"],
    properties: replaceable,
    additionalProperties: false,
  };
  return {
    ...schema,
    type: ["object"],
    properties: {
      ...properties,
      ...Object.fromEntries(platforms.map((each) => [each, platform])),
    },
    required: [...new Set(["name", "type", "request", ...(schema.required ?? [])])],
    additionalProperties: false,
  };
}
