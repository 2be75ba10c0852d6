import { InputError } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject } from "../generator/read/source/json-text.js";
import type { ConfigurationSet, ConfigurationSource } from "./configuration-set.js";
import { wholeSchema } from "./common-attributes.js";
import { schemaJson } from "./schema-json.js";

const draft = "http://json-schema.org/draft-07/schema#";

/**
 * Returns a debugger's schema for Zed's debug.json. A Zed extension lists it under
 * `debug_adapter_schemas`. Zed itself adds the properties that it needs, such as `adapter` and
 * `label`.
 */
export function zedSchema(source: ConfigurationSource, type: string): Json {
  const sets = source.sets.filter((set) => set.type === type);
  const members = sets.map((set): Json => {
    const { definitions = {}, ...own } = set.schema;
    const {
      properties,
      required,
      additionalProperties: _closed,
      ...rest
    } = object(own, definitions, set, source);
    return {
      type: "object",
      ...rest,
      required: ["request", ...((required as string[] | undefined) ?? [])],
      properties: { request: { const: set.request }, ...(properties as object | undefined) },
    };
  });
  return {
    $schema: draft,
    ...(members.length === 1 ? (members[0] as object) : { oneOf: members }),
  };
}

/**
 * Returns the schema of a whole launch.json, for editors that do not provide one, such as Neovim
 * with nvim-dap. The file may also contain configurations for other debuggers.
 */
export function launchFileSchema(source: ConfigurationSource): Json {
  const rules = source.sets.map((set) => {
    const { definitions = {}, ...own } = wholeSchema(set);
    return {
      if: {
        required: ["type", "request"],
        properties: { type: { const: set.type }, request: { const: set.request } },
      },
      then: object(own, definitions, set, source),
    };
  });
  const text = { type: "string" };
  return {
    $schema: draft,
    type: "object",
    required: ["version", "configurations"],
    properties: {
      $schema: text,
      version: { const: "0.2.0" },
      configurations: {
        type: "array",
        items: {
          type: "object",
          required: ["type", "request", "name"],
          properties: {
            type: { anyOf: [{ enum: [...new Set(source.sets.map((set) => set.type))] }, text] },
            request: { enum: ["launch", "attach"] },
            name: text,
          },
          allOf: rules,
        },
      },
      compounds: { type: "array" },
      inputs: { type: "array" },
    },
  };
}

function object(
  schema: ConfigurationSet["schema"],
  definitions: NonNullable<ConfigurationSet["schema"]["definitions"]>,
  set: ConfigurationSet,
  source: ConfigurationSource,
): { readonly [key: string]: Json } {
  const json = schemaJson(schema, definitions);
  if (isJsonObject(json)) return json;
  throw new InputError(
    "ERR_REF_CYCLE",
    "Cannot write a schema that refers to itself",
    source.locate(set.pointer),
  );
}
