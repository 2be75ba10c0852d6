import { Faults } from "../../base/faults.js";
import { InputError, nearest, type InputErrorCode } from "../../base/input-error.js";
import type { Forgiven, Gate, Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonFile, type JsonObject } from "../source/json-text.js";
import { joinedFiles } from "../source/joined-files.js";
import { annotations, assertions, isNote } from "./keywords.js";
import { findResources, type Resources } from "./resources.js";

/** A schema with its overlays merged in: its raw definitions, and the source of each part. */
export interface SchemaFile {
  readonly root: Json;
  /** `definitions` or `$defs`. */
  readonly container: "definitions" | "$defs";
  readonly definitions: ReadonlyMap<string, Json>;
  /**
   * The other files that the user passed, as paths relative to the first, each with the JSON
   * Pointers of its definitions by name.
   */
  readonly joined: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly resources: Resources;
  /**
   * Reports a fault after which reading continues, so that `settle` or `fail` can report all faults
   * at once.
   */
  collect(code: InputErrorCode, message: string, pointer: string, hint?: string): void;
  /** Throws an InputError with all faults that were collected, if there are any. */
  settle(): void;
  /** Throws an InputError that is located at `pointer`, with all faults that were collected. */
  fail(code: InputErrorCode, message: string, pointer: string, hint?: string): never;
  /**
   * Reports an ignored keyword along with its location. With `strictSchema`, it is a fault.
   */
  warn(code: InputErrorCode, message: string, pointer: string, hint?: string): void;
  /** Reports something that is not a fault, even with `strictSchema`. */
  note(code: InputErrorCode, message: string, pointer: string, hint?: string): void;
}

/** How to report the ignored parts of a schema. */
export interface WarningOptions {
  /** Called once for each warning. */
  readonly onWarning?: (warning: InputError) => void;
  /** Whether warnings are errors. Default: false. */
  readonly strictSchema?: boolean;
}

/**
 * Schema keywords that mark the cases in which a lenient reader substitutes another value, one
 * keyword per case.
 */
type ForgivingKeywords = { readonly [what in Forgiven]?: string };

/** Facts about definitions and properties, as stated by a description and its overlays. */
export interface Notes {
  /** The gates of properties, keyed by address: `Definition/property/...`. */
  readonly gates: ReadonlyMap<string, Gate>;
  readonly defaults: ReadonlyMap<string, Json>;
  /** Keywords that the specification states only in words. */
  readonly limits: ReadonlyMap<string, JsonObject>;
  readonly extensible: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
  readonly forgives: ForgivingKeywords;
  /**
   * How to read a schema without `type` whose keywords apply only to objects or arrays. With
   * `meant`, it accepts only objects or arrays. With `exact`, it also accepts values of other
   * types, as the specification requires.
   */
  readonly untyped: "meant" | "exact";
  /**
   * Whether a value may match several alternatives of `oneOf`, for schemas that use it like
   * `anyOf`.
   */
  readonly overlapping: boolean;
  /** Whether values must match their formats. */
  readonly formats: boolean;
}

/** The notes to use for a schema that has no description. */
export const noNotes: Notes = {
  gates: new Map(),
  defaults: new Map(),
  limits: new Map(),
  extensible: new Set(),
  annotations: new Set(),
  forgives: {},
  untyped: "meant",
  overlapping: false,
  formats: false,
};

/**
 * Opens a protocol's schema: finds its definitions and checks its root.
 *
 * @param source The paths of joined files, and faults to report together with those of the schema.
 */
