import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deferred } from "../../../runtime/base/promises.js";
import { files } from "../../base/files.js";
import { InputError } from "../../base/input-error.js";
import type { Fact } from "../../model/protocol.js";
import { readDomains } from "./cdp.js";
import { readMetaModel } from "./lsp-metamodel.js";
import { checkReadSchema } from "./check-read-schema.js";
import type {
  ReadSchema,
  RefuseSchema,
  SchemaFault,
  SchemaPlace,
  SchemaReader,
} from "./schema-format.js";
import type { JsonFile } from "../source/json-text.js";

/**
 * The result of reading documents in a schema language: a single JSON Schema, and the messages that
 * the documents list.
 */
export interface FormattedSchema {
  /**
   * The JSON Schema that contains the definitions. Errors point to the document that each part
   * comes from.
   */
  readonly file: JsonFile;
  readonly messages: Pick<ReadSchema, "requests" | "events">;
  readonly version?: string;
  readonly unstated: readonly Fact[];
}

/** Readers for languages other than JSON Schema, keyed by the name that descriptions use. */
const readers: ReadonlyMap<string, SchemaReader> = new Map<string, SchemaReader>([
  ["lsp-metamodel", readMetaModel],
  ["cdp", readDomains],
]);

/**
 * Reads documents with the reader for their language.
 *
 * @param format Name of the language, or path of a module that exports `readSchema`.
 * @param roles The roles that may send messages.
 * @throws InputError with a location in a document or in the module.
 */
export async function readFormat(
  documents: readonly JsonFile[],
  format: string,
  roles: readonly string[],
): Promise<FormattedSchema> {
  const [first] = documents;
  const own = readers.get(format);
  const read = own ?? (await loadReader(format));
  const locate = (place: SchemaPlace = ""): ReturnType<JsonFile["locate"]> =>
    typeof place === "string"
      ? first!.locate(place)
      : (documents[place.document] ?? first!).locate(place.pointer);
  const refuse: RefuseSchema = (fault) => {
    const { message, place, hint } = Object(fault) as SchemaFault;
    if (typeof message !== "string")
      throw new TypeError(
        "refuse was called without a message: its argument must be { message, place?, hint? }",
      );
    throw new InputError("ERR_SCHEMA", message, locate(place), hint);
  };
  let schema: ReadSchema;
  try {
    const reading = read(
      documents.map(({ name, value }) => ({ name, value })),
      refuse,
    );
    schema = await (own === undefined ? untilIdle(reading, format) : reading);
  } catch (error) {
    if (error instanceof InputError || own !== undefined) throw error;
    const { within, ...at } = placeOfThrow(error, format);
    throw new InputError(
      "ERR_READER",
      `The reader threw${within === undefined ? "" : ` in ${within}`}: ${error instanceof Error ? error.message : String(error)}`,
      { file: format, ...at },
      "To report an error in a document, a reader must call its second argument",
    );
  }
  if (own === undefined) checkReadSchema(schema, format, roles);
  const { definitions, requests, events, version, unstated = [], places = {} } = schema;
  return {
    file: {
      name: first!.name,
      value: { definitions },
      locate: (pointer) => ({ ...locate(nearestPlace(pointer, places)), pointer }),
    },
    messages: { requests, events },
    unstated,
    ...(version === undefined ? {} : { version }),
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
  return { ...(within === undefined ? {} : { within }), line: +line, column: +column! };
}

/**
 * Finds the location of a part. If the reader did not report it, returns the location of the
 * closest enclosing part.
 */
function nearestPlace(
  pointer: string,
  places: NonNullable<ReadSchema["places"]>,
): SchemaPlace | undefined {
  for (let prefix = pointer; prefix !== ""; prefix = prefix.slice(0, prefix.lastIndexOf("/")))
    if (Object.hasOwn(places, prefix)) return places[prefix];
  return undefined;
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
