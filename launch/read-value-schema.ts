import { posix } from "node:path";
import { InputError, nearest, type InputErrorCode } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import {
  keywordsOfType,
  schemaKeywords,
  type TypeName,
} from "../generator/read/schema/keywords.js";
import {
  isJsonObject,
  joinPointer,
  type JsonFile,
  type JsonObject,
} from "../generator/read/source/json-text.js";
import type { SourceNote } from "./configuration-set.js";
import { isAnnotation, keywordShapes, textsOf } from "./schema-keywords.js";
import { referenceTo, referredSchema } from "./schema-parts.js";

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

const typeNames = Object.keys(keywordsOfType) as TypeName[];

/**
 * Reads a schema of any draft, including VS Code's keywords. The result contains only keywords that
 * have an effect, and all of the definitions that it refers to.
 *
 * @throws InputError `ERR_SCHEMA`, `ERR_KEYWORD` or `ERR_REF` with the location.
 */
export function readValueSchema(context: SchemaContext, value: Json, at: string): Json {
  return new SchemaReader(context).root(value, at);
}

/** Returns a schema's definitions, keyed by the pointers that references use. */
export function definitionsIn(schema: Json, at: string): SchemaContext["referred"] {
  const named = new Map<string, { name: string; schema: Json; at: string }>();
  for (const key of ["definitions", "$defs"]) {
    const definitions = isJsonObject(schema) ? schema[key] : undefined;
    if (!isJsonObject(definitions)) continue;
    for (const [name, definition] of Object.entries(definitions))
      named.set(`#${joinPointer("", key, name)}`, {
        name,
        schema: definition,
        at: joinPointer(at, key, name),
      });
  }
  return named;
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
  readonly #definitions = new Map<string, Json | undefined>();
  /** The file being read, and its path relative to the first file. */
  #file: Pick<JsonFile, "locate">;
  #base = "";

  constructor(context: SchemaContext) {
    this.#context = context;
    this.#file = context.file;
  }

  root(value: Json, at: string): Json {
    const schema = this.#read(value, at);
    return isJsonObject(schema) && this.#definitions.size > 0
      ? { ...schema, definitions: this.#definitionsRead() }
      : schema;
  }

  #definitionsRead(): JsonObject {
    return Object.fromEntries(this.#definitions) as JsonObject;
  }

  #fail(code: InputErrorCode, text: string, at: string, hint?: string): never {
    throw new InputError(code, text, this.#file.locate(at), hint);
  }

  #note(message: string, at: string, hint?: string): void {
    const location = this.#file.locate(at);
    this.#context.notes.push({ place: location, message, ...(hint === undefined ? {} : { hint }) });
  }

  #read(value: Json, at: string): Json {
    if (typeof value === "boolean") return value;
    if (!isJsonObject(value)) {
      // Editors accept and ignore values here that are not schemas, so only report a warning.
      this.#note("This has no effect: a schema must be an object, true or false", at, meant(value));
      return true;
    }
    const rules: Record<string, Json> = {};
    for (const [keyword, part] of Object.entries(value))
      if (this.#hasEffect(keyword, part, joinPointer(at, keyword)))
        rules[keyword] = this.#keyword(keyword, part, joinPointer(at, keyword));
    const referred = referredSchema(rules, this.#definitionsRead());
    const inherited = isJsonObject(referred) ? referred["default"] : undefined;
    return {
      ...(inherited === undefined ? {} : { default: inherited }),
      ...withoutEmptyRange(rules),
      ...textsOf(value),
    };
  }

  /** Returns whether a keyword affects which values are valid. Reports it if it should, but does not. */
  #hasEffect(keyword: string, value: Json, at: string): boolean {
    const shape = keywordShapes.get(keyword);
    if (shape?.isValid(value) === false) {
      // Ignore keywords with invalid values, as editors do.
      const hint = schemaKeywords.one.has(keyword) ? meant(value) : undefined;
      this.#note(`The keyword "${keyword}" has no effect: it must be ${shape.expected}`, at, hint);
      return false;
    }
    if (keyword === "default" || (shape !== undefined && !isAnnotation(keyword))) return true;
    if (isAnnotation(keyword)) return false;
    if (/^(unevaluated(Properties|Items)$|\$dynamic)/.test(keyword))
      this.#fail(
        "ERR_KEYWORD",
        `Cannot read the keyword "${keyword}"`,
        at,
        'Use "additionalProperties" or "additionalItems"',
      );
    const guess = nearest(keyword, keywordShapes.keys());
    this.#note(
      `The keyword "${keyword}" is unknown and has no effect`,
      at,
      guess === undefined ? undefined : `Did you mean "${guess}"?`,
    );
    return false;
  }

  #keyword(keyword: string, value: Json, at: string): Json {
    if (keyword === "type") return this.#types([value].flat() as string[], at);
    if (keyword === "$ref") return this.#reference(value as string, at);
    // Editors accept values that are listed twice.
    if (keyword === "enum")
      return [...new Map((value as Json[]).map((each) => [JSON.stringify(each), each])).values()];
    if (schemaKeywords.list.has(keyword) && Array.isArray(value))
      return value.map((each: Json, index) => this.#read(each, joinPointer(at, index)));
    if (schemaKeywords.one.has(keyword)) return this.#read(value, at);
    return schemaKeywords.named.has(keyword) ? this.#named(value as JsonObject, at) : value;
  }

  #types(names: readonly string[], at: string): Json {
    for (const name of names)
      if (!typeNames.some((each) => each === name)) {
        const guess = nearest(name, typeNames) ?? { int: "integer", float: "number" }[name];
        this.#fail(
          "ERR_SCHEMA",
          `Cannot read the type "${name}"`,
          at,
          guess === undefined ? `Types: ${typeNames.join(", ")}` : `Did you mean "${guess}"?`,
        );
      }
    return names.length === 1 ? names[0]! : names;
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
    return referenceTo(name);
  }

  /** Rejects a definition that does nothing but refer to itself. */
  #refuseCycle(name: string, at: string): void {
    const seen = new Set<string>();
    for (let next: string | undefined = name; next !== undefined;) {
      if (seen.has(next))
        this.#fail("ERR_REF", `Cannot read "${name}": its definition refers to itself`, at);
      seen.add(next);
      const definition = this.#definitions.get(next);
      const reference = isJsonObject(definition) ? definition["$ref"] : undefined;
      next = [...this.#definitions.keys()].find((each) => referenceTo(each) === reference);
    }
  }

  #named(value: JsonObject, at: string): JsonObject {
    // Reject an attribute called `__proto__`, because the code that emits types cannot handle it.
    if (Object.hasOwn(value, "__proto__"))
      this.#fail(
        "ERR_NAME",
        'Cannot read an attribute called "__proto__"',
        joinPointer(at, "__proto__"),
      );
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        // In `dependencies`, an array contains names.
        Array.isArray(each) ? each : this.#read(each, joinPointer(at, name)),
      ]),
    );
  }
}

/** Returns a hint for a type name in place of a schema. */
function meant(value: Json): string | undefined {
  return typeNames.some((name) => name === value)
    ? `Did you mean { "type": "${String(value)}" }?`
    : undefined;
}

/**
 * Replaces an empty range with a condition that no number satisfies. Editors accept empty ranges
 * too, and then reject every number.
 */
function withoutEmptyRange(rules: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = rules;
  const number = (value: Json | undefined, other: number): number =>
    typeof value === "number" ? value : other;
  const least = Math.max(number(minimum, -Infinity), number(exclusiveMinimum, -Infinity));
  const most = Math.min(number(maximum, Infinity), number(exclusiveMaximum, Infinity));
  const isOpen =
    [exclusiveMinimum, exclusiveMaximum].includes(true) ||
    least === exclusiveMinimum ||
    most === exclusiveMaximum;
  if (least < most || (least === most && !isOpen)) return rules;
  const conditions = (rest["allOf"] ?? []) as readonly Json[];
  return { ...rest, allOf: [...conditions, { not: { type: "number" } }] };
}
