import { platforms } from "../runtime/configuration/configuration-rules.js";
import { InputError } from "../generator/base/input-error.js";
import type { ConfigurationAttributes, Configurations } from "../generator/model/configurations.js";
import { isIdentifier, pascalCase } from "../generator/model/names.js";
import type { ObjectType } from "../generator/model/types.js";
import { mapSchema, type AnnotatedRules } from "../generator/model/annotated-schema.js";
import { commonAttributes } from "./common-attributes.js";
import type { ConfigurationSet, ConfigurationSource } from "./configuration-set.js";
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
export function modelCommon(): Configurations["common"] {
  const { type: _type, request: _request, ...properties } = commonAttributes();
  const schema: AnnotatedRules = {
    type: ["object"],
    properties,
    required: ["name"],
    additionalProperties: false,
  };
  const { types } = typesOfSchemas({ common: { type: ["object"], properties } }, undefined, {});
  return { schema: schema, attributes: types["common"] as ObjectType };
}

/** @param name Prefix for the names of the types in the set. */
export function modelSet(
  set: ConfigurationSet,
  name: string,
  source: Pick<ConfigurationSource, "locate">,
): ConfigurationAttributes {
  const { type, request, label } = set;
  const { definitions, ...schema } = withoutWrongDefaults(set.schema);
  const { docs: _docs, deprecated: _deprecated, ...rules } = schema;
  const { type: _type, additionalProperties: _closed, ...rest } = rules;
  const replaced = new Set<string>([...Object.keys(commonAttributes()), ...platforms]);
  const properties = Object.fromEntries(
    Object.entries(rest.properties ?? {}).filter(([key]) => !replaced.has(key)),
  );
  const required = (rest.required ?? []).filter((key) => !replaced.has(key));
  const { properties: _properties, required: _required, ...others } = rest;
  const attributes: AnnotatedRules = { type: ["object"], properties, required };
  const { types, definitions: named } = typesOfSchemas(
    { attributes, ...(Object.keys(others).length === 0 ? {} : { rest: others }) },
    definitions,
    source.locate(set.pointer),
  );
  const printed = {
    ...schema,
    ...attributes,
    additionalProperties: false,
    ...(definitions === undefined ? {} : { definitions }),
  };
  return {
    type,
    request,
    ...(label === undefined ? {} : { label }),
    name,
    schema: printed,
    attributes: types["attributes"] as ObjectType,
    patterns: Object.keys(schema.patternProperties ?? {}),
    ...(types["rest"] === undefined ? {} : { rest: types["rest"] }),
    definitions: named,
  };
}

/** Copies a schema without its invalid defaults, which must never be applied. */
function withoutWrongDefaults(schema: AnnotatedRules): AnnotatedRules {
  const { definitions = {} } = schema;
  return mapSchema(schema, (rules) => {
    const { default: given, ...rest } = rules;
    if (given === undefined) return rules;
    const checked = { ...rest, definitions: { ...definitions, ...rest.definitions } };
    return issuesOf(checked, given, 1).length === 0 ? rules : rest;
  }) as AnnotatedRules;
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
