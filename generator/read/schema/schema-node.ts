import type { Json, Type } from "../../model/types.js";
import { joinPointer } from "../source/json-text.js";
import { keywordHint, type Notes, type SchemaFile, type SchemaObject } from "./schema-file.js";

/** A schema node in terms of the model: its type and its annotations. */
export interface ReadNode {
  readonly type: Type;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly default?: Json;
  readonly section?: string;
}

/** The current position: the pointer into the file, and the address that descriptions use. */
export interface Place {
  readonly pointer: string;
  readonly address: string;
}

/** State that the readers of schema parts share. */
export interface NodeContext {
  readonly schema: SchemaFile;
  readonly notes: Notes;
  /** Definitions whose alternatives are being extended. */
  readonly extending: Set<string>;
  /** Pointers of the base's properties that are being copied because a derived type requires them. */
  readonly inheriting: Set<string>;
  /** Number of properties that were copied within other copies. */
  nested: number;
  readNode(value: Json, place: Place): ReadNode;
}

export const annotations = [
  "description",
  "title",
  "default",
  "deprecated",
  "examples",
  "$comment",
  "enumDescriptions",
  "enumNumbers",
];
const numeric = ["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
export const objectKeywords = ["properties", "required", "additionalProperties"];
export const keywordsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["format", "minLength", "maxLength", "pattern"]],
  ["integer", numeric],
  ["number", numeric],
  ["boolean", []],
  ["null", []],
  ["array", ["items", "minItems", "maxItems"]],
  ["object", objectKeywords],
]);
const allKeywords = new Set([
  ...annotations,
  ...[...keywordsOfType.values()].flat(),
  ...["type", "enum", "_enum", "const", "allOf", "anyOf", "oneOf", "$ref"],
]);

/** Refuses unknown keywords. */
export function refuseUnknown(
  { schema, notes }: NodeContext,
  node: SchemaObject,
  pointer: string,
): void {
  for (const key of Object.keys(node)) {
    const isKnown = key === "pattern" ? notes.patterns : allKeywords.has(key);
    if (isKnown || notes.annotations.has(key)) continue;
    schema.fail(
      "ERR_KEYWORD",
      `Cannot read keyword "${key}": the model has no place for it`,
      joinPointer(pointer, key),
      keywordHint(
        key,
        [...allKeywords].filter((each) => each !== key),
      ),
    );
  }
}

/** Refuses structure that would be lost: all keywords except the given ones and annotations. */
export function refuseOthers(
  { schema, notes }: NodeContext,
  node: SchemaObject,
  place: Place,
  keywords: readonly string[],
  where: string,
): void {
  for (const key of Object.keys(node)) {
    if (keywords.includes(key) || annotations.includes(key) || notes.annotations.has(key)) continue;
    schema.fail(
      "ERR_KEYWORD",
      `Cannot read keyword "${key}" ${where}: the model has no place for it`,
      joinPointer(place.pointer, key),
    );
  }
}

/** Reads what a node says besides its type. */
export function readAnnotations(
  schema: SchemaFile,
  node: SchemaObject,
  place: Place,
): Omit<ReadNode, "type"> {
  const text = (key: string): string | undefined => {
    const value = node[key];
    if (value === undefined || typeof value === "string") return value;
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be a text`,
      joinPointer(place.pointer, key),
    );
  };
  const docs = text("description");
  const section = text("title");
  const deprecated = readDeprecation(docs) ?? (node["deprecated"] === true ? "" : undefined);
  return {
    ...(docs === undefined ? {} : { docs }),
    ...(section === undefined ? {} : { section }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(node["default"] === undefined ? {} : { default: node["default"] }),
  };
}

/** The reason in a text that begins with `Deprecated:`; undefined for other texts. */
export function readDeprecation(text: string | undefined): string | undefined {
  return /^\s*deprecated:\s*/i.test(text ?? "")
    ? text!.replace(/^\s*deprecated:\s*/i, "")
    : undefined;
}

/** A union of types. Nested unions are flattened. */
export function unionOf(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  if (flat.some((member) => member.kind === "any")) return { kind: "any" };
  return flat.length === 1 ? flat[0]! : { kind: "union", members: flat };
}
