import { InputError, nearest, type InputErrorCode } from "../../base/input-error.js";
import type { Forgiven, Gate, Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";

/** A JSON object of a schema. */
export type SchemaObject = { readonly [key: string]: Json };

/** A schema with merged overlays: its raw definitions, and the source of each part. */
export interface SchemaFile {
  readonly root: SchemaObject;
  /** `definitions` or `$defs`. */
  readonly container: "definitions" | "$defs";
  readonly definitions: ReadonlyMap<string, Json>;
  /** Throws an InputError with the place of `pointer`. */
  fail(code: InputErrorCode, message: string, pointer: string, hint?: string): never;
}

/** Keywords that mark the cases in which a lenient reader substitutes another value. */
export type ForgivingKeywords = { readonly [what in Forgiven]?: string };

/** What a description and overlays say about definitions and properties. */
export interface Notes {
  /** By property address, `Definition/property/...`. */
  readonly gates: ReadonlyMap<string, Gate>;
  readonly defaults: ReadonlyMap<string, Json>;
  readonly extensible: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
  readonly forgives: ForgivingKeywords;
  /** Whether texts may have patterns. No validator checks them, so only versions that are compared may. */
  readonly patterns: boolean;
}

/** Keywords that may stand at the root of a schema beside its definitions. */
const rootKeywords = new Set([
  "$schema",
  "$id",
  "id",
  "$comment",
  "title",
  "description",
  "type",
  "definitions",
  "$defs",
  // The description states which definitions are messages.
  "anyOf",
  "oneOf",
]);

/** Opens a schema: finds its definitions and checks its root. */
export function openSchema(file: JsonFile, annotations: ReadonlySet<string>): SchemaFile {
  const fail = (code: InputErrorCode, message: string, pointer: string, hint?: string): never => {
    throw new InputError(code, message, file.locate(pointer), hint);
  };
  const root = file.value;
  if (!isJsonObject(root)) return fail("ERR_SCHEMA", "Cannot read a schema that is no object", "");
  for (const key of Object.keys(root)) {
    if (!rootKeywords.has(key) && !annotations.has(key)) {
      fail(
        "ERR_KEYWORD",
        `Cannot read keyword "${key}" at the root: the model has no place for it`,
        joinPointer("", key),
        keywordHint(key, rootKeywords),
      );
    }
  }
  const containers = (["definitions", "$defs"] as const).filter((key) => Object.hasOwn(root, key));
  if (containers.length !== 1) {
    fail(
      "ERR_SCHEMA",
      containers.length === 0
        ? "Cannot find any definitions"
        : 'Cannot read both "definitions" and "$defs"',
      "",
      'Put all types into one object, "definitions" or "$defs"',
    );
  }
  const container = containers[0]!;
  const raw = root[container];
  if (!isJsonObject(raw))
    return fail("ERR_SCHEMA", `Cannot read "${container}": it must be an object`, `/${container}`);
  return { root, container, definitions: new Map(Object.entries(raw)), fail };
}

/** The hint for an unknown keyword: the likely spelling, or how to declare the keyword harmless. */
export function keywordHint(keyword: string, known: Iterable<string>): string {
  const guess = nearest(keyword, known);
  if (guess !== undefined) return `Did you mean "${guess}"?`;
  return `Remove it, or list it under schema.annotations of the description if it carries no structure`;
}
