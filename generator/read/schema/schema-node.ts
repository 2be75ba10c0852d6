import { compilePattern } from "../../../runtime/validation/value-checks.js";
import { statedFields } from "../../base/stated-fields.js";
import type { Check, Json, Type } from "../../model/types.js";
import { joinPointer, type JsonObject } from "../source/json-text.js";
import type { References } from "./reference.js";
import type { Notes, SchemaFile } from "./schema-file.js";

/** A schema as read into the model: its type and its annotations. */
export interface ReadNode {
  readonly type: Type;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly default?: Json;
  readonly section?: string;
}

/** A location in a schema: its JSON Pointer in the file, and the address that descriptions use. */
export interface Place {
  readonly pointer: string;
  readonly address: string;
}

/** State shared by the readers of schema parts. */
export interface NodeContext {
  readonly schema: SchemaFile;
  readonly notes: Notes;
  readonly references: References;
  /**
   * Definitions whose alternatives are being extended, and pointers to conditions that reference
   * other schemas.
   */
  readonly extending: Set<string>;
  /**
   * JSON Pointers to base properties that are being copied because a derived type requires them.
   */
  readonly inheriting: Set<string>;
  /** Number of properties that have been copied within other copies. */
  nested: number;
  /** Reads a schema as the type of a definition, a property or an item. */
  readNode(value: Json, place: Place): ReadNode;
  /**
   * Reads a schema that is part of another schema. If it lacks `type`, it is not restricted to
   * objects or arrays.
   */
  readExact(value: Json, place: Place): Type;
  /** Reads a schema that applies to the names of properties. */
  readNames(value: Json, place: Place): Type;
  /** Rereads a definition that has alternatives, so that each of them can be extended. */
  readAlternatives(name: string): Type;
}

/** Returns the schemas in a keyword such as `allOf`. */
export function partsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Returns the location of a part within a schema. */
export function placeIn(place: Place, ...keys: readonly (string | number)[]): Place {
  return { ...place, pointer: joinPointer(place.pointer, ...keys) };
}

/** Reads the annotations of a schema. */
export function readAnnotations(
  schema: SchemaFile,
  node: JsonObject,
  place: Place,
): Omit<ReadNode, "type"> {
  const text = (key: string): string | undefined => {
    const value = node[key];
    if (value === undefined || typeof value === "string") return value;
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be a string`,
      joinPointer(place.pointer, key),
    );
  };
  const docs = text("description") ?? text("markdownDescription");
  const section = text("title");
  const deprecated =
    readDeprecation(docs) ??
    text("deprecationMessage") ??
    text("markdownDeprecationMessage") ??
    (node["deprecated"] === true ? "" : undefined);
  return statedFields({ docs, section, deprecated, default: node["default"] });
}

/**
 * Returns the reason for the deprecation if a description begins with `Deprecated:`, otherwise
 * undefined.
 */
export function readDeprecation(text: string | undefined): string | undefined {
  return /^\s*deprecated:\s*([^]*)$/i.exec(text ?? "")?.[1];
}

/** Creates a union of types. Flattens nested unions. */
export function unionOf(members: readonly Type[]): Type {
  const flat = members.flatMap((member) =>
    member.kind === "union" && member.checks === undefined ? member.members : [member],
  );
  if (flat.some((member) => member.kind === "any" && member.checks === undefined))
    return { kind: "any" };
  const distinct = [...new Set(flat)];
  return distinct.length === 1 ? distinct[0]! : { kind: "union", members: distinct };
}

/** Adds checks to a type. */
export function withChecks(type: Type, checks: readonly Check[]): Type {
  return checks.length === 0 ? type : { ...type, checks: [...(type.checks ?? []), ...checks] };
}

/** Reads a limit on the number of items, characters or properties. */
export function readCount(
  schema: SchemaFile,
  node: JsonObject,
  key: string,
  place: Place,
): number | undefined {
  const value = node[key];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be a whole number, at least 0`,
      joinPointer(place.pointer, key),
    );
  }
  return value;
}

/** Reads a regular expression. */
export function readPatternText(
  { schema }: NodeContext,
  pattern: unknown,
  { pointer }: Place,
): string {
  if (typeof pattern === "string") {
    try {
      compilePattern(pattern);
      return pattern;
    } catch {
      // The error can be ignored here, because an invalid pattern is reported below.
    }
  }
  return schema.fail(
    "ERR_SCHEMA",
    'Cannot read "pattern": it must be a regular expression',
    pointer,
  );
}
