/** The normalised schema and its translation into other validators' types. */
import { readFileSync } from "node:fs";
import { newestDapSchema } from "../../test/support/dap-versions.js";
import { normaliseSchema } from "../../test/support/normalised-schema.js";

type Node = { readonly [key: string]: unknown };

export const schema = normaliseSchema(JSON.parse(readFileSync(newestDapSchema, "utf8")) as object);
export const definitions = schema["definitions"] as Readonly<Record<string, Node>>;

/**
 * Returns the definition used for successful responses, if a response definition has one. All
 * libraries validate against the definition that a program would choose based on the `success`
 * field.
 */
export function successOf(definition: string): string {
  const success = definition.replace(/Response$/, "Success");
  return success in definitions ? success : definition;
}

/** Functions that create a library's types, one per schema construct. */
export interface Dialect<Type> {
  any(): Type;
  null(): Type;
  boolean(): Type;
  string(): Type;
  number(least: number, greatest: number): Type;
  integer(least: number, greatest: number): Type;
  oneOf(values: readonly (string | number | boolean)[]): Type;
  list(items: Type): Type;
  map(values: Type): Type;
  anyOf(members: readonly Type[]): Type;
  object(properties: ReadonlyMap<string, Type>, required: ReadonlySet<string>): Type;
  late(get: () => Type): Type;
}

/**
 * Translates a definition for a library. Flattens `allOf`, because that is the closest form the
 * library supports.
 */
export function translate<Type>(name: string, say: Dialect<Type>, known: Map<string, Type>): Type {
  const open = new Set<string>();
  const definitionType = (target: string): Type => {
    const type = known.get(target);
    if (type !== undefined) return type;
    if (open.has(target)) return say.late(() => known.get(target)!);
    open.add(target);
    const made = typeOf(definitions[target]!);
    known.set(target, made);
    return made;
  };
  const typeOf = (node: Node): Type => {
    if (typeof node["$ref"] === "string") return definitionType(node["$ref"].slice(14));
    if (Array.isArray(node["anyOf"])) return say.anyOf((node["anyOf"] as Node[]).map(typeOf));
    if (Array.isArray(node["enum"])) return say.oneOf(node["enum"] as string[]);
    if ("allOf" in node || "properties" in node) return objectOf(node);
    const {
      type,
      minimum = -Infinity,
      maximum = Infinity,
    } = node as {
      type?: unknown;
      minimum?: number;
      maximum?: number;
    };
    if (Array.isArray(type)) {
      return isAnyType(type)
        ? say.any()
        : say.anyOf(type.map((each) => typeOf({ type: each as unknown })));
    }
    switch (type) {
      case "null":
      case "boolean":
      case "string":
        return say[type]();
      case "integer":
      case "number":
        return say[type](minimum, maximum);
      case "array":
        return say.list(typeOf(node["items"] as Node));
      case "object":
        return typeof node["additionalProperties"] === "object"
          ? say.map(typeOf(node["additionalProperties"] as Node))
          : say.object(new Map(), new Set());
      default:
        return say.any();
    }
  };
  const objectOf = (node: Node): Type => {
    const properties = new Map<string, Node>();
    const required = new Set<string>();
    const collect = (part: Node): void => {
      if (typeof part["$ref"] === "string") collect(definitions[part["$ref"].slice(14)]!);
      for (const each of (part["allOf"] as Node[] | undefined) ?? []) collect(each);
      for (const [key, each] of Object.entries((part["properties"] as object | undefined) ?? {})) {
        // A property of type `any` must not replace a stricter condition from another part.
        const isAny = isAnyType((each as Node)["type"]);
        if (!isAny || !properties.has(key)) properties.set(key, each as Node);
      }
      for (const key of (part["required"] as string[] | undefined) ?? []) required.add(key);
    };
    collect(node);
    return say.object(new Map([...properties].map(([key, each]) => [key, typeOf(each)])), required);
  };
  return definitionType(name);
}

/** Returns whether a type lists all seven JSON types and therefore restricts nothing. */
function isAnyType(type: unknown): boolean {
  return Array.isArray(type) && type.length === 7;
}
