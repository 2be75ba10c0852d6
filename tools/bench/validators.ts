/** Other validators, made from the same schema: the one against which our own are tested. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import AjvDraft04 from "ajv-draft-04";
import standalone from "ajv/dist/standalone/index.js";
import { Compile } from "typebox/compile";
import * as v from "valibot";
import * as dap from "@wirewright/dap/validators";
import { z } from "zod";
import { readProtocol, requestsOf } from "../../cli/index.js";
import { newestDapSchema } from "../../test/support/dap-versions.js";
import { normaliseSchema } from "../../test/support/normalised-schema.js";
import { fromRoot } from "../../test/support/paths.js";

type Node = { readonly [key: string]: unknown };

const schema = normaliseSchema(JSON.parse(readFileSync(newestDapSchema, "utf8")) as object);
const definitions = schema["definitions"] as Readonly<Record<string, Node>>;

/**
 * Returns the definition of the successful response, if there is one. All libraries validate against
 * the definition that a program would choose by `success`.
 */
export function successOf(definition: string): string {
  const success = definition.replace(/Response$/, "Success");
  return success in definitions ? success : definition;
}

/** A library. Its methods return functions for the definition with a given name. */
export interface Validator {
  isValid(definition: string): (value: unknown) => boolean;
  /** The function counts the issues that it lists: 0 for a valid value. */
  countIssues(definition: string): (value: unknown) => number;
}

const exported = dap as unknown as Readonly<Record<string, never>>;

export const wirewright: Validator = {
  isValid: (definition) => exported[`isValid${definition}`]!,
  countIssues(definition) {
    const validate: (value: unknown) => ReturnType<typeof dap.validate> =
      exported[`validate${definition}`]!;
    return (value) => {
      const result = validate(value);
      return result.ok ? 0 : result.issues.length;
    };
  },
};

type AjvFunction = ((value: unknown) => boolean) & { errors?: readonly unknown[] | null };

/** Generates ajv's standalone code for all definitions, and returns its path. */
function writeAjv(allErrors: boolean): string {
  const ajv = new AjvDraft04.default({
    allErrors,
    strict: false,
    validateFormats: false,
    code: { source: true, esm: true, optimize: 1 },
  });
  ajv.addSchema(schema, "dap");
  const exports = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, `dap#/definitions/${name}`]),
  );
  const code = (standalone as unknown as (ajv: unknown, exports: object) => string)(ajv, exports);
  const folder = fromRoot("build/tools/bench/ajv");
  mkdirSync(folder, { recursive: true });
  const path = `${folder}/${allErrors ? "all" : "first"}.mjs`;
  writeFileSync(path, code);
  return path;
}

/** Writes the code that a program needs around ajv's functions, and returns its path. */
export async function writeAjvSwitch(allErrors: boolean): Promise<string> {
  const protocol = await readProtocol("dap");
  const requests = requestsOf(protocol);
  const events = protocol.messages.filter(({ kind }) => kind === "event");
  const functions = writeAjv(allErrors);
  const cases = (
    field: string,
    messages: readonly { readonly name: string; readonly definition: string | undefined }[],
  ): string =>
    `switch (value.${field}) {${messages
      .map(({ name, definition }) => `case "${name}": return ajv.${successOf(definition!)}(value);`)
      .join(" ")}}`;
  const path = functions.replace(".mjs", "-switch.mjs");
  writeFileSync(
    path,
    `import * as ajv from "./${basename(functions)}";
export function validate(value) {
  if (typeof value !== "object" || value === null) return false;
  switch (value.type) {
    case "request":
      ${cases("command", requests)}
      return ajv.Request(value);
    case "response":
      if (value.success === false) return ajv.ErrorResponse(value);
      ${cases(
        "command",
        requests.map(({ name, responseDefinition }) => ({ name, definition: responseDefinition })),
      )}
      return ajv.Response(value);
    case "event":
      ${cases("event", events)}
      return ajv.Event(value);
  }
  return false;
}
`,
  );
  return path;
}

async function ajvFunctions(allErrors: boolean): Promise<(definition: string) => AjvFunction> {
  const functions = (await import(pathToFileURL(writeAjv(allErrors)).href)) as Readonly<
    Record<string, AjvFunction>
  >;
  return (definition) => functions[successOf(definition)]!;
}

const first = await ajvFunctions(false);
const all = await ajvFunctions(true);

export const ajv: Validator = {
  isValid: first,
  countIssues(definition) {
    const validate = all(definition);
    return (value) => (validate(value) ? 0 : validate.errors!.length);
  },
};

export const typebox: Validator = {
  isValid(definition) {
    const compiled = compileTypebox(definition);
    return (value) => compiled.Check(value);
  },
  countIssues(definition) {
    const compiled = compileTypebox(definition);
    return (value) => (compiled.Check(value) ? 0 : compiled.Errors(value).length);
  },
};

function compileTypebox(definition: string): ReturnType<typeof Compile> {
  const reference = { $ref: `#/definitions/${successOf(definition)}`, definitions };
  return Compile(reference as unknown as Parameters<typeof Compile>[0]);
}

const zodTypes = new Map<string, z.ZodType>();

export const zod: Validator = {
  isValid(definition) {
    const type = zodType(definition);
    return (value) => type.safeParse(value).success;
  },
  countIssues(definition) {
    const type = zodType(definition);
    return (value) => type.safeParse(value).error?.issues.length ?? 0;
  },
};

