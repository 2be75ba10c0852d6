import { isNever, never } from "../../model/type-checks.js";
import type { Check, Json, Type } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import { areDisjoint } from "./disjoint-types.js";
import { TypeIntersector } from "./intersect-types.js";
import { isPlain, kindOf } from "./plain-types.js";
import type { References } from "./reference.js";
import { withInheritedProperties } from "./schema-objects.js";
import { readChecks } from "./schema-checks.js";
import { literalType, readEnum } from "./schema-enums.js";
import { warnOfUnknown, type Notes, type SchemaFile } from "./schema-file.js";
import {
  placeIn,
  readAnnotations,
  unionOf,
  withChecks,
  type NodeContext,
  type Place,
  type ReadNode,
} from "./schema-node.js";
import { readTyped } from "./schema-type-keyword.js";

/** Creates a reader that converts JSON Schema nodes to model types. */
export function createTypeReader(
  schema: SchemaFile,
  notes: Notes,
  references: References,
): (node: Json, pointer: string, address: string) => ReadNode {
  const context: NodeContext = {
    schema,
    notes,
    references,
    extending: new Set(),
    inheriting: new Set(),
    nested: 0,
    readNode: (value, place) => reader.read(value, place),
    readExact: (value, place) => reader.readExact(value, place),
    readNames: (value, place) => reader.readNames(value, place),
  };
  const reader = new TypeReader(context);
  return (node, pointer, address) => reader.read(node, { pointer, address });
}

class TypeReader {
  readonly #context: NodeContext;
  readonly #intersector: TypeIntersector;

  constructor(context: NodeContext) {
    this.#context = context;
    this.#intersector = new TypeIntersector(context, (name) => this.#alternatives(name));
  }

  /** Reads a schema as the type of a definition, a property or an item. */
  read(value: Json, place: Place): ReadNode {
    const exact = this.readExact(value, place);
    const type = withInheritedProperties(this.#context, this.#meant(exact));
    const { references, schema } = this.#context;
    const properties = type.kind === "object" ? type.properties : [];
    const empty = properties.filter((each) => isNever(each.type)).map(({ pointer }) => pointer);
    for (const pointer of isNever(type) ? [place.pointer] : empty)
      if (value !== false && references.schemaAt(pointer) !== false)
        schema.warn(
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
    if (this.#context.notes.untyped === "exact" || type.kind !== "union") return type;
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
    const { schema } = this.#context;
    let inherited: Omit<ReadNode, "type"> = {};
    for (const [index, part] of partsOf(value["allOf"]).entries())
      if (isJsonObject(part))
        inherited = {
          ...inherited,
          ...readAnnotations(schema, part, placeIn(place, "allOf", index)),
        };
    return { ...inherited, ...readAnnotations(schema, value, place) };
  }

  /** Reads a schema without restricting it to the kinds of values that its keywords apply to. */
  readExact(given: Json, place: Place): Type {
    const { schema, notes } = this.#context;
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
    const type = [...parts, direct].reduce((one, two) => this.#intersector.intersect(one, two));
    return this.#extended(type, value, place);
  }

  /** Reads a schema of property names, which are strings. */
  readNames(value: Json, place: Place): Type {
    return this.#intersector.intersect({ kind: "string" }, this.readExact(value, place));
  }

  #references(node: JsonObject, place: Place): readonly Type[] {
    return this.#context.references
      .of(node, place.pointer)
      .map((name): Type => ({ kind: "reference", name }));
  }

  /**
   * Returns whether keywords next to a reference are ignored, as they are in drafts before 2019-09.
   */
  #isRefAlone(node: JsonObject, place: Place): boolean {
    const { schema } = this.#context;
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
        const values = readEnum(this.#context.schema, listed, "enum", place);
        type = this.#intersector.intersect(type, values);
        continue;
      }
      const members = parts.map((part, index) =>
        this.#alternative(part, placeIn(place, key, index)),
      );
      const possible = members.filter((each) => !isNever(each));
      const isExclusive = key === "oneOf" && !this.#context.notes.overlapping;
      if (isExclusive && !areDisjoint(this.#context, possible))
        checks.push({ kind: "one-of", types: possible });
      type = this.#intersector.intersect(type, unionOf(possible));
    }
    // Conditions are read even if no value can meet them, so that their faults are reported.
    checks.push(...readChecks(this.#context, node, place));
    return isNever(type) ? never : withChecks(type, checks);
  }

  #alternative(part: Json, place: Place): Type {
    return withInheritedProperties(this.#context, this.readExact(part, place));
  }

  #list(node: JsonObject, key: string, place: Place): readonly Json[] {
    const list = node[key];
    if (Array.isArray(list) && list.length > 0) return list as readonly Json[];
    return this.#context.schema.fail(
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
    const { schema } = this.#context;
    let type = readTyped(this.#context, node, place);
    if (node["const"] !== undefined)
      type = this.#intersector.intersect(
        type,
        literalType(node["const"], joinPointer(place.pointer, "const")),
      );
    for (const key of ["enum", "_enum"])
      if (node[key] !== undefined)
        type = this.#intersector.intersect(type, readEnum(schema, node, key, place));
    return type;
  }

  /**
   * Rereads a definition that has alternatives, so that these can be extended. Fails if the
   * definition is already being read, which means that it refers to itself.
   */
  #alternatives(name: string): Type | undefined {
    const { extending, references, schema } = this.#context;
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

function partsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
