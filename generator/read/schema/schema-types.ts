import { isNever, never } from "../../model/type-checks.js";
import type { Check, Json, Type } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import { areDisjoint } from "./disjoint-types.js";
import { intersect } from "./intersect-types.js";
import { isPlain, kindOf } from "./plain-types.js";
import type { References } from "./reference.js";
import { withInheritedProperties } from "./schema-objects.js";
import { readChecks } from "./schema-checks.js";
import { literalType, readEnum } from "./schema-enums.js";
import { warnOfUnknown, type Notes, type SchemaFile } from "./schema-file.js";
import {
  partsOf,
  placeIn,
  readAnnotations,
  unionOf,
  withChecks,
  type NodeContext,
  type Place,
  type ReadNode,
} from "./schema-node.js";
import { readTyped } from "./schema-type-keyword.js";

/** Converts JSON Schema nodes to model types. */
export class TypeReader implements NodeContext {
  readonly schema: SchemaFile;
  readonly notes: Notes;
  readonly references: References;
  readonly extending = new Set<string>();
  readonly inheriting = new Set<string>();
  nested = 0;

  constructor(schema: SchemaFile, notes: Notes, references: References) {
    this.schema = schema;
    this.notes = notes;
    this.references = references;
  }

  /** Reads a schema as the type of a definition, a property or an item. */
  readNode(value: Json, place: Place): ReadNode {
    const exact = this.readExact(value, place);
    const type = withInheritedProperties(this, this.#meant(exact));
    const properties = type.kind === "object" ? type.properties : [];
    const empty = properties.filter((each) => isNever(each.type)).map(({ pointer }) => pointer);
    for (const pointer of isNever(type) ? [place.pointer] : empty)
      if (value !== false && this.references.schemaAt(pointer) !== false)
        this.schema.warn(
          "ERR_SCHEMA",
          "No value can be valid here: the keywords contradict each other",
          pointer,
        );
    return { ...this.#annotations(value, place), type };
  }

  /**
   * Restricts a type to the kinds of values that the schema's keywords apply to, but only if these
   * kinds include objects or arrays.
   */
  #meant(type: Type): Type {
    if (this.notes.untyped === "exact" || type.kind !== "union") return type;
    const meant = type.members.filter((member) => !isPlain(member));
    const isMeant = meant.some((each) => ["object", "array"].includes(kindOf(each) ?? ""));
    if (meant.length === type.members.length || !isMeant) return type;
    return withChecks(unionOf(meant), type.checks ?? []);
  }

  /**
   * Collects a schema's annotations. Annotations in parts of its `allOf` are included unless the
   * schema overrides them.
   */
  #annotations(value: Json, place: Place): Omit<ReadNode, "type"> {
    if (!isJsonObject(value)) return {};
    const inherited = partsOf(value["allOf"]).map((part, index) =>
      isJsonObject(part)
        ? readAnnotations(this.schema, part, placeIn(place, "allOf", index))
        : undefined,
    );
    return Object.assign({}, ...inherited, readAnnotations(this.schema, value, place)) as object;
  }

  /** Reads a schema without restricting it to the kinds of values that its keywords apply to. */
  readExact(given: Json, place: Place): Type {
    const { schema, notes } = this;
    if (given === true) return { kind: "any" };
    if (given === false) return never;
    if (!isJsonObject(given))
      return schema.fail(
        "ERR_SCHEMA",
        `Cannot read ${JSON.stringify(given)?.slice(0, 60)}: a schema must be an object`,
        place.pointer,
      );
    warnOfUnknown(schema, given, place.pointer, notes.annotations);
    const value = withoutKeywords(given, notes.annotations);
    const parts = [...this.#references(value, place), ...this.#inherited(value, place)];
    if (parts.length > 0 && this.#isRefAlone(value, place)) return parts[0]!;
    const direct = this.#own(value, place);
    const type = [...parts, direct].reduce((one, two) => intersect(this, one, two));
    return this.#extended(type, value, place);
  }

  /** Reads a schema of property names, which are strings. */
  readNames(value: Json, place: Place): Type {
    return intersect(this, { kind: "string" }, this.readExact(value, place));
  }

  #references(node: JsonObject, place: Place): readonly Type[] {
    return this.references
      .of(node, place.pointer)
      .map((name): Type => ({ kind: "reference", name }));
  }

  /**
   * Returns whether keywords next to a reference are ignored, as they are in drafts before 2019-09.
   */
  #isRefAlone(node: JsonObject, place: Place): boolean {
    const { schema } = this;
    if (node["$ref"] === undefined || !schema.resources.isRefAlone) return false;
    for (const key of Object.keys(node))
      if (key !== "$ref" && isAssertion(key))
        schema.warn(
          "ERR_KEYWORD",
          `Ignored "${key}" next to $ref: it has no effect there in this draft of JSON Schema`,
          joinPointer(place.pointer, key),
          "Put both into allOf",
        );
    return true;
  }

