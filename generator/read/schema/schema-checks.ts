import { isAnything, isNever } from "../../model/type-checks.js";
import type { Check, Json, Type, Evaluated } from "../../model/types.js";
import { isJsonObject, type JsonObject } from "../source/json-text.js";
import { partsOf, placeIn, type NodeContext, type Place } from "./schema-node.js";
import { namedSchemas, readRequired } from "./schema-objects.js";

type ReadChecks = (
  context: NodeContext,
  node: JsonObject,
  place: Place,
  key: string,
) => readonly Check[];

/**
 * Keywords for conditions, each with the function that reads it. Most schemas do not use any of
 * them.
 */
const readers: readonly (readonly [key: string, read: ReadChecks])[] = [
  ["not", readNot],
  ["if", readCondition],
  ["dependentRequired", readDependent],
  ["dependentSchemas", readDependent],
  // Replaced in newer drafts by `dependentRequired` and `dependentSchemas`.
  ["dependencies", readDependent],
  ["unevaluatedProperties", readUnevaluated],
  ["unevaluatedItems", readUnevaluated],
];

/** Reads those of a schema's conditions that types cannot express. */
export function readChecks(context: NodeContext, node: JsonObject, place: Place): readonly Check[] {
  return readers.flatMap(([key, read]) =>
    node[key] === undefined ? [] : read(context, node, place, key),
  );
}

function readNot(context: NodeContext, node: JsonObject, place: Place): readonly Check[] {
  const type = context.readExact(node["not"]!, placeIn(place, "not"));
  return isNever(type) ? [] : [{ kind: "not", type }];
}

function readCondition(context: NodeContext, node: JsonObject, place: Place): readonly Check[] {
  const read = (key: string): Type =>
    node[key] === undefined ? { kind: "any" } : context.readExact(node[key], placeIn(place, key));
  const check = { kind: "if" as const, if: read("if"), then: read("then"), else: read("else") };
  return isAnything(check.then) && isAnything(check.else) ? [] : [check];
}

/** Reads the conditions that apply to objects that have a certain property. */
function readDependent(
  context: NodeContext,
  node: JsonObject,
  place: Place,
  key: string,
): readonly Check[] {
  return Object.entries(namedSchemas(context, node, key, place)).flatMap(([property, value]) => {
    const partPlace = placeIn(place, key, property);
    const type = context.readExact(requirement(context, value, key, partPlace), partPlace);
    return isAnything(type) ? [] : [{ kind: "dependent" as const, property, type }];
  });
}

function requirement(context: NodeContext, value: Json, key: string, place: Place): Json {
  // In draft 3, the value may be a single name.
  if (key === "dependencies" && typeof value === "string") return { required: [value] };
  if (key === "dependentSchemas" || !Array.isArray(value)) return value;
  readRequired(context, { required: value }, "required", place);
  return { required: value };
}

function readUnevaluated(
  context: NodeContext,
  node: JsonObject,
  place: Place,
  key: string,
): readonly Check[] {
  const parts = key === "unevaluatedItems" ? "items" : "properties";
  const type = context.readNode(node[key]!, {
    ...placeIn(place, key),
    address: `${place.address}/*`,
  }).type;
  if (isAnything(type)) return [];
  const { [key]: _, ...rest } = node;
  const { pointer } = placeIn(place, key);
  if (context.extending.has(pointer))
    return context.schema.fail(
      "ERR_REF_CYCLE",
      `Cannot read "${key}": the schema refers to itself`,
      pointer,
    );
  context.extending.add(pointer);
  const evaluated = new EvaluatedReader(context, parts).of(rest, place);
  context.extending.delete(pointer);
  return [{ kind: "unevaluated", parts, type, evaluated }];
}

const nothing: Evaluated = { names: [], patterns: [], items: 0, all: false, more: [] };