export function openSchema(
  file: JsonFile,
  ownAnnotations: ReadonlySet<string>,
  options: WarningOptions = {},
  source: { readonly joined?: readonly string[]; readonly faults?: Faults } = {},
): SchemaFile {
  const { joined = [], faults } = source;
  const free = openFreeSchema(file, options, faults);
  const { root, fail } = free;
  if (!isJsonObject(root))
    return fail("ERR_SCHEMA", "Cannot read a schema that is not an object", "");
  const containers = (["definitions", "$defs"] as const).filter((key) => Object.hasOwn(root, key));
  if (containers.length !== 1) {
    fail(
      "ERR_SCHEMA",
      containers.length === 0
        ? "Cannot find any definitions: this JSON Schema does not describe a protocol"
        : 'Cannot read both "definitions" and "$defs"',
      "",
      'Put all types into one object, "definitions" or "$defs"',
    );
  }
  warnOfUnknown(free, root, "", ownAnnotations);
  for (const keyword of ownAnnotations)
    if (assertions.has(keyword))
      free.warn(
        "ERR_KEYWORD",
        `Ignored "${keyword}" everywhere: it is listed under "annotations", but it decides which values are valid`,
        "",
        'Remove it from "annotations", unless validators are meant to accept what the schema forbids',
      );
  const container = containers[0]!;
  const raw = root[container];
  if (!isJsonObject(raw))
    return fail("ERR_SCHEMA", `Cannot read "${container}": it must be an object`, `/${container}`);
  return {
    ...free,
    container,
    definitions: new Map(Object.entries(raw)),
    joined: new Map(joined.map((path) => [path, pointersIn(root, path)])),
  };
}

/** Returns the JSON Pointers of the definitions in a joined file, by name. */
function pointersIn(root: JsonObject, path: string): ReadonlyMap<string, string> {
  const file = (root[joinedFiles] as JsonObject | undefined)?.[path];
  return new Map(
    (["definitions", "$defs"] as const).flatMap((container) => {
      const definitions = isJsonObject(file) ? file[container] : undefined;
      return Object.keys(isJsonObject(definitions) ? definitions : {}).map((name) => [
        name,
        joinPointer("", joinedFiles, path, container, name),
      ]);
    }),
  );
}

/**
 * Opens a schema whose root is a type. Its definitions receive names only if something references
 * them.
 */
export function openFreeSchema(
  file: JsonFile,
  { onWarning, strictSchema = false }: WarningOptions = {},
  faults: Faults = new Faults(),
): SchemaFile {
  const collect: SchemaFile["collect"] = (code, message, pointer, hint) =>
    faults.add(code, message, file.locate(pointer), hint);
  const settle = (): void => faults.settle();
  const fail: SchemaFile["fail"] = (...fault) => {
    collect(...fault);
    // This throws, because there is at least one fault.
    return settle() as never;
  };
  const reported = new Set<string>();
  const note: SchemaFile["note"] = (code, message, pointer, hint) => {
    const key = `${pointer} ${message}`;
    if (onWarning === undefined || reported.has(key)) return;
    reported.add(key);
    onWarning(new InputError(code, message, file.locate(pointer), hint));
  };
  let resources: Resources;
  try {
    resources = findResources(file.value, file.name);
  } catch {
    fail("ERR_SCHEMA", 'Cannot read "$id": it must be a URI', "");
  }
  return {
    root: file.value,
    container: "$defs",
    definitions: new Map(),
    joined: new Map(),
    resources: resources!,
    collect,
    settle,
    fail,
    note,
    warn(...fault) {
      if (strictSchema) collect(...fault);
      else note(...fault);
    },
  };
}

/** Warns about keywords that are neither known nor declared as annotations. */
export function warnOfUnknown(
  schema: SchemaFile,
  node: JsonObject,
  pointer: string,
  ownAnnotations: ReadonlySet<string>,
): void {
  for (const key of Object.keys(node)) {
    if (assertions.has(key) || annotations.has(key) || ownAnnotations.has(key) || isNote(key))
      continue;
    const guess = nearest(key, [...assertions, ...annotations]);
    schema.warn(
      "ERR_KEYWORD",
      `Ignored the unknown keyword "${key}"`,
      joinPointer(pointer, key),
      guess === undefined
        ? 'If it does not affect the structure, list it under "annotations" in the description\'s schema or in an overlay'
        : `Did you mean "${guess}"?`,
    );
  }
}