  #inherited(node: JsonObject, place: Place): readonly Type[] {
    if (node["allOf"] === undefined) return [];
    return this.#list(node, "allOf", place).map((part, index) =>
      this.readExact(part, placeIn(place, "allOf", index)),
    );
  }

  /** Intersects a type with a schema's alternatives and conditions. */
  #extended(start: Type, node: JsonObject, place: Place): Type {
    let type = start;
    const checks: Check[] = [];
    for (const key of ["anyOf", "oneOf"]) {
      if (node[key] === undefined) continue;
      const parts = this.#list(node, key, place);
      const listed = listConstants(parts);
      if (listed !== undefined) {
        type = intersect(this, type, readEnum(this.schema, listed, "enum", place));
        continue;
      }
      const members = parts.map((part, index) =>
        this.#alternative(part, placeIn(place, key, index)),
      );
      const possible = members.filter((each) => !isNever(each));
      const isExclusive = key === "oneOf" && !this.notes.overlapping;
      if (isExclusive && !areDisjoint(this, possible))
        checks.push({ kind: "one-of", types: possible });
      type = intersect(this, type, unionOf(possible));
    }
    // Conditions are read even if no value can meet them, so that their faults are reported.
    checks.push(...readChecks(this, node, place));
    return isNever(type) ? never : withChecks(type, checks);
  }

  #alternative(part: Json, place: Place): Type {
    return withInheritedProperties(this, this.readExact(part, place));
  }

  #list(node: JsonObject, key: string, place: Place): readonly Json[] {
    const list = node[key];
    if (Array.isArray(list) && list.length > 0) return list as readonly Json[];
    return this.schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be an array of schemas`,
      joinPointer(place.pointer, key),
    );
  }

  /**
   * Reads the keywords that apply to the value itself: its type, keywords that depend on the type,
   * and fixed values.
   */
  #own(node: JsonObject, place: Place): Type {
    const types = [readTyped(this, node, place)];
    if (node["const"] !== undefined)
      types.push(literalType(node["const"], joinPointer(place.pointer, "const")));
    for (const key of ["enum", "_enum"])
      if (node[key] !== undefined) types.push(readEnum(this.schema, node, key, place));
    return types.reduce((one, two) => intersect(this, one, two));
  }

  /**
   * Rereads a definition that has alternatives, so that these can be extended. Fails if the
   * definition is already being read, which means that it refers to itself.
   */
  readAlternatives(name: string): Type {
    const { extending, references, schema } = this;
    const pointer = references.pointerOf(name);
    if (extending.has(name))
      return schema.fail(
        "ERR_REF_CYCLE",
        `Cannot extend "${name}": its definition refers to itself`,
        pointer,
      );
    extending.add(name);
    const type = this.#meant(
      this.#alternative(references.nodeOf(name), { pointer, address: name }),
    );
    extending.delete(name);
    return type;
  }
}

/**
 * Returns alternatives that are different constants as an `enum`, in which their titles and
 * descriptions say what the values mean. Returns undefined for other alternatives.
 */
function listConstants(parts: readonly Json[]): JsonObject | undefined {
  const values = new Map<Json, string>();
  for (const part of parts) {
    if (!isJsonObject(part)) return undefined;
    const { const: value, type, title = "", description = "", ...others } = part;
    const types = typeof value === "string" ? ["string"] : ["number", "integer"];
    if (
      (typeof value !== "string" && !Number.isSafeInteger(value)) ||
      (type !== undefined && !types.includes(type as string)) ||
      typeof title !== "string" ||
      typeof description !== "string" ||
      Object.keys(others).some((key) => isAssertion(key))
    )
      return undefined;
    values.set(value!, [title, description].filter((text) => text !== "").join(": "));
  }
  if (values.size < Math.max(parts.length, 2)) return undefined;
  const docs = [...values.values()];
  return {
    enum: [...values.keys()],
    ...(docs.some((text) => text !== "") ? { enumDescriptions: docs } : {}),
  };
}

/** Removes the keywords that a description declares as annotations. */
function withoutKeywords(node: JsonObject, keywords: ReadonlySet<string>): JsonObject {
  return Object.keys(node).some((key) => keywords.has(key))
    ? Object.fromEntries(Object.entries(node).filter(([key]) => !keywords.has(key)))
    : node;
}

function isAssertion(key: string): boolean {
  return !["title", "description", "$comment", "default", "deprecated", "examples"].includes(key);
}
