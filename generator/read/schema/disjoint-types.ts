import type { Property, Type } from "../../model/types.js";
import { isJsonObject } from "../source/json-text.js";
import { kindOf, type JsonKind } from "./plain-types.js";
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
  readonly kinds: ReadonlySet<JsonKind> | undefined;
  /** All of the type's values if they are fixed, otherwise undefined. */
  readonly values: ReadonlySet<unknown> | undefined;
  /** Required properties that have fixed values, with those values. */
  readonly fixed: ReadonlyMap<string, ReadonlySet<unknown>>;
}

function partOf(context: NodeContext, type: Type): Part {
  const none: ReadonlyMap<string, ReadonlySet<unknown>> = new Map();
  if (type.kind === "reference") {
    const kinds = kindsOf(context, type.name);
    return { kinds, values: undefined, fixed: fixedOf(context, type.name) };
  }
  if (type.kind === "union") {
    const kinds = type.members.map(kindOf).filter((kind) => kind !== undefined);
    const distinctKinds = kinds.length === type.members.length ? new Set(kinds) : undefined;
    return { kinds: distinctKinds, values: undefined, fixed: none };
  }
  const kind = kindOf(type);
  return {
    kinds: kind === undefined ? undefined : new Set([kind]),
    values: valuesOf(type),
    fixed:
      type.kind === "object"
        ? new Map([
            ...type.bases.flatMap((base) => [...fixedOf(context, base)]),
            ...fixedProperties(type.properties),
          ])
        : none,
  };
}

function valuesOf(type: Type): ReadonlySet<unknown> | undefined {
  if (type.kind === "literal") return new Set([type.value]);
  if (type.kind === "enum" && !type.open) return new Set(type.values.map(({ value }) => value));
  return undefined;
}

function fixedProperties(
  properties: readonly Property[],
): readonly (readonly [string, ReadonlySet<unknown>])[] {
  return properties.flatMap(({ name, required, type }) => {
    const values = valuesOf(type);
    return required && values !== undefined ? [[name, values] as const] : [];
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
  if (one.kinds !== undefined && two.kinds !== undefined) {
    const others = two.kinds;
    if (![...one.kinds].some((kind) => others.has(kind))) return true;
  }
  if (one.values !== undefined && two.values !== undefined) {
    const others = two.values;
    return ![...one.values].some((value) => others.has(value));
  }
  return [...one.fixed].some(([name, values]) => {
    const otherValues = two.fixed.get(name);
    return otherValues !== undefined && ![...values].some((value) => otherValues.has(value));
  });
}
