import { basename } from "node:path";
import { parsePointer, partOf } from "../../../runtime/base/json-pointer.js";
import { freeName, isIdentifier, isReservedWord, pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { joinedFiles } from "../source/joined-files.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import { annotations, assertions, isNote } from "./keywords.js";
import type { SchemaFile } from "./schema-file.js";

/** Keywords that reference another schema. */
const referenceKeywords = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/** Resolves the references in a schema and names the definitions that they lead to. */
export class References {
  readonly #schema: SchemaFile;
  readonly #names = new Map<string, string>();
  readonly #pointers = new Map<string, string>();

  constructor(schema: SchemaFile) {
    this.#schema = schema;
    let targets: Set<string> | undefined;
    const groups: string[] = [];
    for (const [name, node] of schema.definitions) {
      const pointer = joinPointer("", schema.container, name);
      if (isWithoutKeywords(node)) {
        targets ??= targetsIn(schema.root);
        const members = Object.keys(node).map((member) => joinPointer(pointer, member));
        if (members.some((member) => targets!.has(member))) {
          groups.push(...members);
          continue;
        }
      }
      this.#add(pointer, name);
    }
    for (const member of groups) this.nameAt(member);
  }

  /**
   * Returns the JSON Pointers of all definitions found so far, by name. These include parts of the
   * schema that became definitions because something references them.
   */
  get named(): ReadonlyMap<string, string> {
    return this.#pointers;
  }

  /** Returns the JSON Pointer of a definition. */
  pointerOf(name: string): string {
    return this.#pointers.get(name)!;
  }

  /** Returns the schema of a definition. */
  nodeOf(name: string): Json {
    return this.schemaAt(this.pointerOf(name))!;
  }

  /**
   * Returns the name of the definition at a JSON Pointer. If there is none, the part at the pointer
   * becomes a definition.
   */
  nameAt(pointer: string, wanted = nameFor(pointer)): string {
    const existing = this.#names.get(pointer);
    if (existing !== undefined) return existing;
    const stem = isIdentifier(wanted) && !isReservedWord(wanted) ? wanted : `Type${wanted}`;
    const name = freeName(isIdentifier(stem) ? stem : "Part", this.#pointers);
    this.#add(pointer, name);
    return name;
  }

  /**
   * Returns the definitions that a schema references. In old drafts, keywords next to a reference
   * are ignored.
   */
  of(node: JsonObject, pointer: string): readonly string[] {
    return referenceKeywords.flatMap((keyword) =>
      node[keyword] === undefined
        ? []
        : (this.#read(node[keyword], keyword, joinPointer(pointer, keyword)) ?? []),
    );
  }

  /**
   * Returns the target of a reference, or undefined if there is none. Rejects references to other files, because a schema must not
   * make the tool read files or contact servers.
   */
  #read(
    ref: Json,
    keyword: (typeof referenceKeywords)[number],
    pointer: string,
  ): string | undefined {
    const schema = this.#schema;
    if (typeof ref !== "string")
      return schema.fail("ERR_SCHEMA", `Cannot read "${keyword}": it must be a string`, pointer);
    let target: string | undefined;
    try {
      target = schema.resources.find(ref, pointer);
    } catch {
      return schema.fail(
        "ERR_REF",
        `Cannot read the reference "${ref}": its escapes are invalid`,
        pointer,
      );
    }
    const named = target === undefined ? undefined : this.#names.get(target);
    if (named !== undefined && keyword === "$ref") return named;
    const anchor = ref.split("#")[1] ?? "";
    if (keyword === "$dynamicRef" && schema.resources.dynamicAnchors(anchor) > 1)
      return schema.fail(
        "ERR_REF",
        `Cannot follow "${ref}": it may refer to several locations in this file`,
        pointer,
        "Reference one of them with $ref",
      );
    if (target === undefined && !ref.startsWith("#"))
      schema.collect(
        "ERR_REF_OUTSIDE",
        schema.resources.isJoined
          ? `Cannot follow "${ref}": that file was not read`
          : `Cannot follow "${ref}": a reference must refer to the same file`,
        pointer,
        outsideHint(ref, schema),
      );
    else if (target === undefined || this.schemaAt(target) === undefined)
      schema.collect("ERR_REF", `Cannot find the definition of "${ref}"`, pointer);
    if (target === undefined || this.schemaAt(target) === undefined) return undefined;
    return this.nameAt(normalised(target));
  }

  #add(pointer: string, name: string): void {
    this.#names.set(pointer, name);
    this.#pointers.set(name, pointer);
  }

  /** Returns the schema at a JSON Pointer, or undefined if it does not exist. */
  schemaAt(pointer: string): Json | undefined {
    return partOf(this.#schema.root, pointer) as Json | undefined;
  }
}

function outsideHint(ref: string, { resources, container }: SchemaFile): string {
  if (/^[a-z]+:|^\//i.test(ref))
    return `Copy the definition into this file and reference it as "#/${container}/NAME"`;
  return resources.isJoined
    ? "Only files in the schema's folder or below it are read"
    : 'Name both files with --schema, or set "files": true in the project file';
}

/**
 * Returns whether a schema consists of other schemas without any keyword. If references lead to
 * these, it is a group of definitions.
 */
function isWithoutKeywords(node: Json): node is JsonObject {
  return (
    isJsonObject(node) &&
    Object.keys(node).length > 0 &&
    Object.entries(node).every(
      ([key, value]) =>
        isJsonObject(value) && !assertions.has(key) && !annotations.has(key) && !isNote(key),
    )
  );
}

/** Returns the JSON Pointers to which references in the same file lead. */
function targetsIn(root: Json): Set<string> {
  const targets = new Set<string>();
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) pending.push(...(node as Json[]));
    else if (isJsonObject(node)) {
      const { $ref: reference, ...others } = node;
      if (typeof reference === "string" && reference.startsWith("#/"))
        targets.add(reference.slice(1));
      pending.push(...Object.values(others));
    }
  }
  return targets;
}

/** Normalizes the escapes in a JSON Pointer. */
function normalised(pointer: string): string {
  return joinPointer("", ...parsePointer(pointer));
}

const silent = new Set(["properties", "definitions", "$defs", "items", "schemas"]);

/** Derives a name from a type's JSON Pointer: `FooBar` from `/definitions/Foo/properties/bar`. */
function nameFor(pointer: string): string {
  const steps = parsePointer(pointer);
  const [file, ...inside] = steps[0] === joinedFiles ? steps.slice(1) : ["", ...steps];
  if (file !== "" && inside.length === 0)
    return pascalCase(basename(file!).replace(/(\.schema)?\.json$/, ""));
  const parts = inside.filter((part) => !silent.has(part));
  return parts.length === 0 ? "Root" : parts.map(pascalCase).join("");
}
