import { posix } from "node:path";
import { setField } from "../runtime/base/own-fields.js";
import { InputError, nearest, type InputErrorCode } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer, type JsonFile } from "../generator/read/source/json-text.js";
import type {
  AnnotatedRules,
  AnnotatedSchema,
  AnnotatedSchemas,
  ValueType,
} from "../generator/model/annotated-schema.js";
import type { SourceNote } from "./configuration-set.js";
import { annotationKeywords, docsOf, keywordShapes } from "./schema-keywords.js";

type SchemaObject = { readonly [key: string]: Json };

/** The file that contains a schema, along with the schemas that its references may point to. */
export interface SchemaContext {
  readonly file: Pick<JsonFile, "locate">;
  /** The schemas that references may point to, by file and JSON Pointer. */
  readonly referred: ReadonlyMap<
    string,
    {
      readonly name: string;
      readonly schema: Json;
      readonly at: string;
      /** Path relative to the first file. Set only if the schema is in another file. */
      readonly base?: string;
      readonly file?: Pick<JsonFile, "locate">;
    }
  >;
  readonly notes: SourceNote[];
}

const typeNames: readonly ValueType[] = [
  ...(["array", "boolean", "integer", "null", "number", "object", "string"] as const),
];

/** Keywords whose value is a single schema. */
const schemaKeywords: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "items",
  "not",
  "propertyNames",
]);

/**
 * Reads and normalizes a schema of any draft, including VS Code's keywords.
 *
 * @throws InputError `ERR_SCHEMA`, `ERR_KEYWORD` or `ERR_REF` with the location.
 */
export function readValueSchema(context: SchemaContext, value: Json, at: string): AnnotatedSchema {
  return new SchemaReader(context).root(value, at);
}

/** Returns a schema's definitions, keyed by the pointers that references use. */
export function definitionsIn(schema: Json, at: string): SchemaContext["referred"] {
  const found = new Map<string, { name: string; schema: Json; at: string }>();
  for (const key of ["definitions", "$defs"]) {
    const definitions = isJsonObject(schema) ? schema[key] : undefined;
    if (!isJsonObject(definitions)) continue;
    for (const [name, definition] of Object.entries(definitions))
      found.set(`#${joinPointer("", key, name)}`, {
        name,
        schema: definition,
        at: joinPointer(at, key, name),
      });
  }
  return found;
}

/**
 * Resolves a reference to the path of a file, relative to the manifest, followed by `#` and a
 * pointer.
 */
export function targetOf(text: string, from: string): string {
  const [path = "", pointer = ""] = text.split("#", 2);
  const file = path === "" ? from : posix.join(posix.dirname(from), path);
  return `${file}#${pointer}`;
}

class SchemaReader {
  readonly #context: SchemaContext;
  readonly #definitions = new Map<string, AnnotatedSchema | undefined>();
  /** The file being read, and its path relative to the first file. */
  #file: Pick<JsonFile, "locate">;
  #base = "";

  constructor(context: SchemaContext) {
    this.#context = context;
    this.#file = context.file;
  }

