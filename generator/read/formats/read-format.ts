import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deferred } from "../../../runtime/base/promises.js";
import { files } from "../../base/files.js";
import { InputError, nearest } from "../../base/input-error.js";
import type { Fact } from "../../model/protocol.js";
import type { SchemaSource } from "../description/draft.js";
import type { WarningOptions } from "../schema/schema-file.js";
import { readDomains } from "./cdp.js";
import { readMetaModel } from "./lsp-metamodel.js";
import type {
  ReadSchema,
  RefuseSchema,
  SchemaFault,
  SchemaPlace,
  SchemaReader,
} from "./schema-format.js";
import { nearestPlace, type JsonFile } from "../source/json-text.js";

/** Readers for languages other than JSON Schema, keyed by the name that descriptions use. */
const readers: ReadonlyMap<string, SchemaReader> = new Map<string, SchemaReader>([
  ["lsp-metamodel", readMetaModel],
  ["cdp", readDomains],
]);

/**
 * Reads a source with the reader for its language. Returns a single JSON Schema, whose parts can be
 * located in the documents that they come from, and the messages that the documents list.
 *
 * @param format Name of the language, or path of a module that exports `readSchema`.
 * @param roles The roles that may send messages.
 * @throws InputError with a location in a document or in the module.
 */
export async function readFormat(
  { file, others = [], ...source }: SchemaSource,
  format: string,
  roles: readonly string[],
  { onWarning, strictSchema = false }: WarningOptions = {},
): Promise<SchemaSource> {
  const documents = [file, ...others];
  const bundledReader = readers.get(format);
  const read = bundledReader ?? (await loadReader(format));
  const locate = (place: SchemaPlace = ""): ReturnType<JsonFile["locate"]> =>
    typeof place === "string"
      ? file.locate(place)
      : (documents[place.document] ?? file).locate(place.pointer);
  const inputError = (fault: SchemaFault): InputError => {
    const { message, place, hint } = Object(fault) as SchemaFault;
    if (typeof message !== "string")
      throw new TypeError(
        "refuse was called without a message: its argument must be { message, place?, hint? }",
      );
    return new InputError("ERR_SCHEMA", message, locate(place), hint);
  };
  const refuse: RefuseSchema = (fault, ...others) => {
    throw InputError.ofAll([inputError(fault), ...others.map(inputError)]);
  };
  let schema: ReadSchema;
  try {
    const reading = read(
      documents.map(({ name, value }) => ({ name, value })),
      refuse,
    );
    schema = await (bundledReader === undefined ? untilIdle(reading, format) : reading);
  } catch (error) {
    if (error instanceof InputError || bundledReader !== undefined) throw error;
    const { within, ...position } = placeOfThrow(error, format);
    throw new InputError(
      "ERR_READER",
      `The reader threw${within === undefined ? "" : ` in ${within}`}: ${error instanceof Error ? error.message : String(error)}`,
      { file: format, ...position },
      "To report an error in a document, a reader must call its second argument",
    );
  }
  if (bundledReader === undefined) checkReadSchema(schema, format, roles);
  const { definitions, requests, events, places = {}, warnings = [] } = schema;
  const [warning, ...more] = warnings.map(
    ({ message, place, hint }) => new InputError("ERR_KEYWORD", message, locate(place), hint),
  );
  if (warning !== undefined && strictSchema) throw InputError.ofAll([warning, ...more]);
  for (const each of warning === undefined ? [] : [warning, ...more]) onWarning?.(each);
  const placeOf = new Map(Object.entries(places));
  return {
    file: {
      name: file.name,
      value: { definitions },
      locate: (pointer) => ({ ...locate(nearestPlace(placeOf, pointer)?.[1]), pointer }),
    },
    messages: { requests, events },
    version: schema.version ?? source.version,
    unstated: [...source.unstated, ...(schema.unstated ?? [])],
  };
}

/**
 * Waits for a reader's result. Rejects if the event loop runs empty, because the reader's promise
 * can then never settle.
 */
async function untilIdle<T>(reading: T | Promise<T>, reader: string): Promise<T> {
  const idle = deferred<never>();
  const stop = (): void =>
    idle.reject(
      new InputError("ERR_READER", "The reader does not complete: its promise never settles", {
        file: reader,
      }),
    );
  process.once("beforeExit", stop);
  try {
    return await Promise.race([reading, idle.promise]);
  } finally {
    process.off("beforeExit", stop);
  }
}

/**
 * Finds where in a module an error was thrown: the line, column and function of the innermost stack
 * frame in the module.
 */