/**
 * Determines which parts of a value a schema evaluates. `unevaluatedProperties` and
 * `unevaluatedItems` apply to all other parts.
 */
class EvaluatedReader {
  readonly #context: NodeContext;
  readonly #parts: "items" | "properties";
  /**
   * References that are currently being followed. Following the same reference again would not add
   * any evaluated parts.
   */
  readonly #open = new Set<string>();

  constructor(context: NodeContext, parts: "items" | "properties") {
    this.#context = context;
    this.#parts = parts;
  }

  of(node: Json, place: Place): readonly Evaluated[] {
    if (!isJsonObject(node)) return [];
    const direct = this.#parts === "items" ? this.#items(node, place) : properties(node);
    const evaluated = [...direct, ...this.#referred(node, place)];
    for (const [index, part] of partsOf(node["allOf"]).entries())
      evaluated.push(...this.of(part, placeIn(place, "allOf", index)));
    for (const key of ["anyOf", "oneOf"])
      for (const [index, part] of partsOf(node[key]).entries()) {
        const partPlace = placeIn(place, key, index);
        const more = this.of(part, partPlace);
        if (more.length > 0)
          evaluated.push({ ...nothing, when: this.#type(part, partPlace), more });
      }
    if (node["if"] !== undefined) evaluated.push(...this.#condition(node, node["if"], place));
    for (const key of ["dependentSchemas", "dependencies"]) {
      const dependent = node[key];
      for (const [name, part] of Object.entries(isJsonObject(dependent) ? dependent : {})) {
        const more = this.of(part, placeIn(place, key, name));
        const has: Json = { type: "object", required: [name] };
        if (more.length > 0) evaluated.push({ ...nothing, when: this.#type(has, place), more });
      }
    }
    return evaluated;
  }

  #condition(node: JsonObject, test: Json, place: Place): readonly Evaluated[] {
    const testPlace = placeIn(place, "if");
    const type = this.#type(test, testPlace);
    const then = [
      ...this.of(test, testPlace),
      ...this.of(node["then"] ?? true, placeIn(place, "then")),
    ];
    const otherwise = this.of(node["else"] ?? true, placeIn(place, "else"));
    return [
      ...(then.length === 0 ? [] : [{ ...nothing, when: type, more: then }]),
      ...(otherwise.length === 0 ? [] : [{ ...nothing, unless: type, more: otherwise }]),
    ];
  }

  #referred(node: JsonObject, place: Place): readonly Evaluated[] {
    const { references } = this.#context;
    return references.of(node, place.pointer).flatMap((name) => {
      if (this.#open.has(name)) return [];
      this.#open.add(name);
      const pointer = references.pointerOf(name);
      const evaluated = this.of(references.nodeOf(name), { pointer, address: name });
      this.#open.delete(name);
      return evaluated;
    });
  }

  #items(node: JsonObject, place: Place): readonly Evaluated[] {
    const { items, prefixItems, additionalItems, contains, unevaluatedItems } = node;
    const first = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    const all = rest !== undefined || unevaluatedItems !== undefined;
    return [
      ...(all || first.length > 0 ? [{ ...nothing, all, items: first.length }] : []),
      ...(contains === undefined
        ? []
        : [{ ...nothing, containing: this.#type(contains, placeIn(place, "contains")) }]),
    ];
  }

  #type(node: Json, place: Place): Type {
    const type = this.#context.readExact(node, place);
    return isAnything(type) ? { kind: "any" } : type;
  }
}

function properties(node: JsonObject): readonly Evaluated[] {
  const { properties: named, patternProperties: matching } = node;
  const names = isJsonObject(named) ? Object.keys(named) : [];
  const patterns = isJsonObject(matching) ? Object.keys(matching) : [];
  const all =
    node["additionalProperties"] !== undefined || node["unevaluatedProperties"] !== undefined;
  return all || names.length + patterns.length > 0 ? [{ ...nothing, names, patterns, all }] : [];
}
