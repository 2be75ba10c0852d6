import { isAnything, isNever } from "../../model/type-checks.js";
import type { Check, Json, Type } from "../../model/types.js";
import { isJsonObject } from "../source/json-text.js";
import type { SchemaObject } from "./schema-file.js";
import { placeIn, type NodeContext, type Place } from "./schema-node.js";
import { namedSchemas, readRequired } from "./schema-objects.js";
import { readEvaluated } from "./evaluated-parts.js";

type ReadChecks = (
  context: NodeContext,
  node: SchemaObject,
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
export function readChecks(
  context: NodeContext,
  node: SchemaObject,
  place: Place,
): readonly Check[] {
  return readers.flatMap(([key, read]) =>
    node[key] === undefined ? [] : read(context, node, place, key),
  );
}

function readNot(context: NodeContext, node: SchemaObject, place: Place): readonly Check[] {
  const type = context.readExact(node["not"]!, placeIn(place, "not"));
  return isNever(type) ? [] : [{ kind: "not", type }];
}

function readCondition(context: NodeContext, node: SchemaObject, place: Place): readonly Check[] {
  const read = (key: string): Type =>
    node[key] === undefined ? { kind: "any" } : context.readExact(node[key], placeIn(place, key));
  const check = { kind: "if" as const, if: read("if"), then: read("then"), else: read("else") };
  return isAnything(check.then) && isAnything(check.else) ? [] : [check];
}

/** Reads the conditions that apply to objects that have a certain property. */
function readDependent(
  context: NodeContext,
  node: SchemaObject,
  place: Place,
  key: string,
): readonly Check[] {
  return Object.entries(namedSchemas(context, node, key, place)).flatMap(([property, value]) => {
    const at = placeIn(place, key, property);
    const type = context.readExact(requirement(context, value, node, key, at), at);
    return isAnything(type) ? [] : [{ kind: "dependent" as const, property, type }];
  });
}

function requirement(
  context: NodeContext,
  value: Json,
  node: SchemaObject,
  key: string,
  place: Place,
): Json {
  // In draft 3, the value may be a single name.
  if (key === "dependencies" && typeof value === "string") return { required: [value] };
  if (key === "dependentSchemas" || !Array.isArray(value)) return value;
  const dependent = node[key];
  if (isJsonObject(dependent)) readRequired(context, { required: value }, "required", place);
  return { required: value };
}

function readUnevaluated(
  context: NodeContext,
  node: SchemaObject,
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
  const evaluated = readEvaluated(context, rest, place, parts);
  context.extending.delete(pointer);
  return [{ kind: "unevaluated", parts, type, evaluated }];
}
