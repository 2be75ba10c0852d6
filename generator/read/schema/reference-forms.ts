import type { Json } from "../../model/types.js";
import { isJsonObject, type JsonObject } from "../source/json-text.js";
import { jsonKinds, kindOfValue, type JsonKind } from "./plain-types.js";
import { partsOf, type NodeContext } from "./schema-node.js";

/**
 * The form of a definition. An `object` can be extended by other objects, `alternatives` stands for
 * a union, and `other` stands for any other type.
 */
type ReferenceForm = "object" | "alternatives" | "other";

const objectKeywords = ["properties", "required", "patternProperties"];

const alternativeKeywords = ["anyOf", "oneOf"];

/** Predicts the form of a definition, because derived definitions may be read first. */
export function formOf(
  context: NodeContext,
  name: string,
  seen: Set<string> = new Set(),
): ReferenceForm {
  const node = context.references.nodeOf(name);
  if (!isJsonObject(node) || seen.has(name)) return "other";
  seen.add(name);
  const parts = [node, ...partsOf(node["allOf"])].filter(isJsonObject);
  if (parts.some((part) => alternativeKeywords.some((key) => part[key] !== undefined)))
    return "alternatives";
  const references = parts.flatMap((part) =>
    part["$ref"] === undefined
      ? []
      : context.references.of(part, context.references.pointerOf(name)),
  );
  const forms = references.map((each) => formOf(context, each, seen));
  if (forms.includes("alternatives")) return "alternatives";
  return parts.some(isObjectNode) ? "object" : (forms[0] ?? "other");
}

function isObjectNode(node: JsonObject): boolean {
  if (node["type"] !== undefined && node["type"] !== "object") return false;
  if (node["enum"] !== undefined || node["const"] !== undefined) return false;
  if (node["nullable"] === true) return false;
  const isMap =
    node["properties"] === undefined &&
    node["required"] === undefined &&
    node["additionalProperties"] !== undefined &&
    node["additionalProperties"] !== false;
  if (isMap && node["patternProperties"] === undefined) return false;
  return node["type"] === "object" || objectKeywords.some((key) => node[key] !== undefined);
}

/**
 * Returns the kinds of values that a definition may have. The result may include kinds that do not
 * actually occur.
 */
export function kindsOf(context: NodeContext, name: string): ReadonlySet<JsonKind> {
  return kindsOfNode(
    context,
    context.references.nodeOf(name),
    context.references.pointerOf(name),
    new Set(),
  );
}

const all: ReadonlySet<JsonKind> = new Set(jsonKinds);

function kindsOfNode(
  context: NodeContext,
  node: Json,
  pointer: string,
  seen: Set<string>,
): ReadonlySet<JsonKind> {
  if (node === false) return new Set();
  if (!isJsonObject(node)) return all;
  let kinds = all;
  const narrow = (other: Iterable<JsonKind>): void => {
    const set = new Set(other);
    kinds = new Set([...kinds].filter((kind) => set.has(kind)));
  };
  for (const name of node["$ref"] === undefined ? [] : context.references.of(node, pointer)) {
    if (seen.has(name) || seen.size > 50) continue;
    seen.add(name);
    const { references } = context;
    narrow(kindsOfNode(context, references.nodeOf(name), references.pointerOf(name), seen));
    seen.delete(name);
  }
  if (context.schema.resources.isRefAlone && node["$ref"] !== undefined) return kinds;
  const { type, enum: values } = node;
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
  if (types !== undefined) {
    const named = types.map((each) => (each === "integer" ? "number" : each)) as JsonKind[];
    narrow(node["nullable"] === true ? [...named, "null"] : named);
  } else if (context.notes.untyped === "meant" && isObjectNode(node)) narrow(["object"]);
  if (Array.isArray(values)) narrow((values as Json[]).map(kindOfValue));
  if (node["const"] !== undefined) narrow([kindOfValue(node["const"])]);
  return kinds;
}
