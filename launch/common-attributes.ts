import { readFileSync } from "node:fs";
import { platforms } from "../runtime/configuration/configuration-rules.js";
import { bundledSchemaFolder } from "../generator/base/bundled.js";
import type { JsonObject } from "../generator/read/source/json-text.js";
import type { ConfigurationSet } from "./configuration-set.js";
import { requiredIn, schemasIn } from "./schema-parts.js";

let common: JsonObject | undefined;

/**
 * Returns the attributes that VS Code accepts for every debugger, in addition to those the debugger
 * defines.
 */
export function commonAttributes(): JsonObject {
  return (common ??= schemasIn(readBundledSchema("configurations/common.json"), "properties"));
}

/** Reads a schema that ships with wirewright. */
export function readBundledSchema(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(path, bundledSchemaFolder), "utf8")) as JsonObject;
}

/** Returns whether the editor defines an attribute, whatever the debugger says about it. */
export function isEditorAttribute(name: string): boolean {
  return Object.hasOwn(commonAttributes(), name) || platforms.some((each) => each === name);
}

/**
 * Returns the schema of a whole configuration: the debugger's own attributes combined with the
 * common attributes, as in editors.
 */
export function wholeSchema({ schema, type, request }: ConfigurationSet): JsonObject {
  const attributes = Object.entries(schemasIn(schema, "properties"));
  const properties = {
    ...Object.fromEntries(attributes.filter(([name]) => !isEditorAttribute(name))),
    ...commonAttributes(),
    type: { enum: [type] },
    request: { enum: [request] },
  };
  const { type: _type, request: _request, name: _name, ...replaceable } = properties as JsonObject;
  const platform = { type: "object", properties: replaceable, additionalProperties: false };
  return {
    ...schema,
    type: "object",
    properties: {
      ...properties,
      ...Object.fromEntries(platforms.map((each) => [each, platform])),
    },
    required: [...new Set(["name", "type", "request", ...requiredIn(schema)])],
    additionalProperties: false,
  };
}
