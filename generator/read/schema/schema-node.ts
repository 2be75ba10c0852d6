import type { Json, Type } from "../../model/types.js";
import { joinPointer } from "../source/json-text.js";
import { keywordMend, type Notes, type SchemaFile, type SchemaObject } from "./schema-file.js";

/** A schema node as the model sees it: its type, and what is said about it. */
export interface ReadNode {
  readonly type: Type;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly default?: Json;
  readonly section?: string;
}

/** Where the reader is: the pointer into the file, and the address that descriptions use. */
export interface Place {
  readonly pointer: string;
  readonly address: string;
}

/** What the readers of parts of a schema share. */
export interface NodeContext {
  readonly schema: SchemaFile;
  readonly notes: Notes;
  /** Definitions whose alternatives are being extended. */
  readonly extending: Set<string>;
  /** Pointers of properties that are being taken over from a base because they are required. */
  readonly inheriting: Set<string>;
  /** Properties that were taken over within others: each is written out again. */
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
  ["string", ["format", "minLength", "maxLength"]],
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

/** Refuses keywords that no node may have. */
export function refuseUnknown(
  { schema, notes }: NodeContext,
  node: SchemaObject,
  pointer: string,
): void {
  for (const key of Object.keys(node)) {
    if (allKeywords.has(key) || notes.annotations.has(key)) continue;
    schema.fail(
      "ERR_KEYWORD",
      `Cannot read keyword "${key}": the model has no place for it`,
      joinPointer(pointer, key),
      keywordMend(key, allKeywords),
    );
  }
}

/** Refuses structure that would be lost: every keyword but the given ones and annotations. */
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

/** What a node says besides its type. */
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

/** The reason in a text that begins with `Deprecated:`; undefined if it does not. */
export function readDeprecation(text: string | undefined): string | undefined {
  return /^\s*deprecated:\s*/i.test(text ?? "")
    ? text!.replace(/^\s*deprecated:\s*/i, "")
    : undefined;
}

/** A union of types; one that holds unions is flat. */
export function unionOf(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  if (flat.some((member) => member.kind === "any")) return { kind: "any" };
  return flat.length === 1 ? flat[0]! : { kind: "union", members: flat };
}
