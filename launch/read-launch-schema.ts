import { InputError } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import {
  isJsonObject,
  joinPointer,
  type JsonFile,
  type JsonObject,
} from "../generator/read/source/json-text.js";
import { isEditorAttribute } from "./common-attributes.js";
import {
  requestNames,
  type ConfigurationSet,
  type ConfigurationSource,
  type SourceNote,
} from "./configuration-set.js";
import { flattenObject } from "./flatten-schema.js";
import { definitionsIn, readValueSchema } from "./read-value-schema.js";
import { requiredIn, schemasIn } from "./schema-parts.js";

/**
 * Reads configurations from a schema. Each object with constant strings for `type` and `request` is
 * a set of attributes.
 *
 * @throws InputError with the location of the part that cannot be read.
 */
export function readLaunchSchema(file: JsonFile): ConfigurationSource {
  const notes: SourceNote[] = [];
  const referred = definitionsIn(file.value, "");
  const sets: ConfigurationSet[] = [];
  const places = [
    { schema: file.value, at: "" },
    ...["oneOf", "anyOf"].flatMap((key) => membersOf(file.value, key)),
    ...[...referred.values()].map(({ schema, at }) => ({ schema, at })),
  ];
  for (const { schema, at } of places) {
    const attributes = isJsonObject(schema) ? withoutTopLevel(schema, at) : undefined;
    if (attributes === undefined) continue;
    const read = readValueSchema({ file, referred, notes }, attributes, at);
    const set = isJsonObject(read) ? setOf(read, at) : undefined;
    if (set === undefined) continue;
    if (sets.some((other) => other.type === set.type && other.request === set.request))
      throw new InputError(
        "ERR_SCHEMA",
        `Found two sets of attributes for "${set.type}" and "${set.request}"; only one is supported`,
        file.locate(at),
      );
    sets.push(set);
  }
  if (sets.length === 0)
    throw new InputError(
      "ERR_SCHEMA",
      "Cannot find any configuration attributes",
      file.locate(""),
      'Give objects a constant "type" and "request": "type": { "const": "my-debugger" }, "request": { "const": "launch" }',
    );
  return {
    file: file.name,
    sets,
    offered: [],
    // Remove duplicate warnings: a definition is read once for every set that refers to it.
    notes: notes.filter(
      (note, index) =>
        notes.findIndex(
          ({ message, place }) => message === note.message && place.pointer === note.place.pointer,
        ) === index,
    ),
    inputs: [file.name],
    locate: (pointer) => file.locate(pointer),
  };
}

function membersOf(
  schema: Json,
  key: string,
): readonly { readonly schema: Json; readonly at: string }[] {
  const members = isJsonObject(schema) ? schema[key] : undefined;
  return Array.isArray(members)
    ? members.map((member: Json, index) => ({ schema: member, at: joinPointer("", key, index) }))
    : [];
}

/**
 * Finds the part of a schema that might be a set of attributes, or returns undefined if there is
 * none. References and the root's alternatives are skipped here, because they are read separately.
 */
function withoutTopLevel(schema: { readonly [key: string]: Json }, at: string): Json | undefined {
  if (at !== "") return schema["$ref"] === undefined ? schema : undefined;
  const { oneOf: _oneOf, anyOf: _anyOf, ...own } = schema;
  return own["properties"] === undefined ? undefined : own;
}

function setOf(read: JsonObject, pointer: string): ConfigurationSet | undefined {
  const { definitions, ...rules } = read;
  const flat = flattenObject(rules, definitions);
  const {
    properties: _properties,
    required: _required,
    additionalProperties: _closed,
    type: _type,
    description: _description,
    ...rest
  } = flat;
  const properties = schemasIn(flat, "properties");
  const type = fixedText(properties["type"]);
  const request = requestNames.find((name) => name === fixedText(properties["request"]));
  if (type === undefined || request === undefined) return undefined;
  const required = requiredIn(flat).filter((name) => !isEditorAttribute(name));
  const schema = {
    ...rest,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !isEditorAttribute(name)),
    ),
    ...(definitions === undefined ? {} : { definitions }),
  };
  return { type, request, schema, pointer };
}

function fixedText(schema: Json | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const [only, ...others] = (
    schema["const"] === undefined ? (schema["enum"] ?? []) : [schema["const"]]
  ) as readonly Json[];
  return typeof only === "string" && others.length === 0 ? only : undefined;
}