  root(value: Json, at: string): AnnotatedSchema {
    const schema = this.#read(value, at);
    if (typeof schema === "boolean" || this.#definitions.size === 0) return schema;
    const definitions = Object.fromEntries(this.#definitions) as AnnotatedSchemas;
    return { ...schema, definitions };
  }

  #fail(code: InputErrorCode, text: string, at: string, hint?: string): never {
    throw new InputError(code, text, this.#file.locate(at), hint);
  }

  #note(message: string, at: string, hint?: string): void {
    const place = this.#file.locate(at);
    this.#context.notes.push({ place, message, ...(hint === undefined ? {} : { hint }) });
  }

  #read(value: Json, at: string): AnnotatedSchema {
    if (typeof value === "boolean") return value;
    if (!isJsonObject(value)) {
      // Editors accept and ignore values here that are not schemas, so only report a warning.
      const hint = typeNames.some((each) => each === value)
        ? `Did you mean { "type": "${String(value)}" }?`
        : undefined;
      this.#note("This has no effect: a schema must be an object, true or false", at, hint);
      return true;
    }
    const rules: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(value)) this.#keyword(rules, value, key, part, at);
    this.#describe(rules, value);
    return rules as AnnotatedRules;
  }

  #keyword(
    rules: Record<string, unknown>,
    schema: SchemaObject,
    key: string,
    value: Json,
    at: string,
  ): void {
    const place = joinPointer(at, key);
    const shape = keywordShapes.get(key);
    if (shape === undefined) return this.#unknown(key, place);
    const fault = shape(value);
    // Ignore keywords with invalid values, as editors do.
    if (fault !== undefined) {
      const isType = schemaKeywords.has(key) && typeNames.some((each) => each === value);
      const hint = isType ? `Did you mean { "type": "${String(value)}" }?` : undefined;
      return this.#note(`The keyword "${key}" has no effect: it must be ${fault}`, place, hint);
    }
    switch (key) {
      case "type":
        rules["type"] = this.#types(value, place);
        break;
      case "$ref":
        rules["$ref"] = this.#reference(value as string, place);
        break;
      case "items":
        if (Array.isArray(value)) rules["prefixItems"] = this.#list(value, place);
        else rules["items"] = this.#read(value, place);
        break;
      case "additionalItems":
        if (Array.isArray(schema["items"])) rules["items"] = this.#read(value, place);
        break;
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        this.#exclusive(rules, schema, key, value);
        break;
      case "minimum":
      case "maximum":
        // In draft 4, a boolean marks a bound as exclusive.
        if (schema[`exclusiveM${key.slice(1)}`] !== true) rules[key] = value;
        break;
      case "dependencies":
        this.#dependencies(rules, value as SchemaObject, place);
        break;
      case "properties":
      case "patternProperties":
      case "dependentSchemas":
        rules[key] = { ...(rules[key] as object), ...this.#map(value as SchemaObject, place) };
        break;
      case "dependentRequired":
        rules[key] = { ...(rules[key] as object), ...(value as object) };
        break;
      case "allOf":
      case "anyOf":
      case "oneOf":
      case "prefixItems":
        rules[key] = this.#list(value as readonly Json[], place);
        break;
      case "contains":
      case "additionalProperties":
      case "propertyNames":
      case "not":
      case "if":
      case "then":
      case "else":
        rules[key] = this.#read(value, place);
        break;
      default:
        if (!annotationKeywords.has(key) || key === "default") rules[key] = value;
    }
  }

  #unknown(key: string, at: string): void {
    if (annotationKeywords.has(key) || key.startsWith("//") || key.startsWith("x-")) return;
    if (key === "unevaluatedProperties" || key === "unevaluatedItems" || key.startsWith("$dynamic"))
      this.#fail(
        "ERR_KEYWORD",
        `Cannot read the keyword "${key}"`,
        at,
        'Use "additionalProperties" or "additionalItems"',
      );
    const meant = nearest(key, keywordShapes.keys());
    this.#note(
      `The keyword "${key}" is unknown and has no effect`,
      at,
      meant === undefined ? undefined : `Did you mean "${meant}"?`,
    );
  }

  #types(value: Json, at: string): readonly string[] {
    const names = Array.isArray(value) ? (value as string[]) : [value as string];
    for (const name of names)
      if (!typeNames.some((each) => each === name)) {
        const meant = nearest(name, typeNames) ?? { int: "integer", float: "number" }[name];
        this.#fail(
          "ERR_SCHEMA",
          `Cannot read the type "${name}"`,
          at,
          meant === undefined ? `Types: ${typeNames.join(", ")}` : `Did you mean "${meant}"?`,
        );
      }
    return names;
  }

  #reference(text: string, at: string): string {
    const target = this.#context.referred.get(targetOf(text, this.#base));
    if (target === undefined)
      return this.#fail(
        "ERR_REF",
        `Cannot find "${text}"`,
        at,
        text.startsWith("#")
          ? (nearest(text, this.#context.referred.keys()) ??
              "Define it under definitions in the same schema")
          : "Refer to a file, or to a definition in a file: shared.json#/definitions/Name",
      );
    const { name } = target;
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, undefined);
      const [file, base] = [this.#file, this.#base];
      // In another file, a local reference points to a definition in that same file.
      [this.#file, this.#base] = [target.file ?? this.#context.file, target.base ?? ""];
      this.#definitions.set(name, this.#read(target.schema, target.at));
      [this.#file, this.#base] = [file, base];
      this.#refuseCycle(name, at);
    }
    return name;
  }

  /** Rejects a definition that does nothing but refer to itself. */
  #refuseCycle(name: string, at: string): void {
    const seen = new Set<string>();
    for (let next: string | undefined = name; next !== undefined;) {
      if (seen.has(next))
        this.#fail("ERR_REF", `Cannot read "${name}": its definition refers to itself`, at);
      seen.add(next);
      const schema: AnnotatedSchema | undefined = this.#definitions.get(next);
      next = typeof schema === "object" ? schema.$ref : undefined;
    }
  }

  #exclusive(rules: Record<string, unknown>, schema: SchemaObject, key: string, value: Json): void {
    const bound = `m${key.slice("exclusiveM".length)}`;
    if (typeof value === "number") rules[key] = value;
    else if (value === true && typeof schema[bound] === "number") rules[key] = schema[bound];
  }

  #dependencies(rules: Record<string, unknown>, value: SchemaObject, at: string): void {
    const lists: Record<string, Json> = {};
    const schemas: Record<string, AnnotatedSchema> = {};
    for (const [name, each] of Object.entries(value))
      if (Array.isArray(each)) setField(lists, name, each);
      else setField(schemas, name, this.#read(each, joinPointer(at, name)));
    if (Object.keys(lists).length > 0)
      rules["dependentRequired"] = { ...(rules["dependentRequired"] as object), ...lists };
    if (Object.keys(schemas).length > 0)
      rules["dependentSchemas"] = { ...(rules["dependentSchemas"] as object), ...schemas };
  }

  #map(value: SchemaObject, at: string): AnnotatedSchemas {
    // Reject an attribute called `__proto__`, because the code that emits types cannot handle it.
    if (Object.hasOwn(value, "__proto__"))
      this.#fail(
        "ERR_NAME",
        'Cannot read an attribute called "__proto__"',
        joinPointer(at, "__proto__"),
      );
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.#read(each, joinPointer(at, name))]),
    );
  }

  #list(value: readonly Json[], at: string): readonly AnnotatedSchema[] {
    return value.map((each, index) => this.#read(each, joinPointer(at, index)));
  }

  #describe(rules: Record<string, unknown>, schema: SchemaObject): void {
    for (const [key, text] of Object.entries(docsOf(schema)))
      if (text !== undefined) rules[key] = text;
  }
}