function placeOfThrow(
  error: unknown,
  module: string,
): { readonly within?: string; readonly line?: number; readonly column?: number } {
  const url = pathToFileURL(resolve(module)).href;
  const stack = error instanceof Error ? String(error.stack).split("\n") : [];
  const frame = stack.find((line) => /^\s+at /.test(line) && line.includes(`${url}:`));
  const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame ?? "") ?? [];
  if (line === undefined) return {};
  const within = /^\s+at (?:async )?([\w$.]+) \(/.exec(frame!)?.[1];
  return { within, line: +line, column: +column! };
}

async function loadReader(path: string): Promise<SchemaReader> {
  const fail = (why: string): never => {
    throw new InputError(
      "ERR_READER",
      `Cannot load the reader: ${why}`,
      { file: path },
      "A reader must be a module that exports the function readSchema(documents, refuse)",
    );
  };
  if (!files.exists(path)) return fail("there is no such file");
  let loaded: { readonly readSchema?: unknown };
  try {
    loaded = (await import(pathToFileURL(resolve(path)).href)) as typeof loaded;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  return typeof loaded.readSchema === "function"
    ? (loaded.readSchema as SchemaReader)
    : fail("it does not export readSchema");
}

/**
 * Checks the structure of the result returned by a user's reader.
 *
 * @param reader Path of the reader.
 * @param roles The roles that may send messages.
 * @throws InputError `ERR_READER`, with a message that describes the problem.
 */
export function checkReadSchema(
  schema: unknown,
  reader: string,
  roles: readonly string[],
): asserts schema is ReadSchema {
  const fail = (what: string): never => {
    throw new InputError(
      "ERR_READER",
      `Cannot use the reader result: ${what}`,
      { file: reader },
      "It must return { definitions, requests, events }",
    );
  };
  if (!isObject(schema)) return fail("it is not an object");
  const unknown = Object.keys(schema).find((key) => !schemaKeys.has(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, schemaKeys);
    fail(
      `it has the unknown key "${unknown}"${meant === undefined ? "" : ` (did you mean "${meant}"?)`}`,
    );
  }
  if (containsItself(schema)) fail("it contains itself");
  for (const part of ["definitions", "requests", "events"]) {
    const listed = schema[part];
    if (!isObject(listed)) return fail(`"${part}" is not an object`);
    for (const [name, each] of Object.entries(listed))
      if (!isObject(each) && !(part === "definitions" && typeof each === "boolean"))
        fail(`"${name}" in "${part}" is not an object`);
  }
  for (const part of ["requests", "events"])
    for (const [name, each] of Object.entries(schema[part] as Record<string, object>))
      for (const [key, value] of Object.entries(each)) {
        const types = messageKeys.get(key);
        if (types === undefined || (part === "events" && ofRequests.has(key)))
          fail(`"${name}" has the unknown key "${key}"`);
        else if (!types.includes(typeof value) || value === null)
          fail(`"${key}" in "${name}" must be ${types.join(" or ")}`);
        else if (key === "sender" && value !== "both" && !roles.includes(value as string))
          fail(`"${name}" is sent by "${value}", but must be sent by ${roles.join(", ")} or both`);
      }
  if (schema["version"] !== undefined && typeof schema["version"] !== "string")
    fail('"version" is not a string');
  const { unstated = [] } = schema;
  if (!Array.isArray(unstated) || !unstated.every((fact) => facts.has(fact as string)))
    fail(`"unstated" is not an array of facts: ${[...facts].join(", ")}`);
  if (schema["places"] !== undefined && !isObject(schema["places"]))
    fail('"places" is not an object');
  const { warnings = [] } = schema;
  if (
    !Array.isArray(warnings) ||
    !warnings.every((each) => isObject(each) && typeof each["message"] === "string")
  )
    fail('"warnings" is not an array of { message, place?, hint? }');
}

function containsItself(schema: object): boolean {
  try {
    JSON.stringify(schema);
    return false;
  } catch {
    return true;
  }
}

const schemaKeys: ReadonlySet<string> = new Set<keyof ReadSchema>([
  "definitions",
  "requests",
  "events",
  "version",
  "unstated",
  "places",
  "warnings",
]);

/** The keys that a message may have, and the types of their values. */
const messageKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ["sender", ["string"]],
  ["arguments", ["object", "boolean"]],
  ["result", ["object", "boolean"]],
  ["partialResult", ["string"]],
  ["errorData", ["string"]],
  ["optional", ["boolean"]],
  ["capability", ["string"]],
  ["senderCapability", ["string"]],
  ["registration", ["object"]],
  ["docs", ["string"]],
  ["deprecated", ["string"]],
]);

const facts: ReadonlySet<string> = new Set<Fact>([
  "integers",
  "ranges",
  "extras",
  "docs",
  "deprecation",
  "discriminators",
  "open-values",
  "gates",
]);

const ofRequests: ReadonlySet<string> = new Set(["result", "partialResult", "errorData"]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
