import { InputError } from "../generator/base/input-error.js";
import type { ConfigurationAttributes, Configurations } from "../generator/model/configurations.js";
import { isIdentifier, pascalCase } from "../generator/model/names.js";
import type { ObjectType } from "../generator/model/types.js";
import type { JsonObject } from "../generator/read/source/json-text.js";
import { commonAttributes, isEditorAttribute } from "./common-attributes.js";
import type { ConfigurationSet, ConfigurationSource } from "./configuration-set.js";
import { mapSchema, requiredIn, schemasIn } from "./schema-parts.js";
import { issuesOf, typesOfSchemas } from "./schema-types.js";

/**
 * Reads configurations into the model.
 *
 * @throws InputError `ERR_NAME` or `ERR_NAME_COLLISION` if a debug type cannot be converted to a
 * type name.
 */
export function modelConfigurations(source: ConfigurationSource): Configurations {
  const names = new Map<string, ConfigurationSet>();
  const sets = source.sets.map((set) => {
    const name = nameOf(set, source);
    const other = names.get(name);
    if (other !== undefined)
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot use the same type names for "${set.type}" and "${other.type}": ${name}`,
        source.locate(set.pointer),
        "Rename one of the debuggers",
      );
    names.set(name, set);
    return modelSet(set, name, source);
  });
  return { common: modelCommon(), sets };
}

/** Returns the common attributes, which editors accept for every debug type. */
export function modelCommon(): ObjectType {
  const { type: _type, request: _request, ...properties } = commonAttributes();
  const common = { type: "object", properties, required: ["name"] };
  return typesOfSchemas({ common }, undefined, {}).types["common"] as ObjectType;
}

/** @param name Prefix for the names of the types in the set. */
export function modelSet(
  set: ConfigurationSet,
  name: string,
  source: Pick<ConfigurationSource, "locate">,
): ConfigurationAttributes {
  const { type, request, label } = set;
  const {
    definitions,
    description: _description,
    deprecated: _deprecated,
    deprecationMessage: _message,
    type: _type,
    additionalProperties: _closed,
    properties,
    required: _required,
    ...others
  } = withoutWrongDefaults(set.schema);
  const attributes = {
    type: "object",
    properties: Object.fromEntries(
      Object.entries((properties ?? {}) as JsonObject).filter(([key]) => !isEditorAttribute(key)),
    ),
    required: requiredIn(set.schema).filter((key) => !isEditorAttribute(key)),
  };
  const { types, definitions: named } = typesOfSchemas(
    { attributes, ...(Object.keys(others).length === 0 ? {} : { rest: others }) },
    definitions,
    source.locate(set.pointer),
  );
  return {
    type,
    request,
    ...(label === undefined ? {} : { label }),
    name,
    attributes: types["attributes"] as ObjectType,
    patterns: Object.keys(schemasIn(set.schema, "patternProperties")),
    ...(types["rest"] === undefined ? {} : { rest: types["rest"] }),
    definitions: named,
  };
}

/** Copies a schema without its invalid defaults, which must never be applied. */
function withoutWrongDefaults(schema: JsonObject): JsonObject {
  const { definitions = {} } = schema;
  return mapSchema(schema, (rules) => {
    const { default: given, ...rest } = rules;
    const isWrong = given !== undefined && issuesOf({ ...rest, definitions }, given, 1).length > 0;
    return isWrong ? rest : rules;
  }) as JsonObject;
}

/**
 * Returns the prefix for the names of a set's types. Letters that follow digits are capitalized, as
 * in emitted types.
 */
function nameOf({ type, request, pointer }: ConfigurationSet, source: ConfigurationSource): string {
  const name = pascalCase(`${type}-${request}`)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .replaceAll(/\d+[a-z]/g, (part) => part.toUpperCase());
  if (isIdentifier(name) && name !== pascalCase(request)) return name;
  throw new InputError(
    "ERR_NAME",
    `Cannot derive type names from the debugger "${type}"`,
    source.locate(pointer),
    "Use Latin letters and digits, beginning with a letter",
  );
}
