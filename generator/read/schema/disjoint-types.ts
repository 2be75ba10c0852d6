import type { Property, Type } from "../../model/types.js";
import { isJsonObject } from "../source/json-text.js";
import { kindOf, valuesOf } from "./plain-types.js";
import { kindsOf } from "./reference-forms.js";
import type { NodeContext } from "./schema-node.js";

/**
 * Returns whether no value can belong to two of the given types. Compares only their kinds and
 * fixed values.
 */
export function areDisjoint(context: NodeContext, types: readonly Type[]): boolean {
  const parts = types.map((type) => partOf(context, type));
  return parts.every((one, index) => parts.slice(index + 1).every((two) => isDistinct(one, two)));
}

/** Facts about a type that distinguish its values from those of other types. */
interface Part {
  readonly kinds?: ReadonlySet<unknown>;
  /** All of the type's values if they are fixed. */
  readonly values?: ReadonlySet<unknown>;
  /** Required properties that have fixed values, with those values. */
  readonly fixed?: ReadonlyMap<string, ReadonlySet<unknown>>;
}

function partOf(context: NodeContext, type: Type): Part {
  if (type.kind === "reference")
    return { kinds: kindsOf(context, type.name), fixed: fixedOf(context, type.name) };
  const kinds = (type.kind === "union" ? type.members : [type]).map(kindOf);
  const part = { kinds: kinds.includes(undefined) ? undefined : new Set(kinds) };
  if (type.kind === "object") {
    const inherited = type.bases.flatMap((base) => [...fixedOf(context, base)]);
    return { ...part, fixed: new Map([...inherited, ...fixedProperties(type.properties)]) };
  }
  const values = valuesOf(type);
  return { ...part, values: values && new Set(values) };
}

function fixedProperties(
  properties: readonly Property[],
): readonly (readonly [string, ReadonlySet<unknown>])[] {
  return properties.flatMap(({ name, required, type }) => {
    const values = valuesOf(type);
    return required && values !== undefined ? [[name, new Set(values)] as const] : [];
  });
}

/** Finds the required properties that have fixed values, if the definition is a plain object. */
function fixedOf(context: NodeContext, name: string): ReadonlyMap<string, ReadonlySet<unknown>> {
  const node = context.references.nodeOf(name);
  const fixed = new Map<string, ReadonlySet<unknown>>();
  if (!isJsonObject(node)) return fixed;
  const { properties, required } = node;
  if (!isJsonObject(properties) || !Array.isArray(required) || node["type"] !== "object")
    return fixed;
  for (const [property, schema] of Object.entries(properties)) {
    if (!isJsonObject(schema) || !(required as unknown[]).includes(property)) continue;
    const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
    // Objects and arrays are skipped, because a set compares them by identity.
    if (Array.isArray(values) && values.every((each) => typeof each !== "object" || each === null))
      fixed.set(property, new Set(values));
  }
  return fixed;
}

function isDistinct(one: Part, two: Part): boolean {
  if (haveNoneInCommon(one.kinds, two.kinds)) return true;
  if (one.values !== undefined && two.values !== undefined)
    return haveNoneInCommon(one.values, two.values);
  return [...(one.fixed ?? [])].some(([name, values]) =>
    haveNoneInCommon(values, two.fixed?.get(name)),
  );
}

/** Returns whether two sets are known, and have no member in common. */
function haveNoneInCommon(
  one: ReadonlySet<unknown> | undefined,
  two: ReadonlySet<unknown> | undefined,
): boolean {
  return one !== undefined && two !== undefined && ![...one].some((each) => two.has(each));
}