function zodType(definition: string): z.ZodType {
  return translate<z.ZodType>(
    successOf(definition),
    {
      any: () => z.unknown(),
      null: () => z.null(),
      boolean: () => z.boolean(),
      string: () => z.string(),
      number: (minimum, maximum) => z.number().min(minimum).max(maximum),
      // `int()` already refuses unsafe integers.
      integer: (minimum, maximum) =>
        z
          .int()
          .min(Math.max(minimum, Number.MIN_SAFE_INTEGER))
          .max(Math.min(maximum, Number.MAX_SAFE_INTEGER)),
      enum: (values) => z.literal(values as [string]),
      array: (items) => z.array(items),
      map: (values) => z.record(z.string(), values),
      union: (members) => z.union(members as [z.ZodType, z.ZodType]),
      object: (properties, required) =>
        z.looseObject(
          Object.fromEntries(
            [...properties].map(([key, type]) => [key, required.has(key) ? type : type.optional()]),
          ),
        ),
      lazy: (get) => z.lazy(get),
    },
    zodTypes,
  );
}

const valibotTypes = new Map<string, v.GenericSchema>();

export const valibot: Validator = {
  isValid(definition) {
    const type = valibotType(definition);
    return (value) => v.is(type, value);
  },
  countIssues(definition) {
    const type = valibotType(definition);
    return (value) => v.safeParse(type, value).issues?.length ?? 0;
  },
};

function valibotType(definition: string): v.GenericSchema {
  return translate<v.GenericSchema>(
    successOf(definition),
    {
      any: () => v.unknown(),
      null: () => v.null(),
      boolean: () => v.boolean(),
      string: () => v.string(),
      number: (minimum, maximum) =>
        v.pipe(v.number(), v.finite(), v.minValue(minimum), v.maxValue(maximum)),
      integer: (minimum, maximum) =>
        v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum)),
      enum: (values) => v.picklist(values as string[]),
      array: (items) => v.array(items),
      map: (values) => v.record(v.string(), values),
      union: (members) => v.union(members as v.GenericSchema[]),
      object: (properties, required) =>
        v.looseObject(
          Object.fromEntries(
            [...properties].map(([key, type]) => [
              key,
              required.has(key) ? type : v.optional(type),
            ]),
          ),
        ),
      lazy: (get) => v.lazy(get),
    },
    valibotTypes,
  );
}

/** Functions that create a library's types, one for each construct of the schema. */
interface Dialect<Type> {
  any(): Type;
  null(): Type;
  boolean(): Type;
  string(): Type;
  number(minimum: number, maximum: number): Type;
  integer(minimum: number, maximum: number): Type;
  enum(values: readonly (string | number | boolean)[]): Type;
  array(items: Type): Type;
  map(values: Type): Type;
  union(members: readonly Type[]): Type;
  object(properties: ReadonlyMap<string, Type>, required: ReadonlySet<string>): Type;
  lazy(get: () => Type): Type;
}

/** Translates a definition. Flattens `allOf`, the closest form that the libraries support. */
function translate<Type>(name: string, dialect: Dialect<Type>, types: Map<string, Type>): Type {
  const open = new Set<string>();
  const definitionType = (target: string): Type => {
    const type = types.get(target);
    if (type !== undefined) return type;
    if (open.has(target)) return dialect.lazy(() => types.get(target)!);
    open.add(target);
    const created = typeOf(definitions[target]!);
    types.set(target, created);
    return created;
  };
  const typeOf = (node: Node): Type => {
    if (typeof node["$ref"] === "string") return definitionType(node["$ref"].slice(14));
    if (Array.isArray(node["anyOf"])) return dialect.union((node["anyOf"] as Node[]).map(typeOf));
    if (Array.isArray(node["enum"])) return dialect.enum(node["enum"] as string[]);
    if ("allOf" in node || "properties" in node) return objectType(node);
    const { type, minimum, maximum } = node as {
      type?: unknown;
      minimum?: number;
      maximum?: number;
    };
    if (Array.isArray(type))
      return isAny(type)
        ? dialect.any()
        : dialect.union(type.map((each) => typeOf({ type: each as unknown })));
    switch (type) {
      case "null":
      case "boolean":
      case "string":
        return dialect[type]();
      case "integer":
      case "number":
        return dialect[type](minimum ?? -Infinity, maximum ?? Infinity);
      case "array":
        return dialect.array(typeOf(node["items"] as Node));
      case "object":
        return typeof node["additionalProperties"] === "object"
          ? dialect.map(typeOf(node["additionalProperties"] as Node))
          : dialect.object(new Map(), new Set());
      default:
        return dialect.any();
    }
  };
  const objectType = (node: Node): Type => {
    const properties = new Map<string, Node>();
    const required = new Set<string>();
    const collect = (part: Node): void => {
      if (typeof part["$ref"] === "string") collect(definitions[part["$ref"].slice(14)]!);
      for (const base of (part["allOf"] as Node[] | undefined) ?? []) collect(base);
      for (const [key, property] of Object.entries((part["properties"] ?? {}) as object))
        // A property of any type must not replace a stricter one of another part.
        if (!isAny((property as Node)["type"]) || !properties.has(key))
          properties.set(key, property as Node);
      for (const key of (part["required"] as string[] | undefined) ?? []) required.add(key);
    };
    collect(node);
    const types = [...properties].map(([key, property]) => [key, typeOf(property)] as const);
    return dialect.object(new Map(types), required);
  };
  return definitionType(name);
}

/** Returns whether a type lists all seven JSON types and therefore restricts nothing. */
function isAny(type: unknown): boolean {
  return Array.isArray(type) && type.length === 7;
}
