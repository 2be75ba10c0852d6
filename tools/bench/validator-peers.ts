/** Other validators, which use the same normalised schema. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import AjvDraft04 from "ajv-draft-04";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { Compile } from "typebox/compile";
import * as v from "valibot";
import { z } from "zod";
import { fromRoot } from "../../test/support/paths.js";
import { definitions, schema, successOf, translate } from "./schema-dialect.js";

/** A validator library. Its methods return functions for the definition with a given name. */
export interface Peer {
  readonly name: string;
  isValid(definition: string): (value: unknown) => boolean;
  countIssues?(definition: string): (value: unknown) => number;
}

type Validate = ((value: unknown) => boolean) & { errors?: readonly unknown[] | null };

function newAjv(
  allErrors: boolean,
  code: object,
  compiled: object = schema,
): InstanceType<typeof AjvDraft04.default> {
  const ajv = new AjvDraft04.default({
    allErrors,
    strict: false,
    validateFormats: false,
    code,
  });
  ajv.addSchema(compiled, "dap");
  return ajv;
}

export function ajvAtRunTime(allErrors: boolean): Peer {
  const ajv = newAjv(allErrors, { optimize: 1 });
  const of = (definition: string): Validate =>
    ajv.getSchema(`dap#/definitions/${successOf(definition)}`) as Validate;
  return fromAjv("ajv at run time", of);
}

/**
 * Writes the code that ajv generates for some or all definitions, and returns its path.
 *
 * @param closed A schema that rejects unknown fields, to be used instead of the normal schema.
 */
export function writeStandalone(
  allErrors: boolean,
  only?: readonly string[],
  closed?: object,
): string {
  const ajv = newAjv(allErrors, { source: true, esm: true, optimize: 1 }, closed);
  const names = only ?? Object.keys(definitions);
  const exports = Object.fromEntries(names.map((name) => [name, `dap#/definitions/${name}`]));
  const generate = standalone as unknown as (ajv: unknown, exports: object) => string;
  // The only thing the code imports is a helper that counts characters, which the schema does not
  // need.
  const code = generate(ajv, exports);
  const folder = fromRoot("build/tools/bench/generated");
  mkdirSync(folder, { recursive: true });
  const name = `${closed === undefined ? "" : "closed-"}${allErrors ? "all" : "first"}`;
  const path = `${folder}/ajv-${name}-${only?.join("-") ?? "dap"}.mjs`;
  writeFileSync(path, code);
  return path;
}

export async function ajvStandalone(allErrors: boolean): Promise<Peer> {
  const module = (await import(pathToFileURL(writeStandalone(allErrors)).href)) as Record<
    string,
    Validate
  >;
  return fromAjv("ajv standalone", (definition) => module[successOf(definition)]!);
}

function fromAjv(name: string, of: (definition: string) => Validate): Peer {
  return {
    name,
    isValid: of,
    countIssues(definition) {
      const validate = of(definition);
      return (value) => (validate(value) ? 0 : validate.errors!.length);
    },
  };
}

export function typebox(): Peer {
  return {
    name: "TypeBox",
    isValid(definition) {
      const compiled = compileTypebox(definition);
      return (value) => compiled.Check(value);
    },
    countIssues(definition) {
      const compiled = compileTypebox(definition);
      return (value) => (compiled.Check(value) ? 0 : [...compiled.Errors(value)].length);
    },
  };
}

function compileTypebox(definition: string): ReturnType<typeof Compile> {
  return Compile({
    $ref: `#/definitions/${successOf(definition)}`,
    definitions,
  } as unknown as Parameters<typeof Compile>[0]);
}

/** Validates with typia, if typia's checks have been generated (see the folder `typia`). */
export async function typia(): Promise<Peer | undefined> {
  const source = fromRoot("tools/bench/typia/output/checks.ts");
  if (!existsSync(source)) return undefined;
  const outfile = fromRoot("build/tools/bench/generated/typia.mjs");
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    tsconfigRaw: {},
    logLevel: "error",
  });
  type Check = (value: unknown) => { errors?: readonly unknown[] };
  const module = (await import(pathToFileURL(outfile).href)) as Readonly<Record<string, unknown>>;
  return {
    name: "typia",
    isValid: (definition) => module[`is${successOf(definition)}`] as (value: unknown) => boolean,
    countIssues(definition) {
      const validate = module[`validate${successOf(definition)}`] as Check;
      return (value) => validate(value).errors?.length ?? 0;
    },
  };
}

export function zod(): Peer {
  const known = new Map<string, z.ZodType>();
  return {
    name: "zod",
    isValid(definition) {
      const type = zodType(known, successOf(definition));
      return (value) => type.safeParse(value).success;
    },
    countIssues(definition) {
      const type = zodType(known, successOf(definition));
      return (value) => type.safeParse(value).error?.issues.length ?? 0;
    },
  };
}

function zodType(known: Map<string, z.ZodType>, definition: string): z.ZodType {
  return translate<z.ZodType>(
    definition,
    {
      any: () => z.unknown(),
      null: () => z.null(),
      boolean: () => z.boolean(),
      string: () => z.string(),
      number: (least, greatest) => z.number().min(least).max(greatest),
      // `int()` already checks the safe integer range.
      integer: (least, greatest) =>
        z
          .int()
          .min(Math.max(least, Number.MIN_SAFE_INTEGER))
          .max(Math.min(greatest, Number.MAX_SAFE_INTEGER)),
      oneOf: (values) => z.literal(values as [string]),
      list: (items) => z.array(items),
      map: (values) => z.record(z.string(), values),
      anyOf: (members) => z.union(members as [z.ZodType, z.ZodType]),
      object: (properties, required) =>
        z.looseObject(
          Object.fromEntries(
            [...properties].map(([key, type]) => [key, required.has(key) ? type : type.optional()]),
          ),
        ),
      late: (get) => z.lazy(get),
    },
    known,
  );
}

export function valibot(): Peer {
  const known = new Map<string, v.GenericSchema>();
  return {
    name: "valibot",
    isValid(definition) {
      const type = valibotType(known, successOf(definition));
      return (value) => v.is(type, value);
    },
    countIssues(definition) {
      const type = valibotType(known, successOf(definition));
      return (value) => v.safeParse(type, value).issues?.length ?? 0;
    },
  };
}

function valibotType(known: Map<string, v.GenericSchema>, definition: string): v.GenericSchema {
  return translate<v.GenericSchema>(
    definition,
    {
      any: () => v.unknown(),
      null: () => v.null(),
      boolean: () => v.boolean(),
      string: () => v.string(),
      number: (least, greatest) =>
        v.pipe(v.number(), v.finite(), v.minValue(least), v.maxValue(greatest)),
      integer: (least, greatest) =>
        v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(greatest)),
      oneOf: (values) => v.picklist(values as string[]),
      list: (items) => v.array(items),
      map: (values) => v.record(v.string(), values),
      anyOf: (members) => v.union(members as v.GenericSchema[]),
      object: (properties, required) =>
        v.looseObject(
          Object.fromEntries(
            [...properties].map(([key, type]) => [
              key,
              required.has(key) ? type : v.optional(type),
            ]),
          ),
        ),
      late: (get) => v.lazy(get),
    },
    known,
  );
}
