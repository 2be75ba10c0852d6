/**
 * Edits to models. Each field in the model schema is changed or removed wherever it occurs in a
 * model.
 */
import { readFileSync } from "node:fs";
import type { Protocol } from "../../generator/model/protocol.js";
import { fromRoot } from "./paths.js";

type Json = null | boolean | number | string | Json[] | Fields;
interface Fields {
  [name: string]: Json;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

const { definitions } = JSON.parse(
  readFileSync(fromRoot("schema/formats/model.schema.json"), "utf8"),
) as {
  definitions: Record<string, Schema>;
};

const protocolSchema = definitions["ModelDocument"]!.properties!["protocol"]!;

type Path = readonly (string | number)[];

/** The location of a field in a model. */
export interface FieldPlace {
  /** The node type and the field name: `StringType.pattern`, `Check also.type`. */
  readonly field: string;
  readonly path: Path;
  readonly schema: Schema;
  readonly isOptional: boolean;
}

/** Lists the fields of one kind of node, leaving out those with a constant value. */
export function fieldsOf(name: string, schema: Schema): readonly string[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((each) => (each.$ref === undefined ? fieldsOf(name, each) : []));
  const kind = schema.properties?.["kind"]?.const;
  const owner = name === "Check" ? `Check ${kind as string}` : name;
  return Object.entries(schema.properties ?? {})
    .filter(([, each]) => each.const === undefined)
    .map(([field]) => `${owner}.${field}`);
}

/** The names of all fields that a model can have. */
export const modelFields: readonly string[] = [
  ...fieldsOf("Protocol", protocolSchema),
  ...Object.entries(definitions)
    .filter(([name]) => name !== "ModelDocument")
    .flatMap(([name, schema]) => fieldsOf(name, schema)),
];

/** Lists the fields of a model's nodes in document order. */
export function* placesIn(protocol: Protocol): Generator<FieldPlace> {
  yield* walk(plain(protocol) as unknown as Json, protocolSchema, "Protocol", []);
}

function plain(protocol: Protocol): Protocol {
  const { code: _code, ...rest } = protocol;
  return JSON.parse(JSON.stringify(rest)) as Protocol;
}

function* walk(value: Json, schema: Schema, name: string, path: Path): Generator<FieldPlace> {
  if (schema.$ref !== undefined) {
    const target = schema.$ref.slice("#/definitions/".length);
    if (target !== "Json") yield* walk(value, definitions[target]!, target, path);
    return;
  }
  if (schema.anyOf !== undefined) {
    const match = schema.anyOf.find((each) => isOf(value, each));
    if (match !== undefined) yield* walk(value, match, name, path);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (schema.items !== undefined) yield* walk(item, schema.items, name, [...path, index]);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (schema.properties === undefined) {
    const { additionalProperties: each } = schema;
    for (const [key, item] of Object.entries(value))
      if (typeof each === "object") yield* walk(item, each, name, [...path, key]);
    return;
  }
  const owner = name === "Check" ? `Check ${value["kind"] as string}` : name;
  for (const [key, item] of Object.entries(value)) {
    const own = schema.properties[key];
    if (own === undefined) continue;
    const isOptional = schema.required?.includes(key) !== true;
    const place = [...path, key];
    if (own.const === undefined)
      yield { field: `${owner}.${key}`, path: place, schema: own, isOptional };
    yield* walk(item, own, `${owner}.${key}`, place);
  }
}

/** Returns whether a value matches a schema, judged only by kinds and field names. */
function isOf(value: Json, schema: Schema): boolean {
  const target = schema.$ref === undefined ? schema : definitions[schema.$ref.slice(14)]!;
  if (target.anyOf !== undefined) return target.anyOf.some((each) => isOf(value, each));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return target.type === typeof value;
  if (target.type !== "object") return false;
  const kind = target.properties?.["kind"];
  if (kind !== undefined)
    return kind.const === value["kind"] || kind.enum?.includes(value["kind"]!) === true;
  return (target.required ?? []).every((name) => name in value);
}

/** A copy of the model with one field changed, removed or shortened. */
export interface ModelEdit {
  readonly what: "changed" | "removed" | "shortened";
  readonly protocol: Protocol;
}

/** Lists the possible edits to a field. */
export function* editsOf(protocol: Protocol, place: FieldPlace): Generator<ModelEdit> {
  const { path, schema, isOptional } = place;
  const value = path.reduce<Json>(
    (node, key) => (node as Fields)[key]!,
    protocol as unknown as Json,
  );
  // Skip this edit: an object that allows other properties of any type is equivalent to one that
  // does not mention them.
  const hasNoEffect = place.field === "ObjectType.others" && (value as Fields)["kind"] === "any";
  if (isOptional && !hasNoEffect)
    yield { what: "removed", protocol: edited(protocol, path, () => undefined) };
  const target = schema.$ref === undefined ? schema : definitions[schema.$ref.slice(14)]!;
  if (Array.isArray(value)) {
    if (value.length > 0)
      yield { what: "shortened", protocol: edited(protocol, path, () => value.slice(0, -1)) };
    return;
  }
  const changed = changedValue(protocol, place.field, value, target, schema.$ref ?? "");
  if (changed !== undefined)
    yield { what: "changed", protocol: edited(protocol, path, () => changed) };
}

function changedValue(
  protocol: Protocol,
  field: string,
  value: Json,
  schema: Schema,
  ref: string,
): Json | undefined {
  if (ref.endsWith("/Type"))
    return (value as Fields)["kind"] === "null" ? { kind: "boolean" } : { kind: "null" };
  if (ref.endsWith("/Json")) return value === "other" ? "another" : "other";
  if (schema.enum !== undefined) return schema.enum.find((each) => each !== value);
  switch (typeof value) {
    case "boolean":
      return value ? false : true;
    case "number":
      return value + 1;
    case "string": {
      if (/\.(sender|role)$/.test(field))
        return protocol.roles.find((role) => role !== value) ?? null;
      if (!protocol.definitions.some(({ name }) => name === value)) return `${value}X`;
      return protocol.definitions.find(
        ({ name, type }) => name !== value && type.kind === "object" && type.properties.length > 2,
      )!.name;
    }
    default: {
      if (value === null || Array.isArray(value)) return undefined;
      if (schema.properties !== undefined) return undefined;
      const [first] = Object.keys(value);
      if (first === undefined) return undefined;
      const { [first]: _, ...rest } = value;
      return rest;
    }
  }
}

/** Returns a copy of the model with a different value at one path. All other parts are shared. */
function edited(protocol: Protocol, path: Path, change: () => Json | undefined): Protocol {
  const edit = (node: Json, [key, ...rest]: Path): Json => {
    const old = (node as Fields)[key!]!;
    const now = rest.length === 0 ? change() : edit(old, rest);
    if (Array.isArray(node)) return node.map((item, index) => (index === key ? now! : item));
    if (now !== undefined) return { ...(node as Fields), [key!]: now };
    const { [key!]: _, ...others } = node as Fields;
    return others;
  };
  return edit(protocol as unknown as Json, path) as unknown as Protocol;
}
