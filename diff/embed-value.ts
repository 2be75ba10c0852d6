import { itemTypeAt } from "../generator/model/type-checks.js";
import type { Json, Type } from "../generator/model/types.js";
import { setField } from "../runtime/base/own-fields.js";
import type { Step } from "./compare/change.js";
import type { Pair, Way } from "./compare/definition-pairs.js";
import { smallestValue } from "./compare/smallest-values.js";
import type { Side } from "./compare/side.js";

/**
 * A message that contains a given value, and the pair of definitions that describes the message.
 */
interface Embedded {
  readonly message: Json;
  readonly root: Pair;
}

/**
 * Builds one version's smallest message that contains `value` at a given location inside a pair of
 * definitions.
 */
export function embed(
  writer: Side,
  pair: Pair,
  receiver: string,
  steps: readonly Step[],
  value: Json,
  isOld: boolean,
): Embedded {
  let whole = value;
  let inner = steps;
  let root = pair;
  for (let at: Pair | undefined = pair; at !== undefined;) {
    const name = isOld ? at.before : at.after;
    whole = place(writer, { kind: "reference", name }, inner, whole, isOld);
    const way: Way = at.ways.get(receiver)!;
    inner = way.steps;
    root = at;
    at = way.from;
  }
  return { message: whole, root };
}

/** Returns the type that the steps lead to in the new version. */
export function typeBelow(side: Side, type: Type, steps: readonly Step[]): Type | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return type;
  const resolved = side.resolve(type);
  switch (step.kind) {
    case "member":
      return typeBelow(side, step.after, rest);
    case "field":
      return typeBelow(side, fieldType(side, resolved, step.name), rest);
    case "items":
      return typeBelow(side, itemType(listOf(side, resolved), step.index), rest);
    case "values": {
      const map = firstOf(side, resolved, "map");
      return typeBelow(side, map?.kind === "map" ? map.values : { kind: "any" }, rest);
    }
  }
}

/** Builds the smallest value of a type that has `value` at the end of the steps. */
export function place(
  side: Side,
  type: Type,
  steps: readonly Step[],
  value: Json,
  isOld: boolean,
): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const resolved = side.resolve(type);
  switch (step.kind) {
    case "member":
      return place(side, isOld ? step.before : step.after, rest, value, isOld);
    case "field": {
      const whole = (smallestValue(side, objectOf(side, resolved)) ?? {}) as {
        [name: string]: Json;
      };
      setField(
        whole,
        step.name,
        place(side, fieldType(side, resolved, step.name), rest, value, isOld),
      );
      return whole;
    }
    case "items": {
      const list = listOf(side, resolved);
      const { index } = step;
      const item = place(side, itemType(list, index), rest, value, isOld);
      if (index === undefined) return Array<Json>(Math.max(1, list?.minItems ?? 0)).fill(item);
      return Array.from({ length: Math.max(index + 1, list?.minItems ?? 0) }, (_, each) =>
        each === index ? item : (smallestValue(side, itemType(list, each)) ?? null),
      );
    }
    case "values": {
      const map = firstOf(side, resolved, "map");
      return {
        key: place(side, map?.kind === "map" ? map.values : { kind: "any" }, rest, value, isOld),
      };
    }
  }
}

/**
 * Returns the type itself if it has the given kind, or otherwise its first alternative of that
 * kind. Nullable properties are common, and so are unions.
 */
function firstOf(side: Side, type: Type, kind: Type["kind"]): Type | undefined {
  const resolved = side.resolve(type);
  if (resolved.kind !== "union") return resolved.kind === kind ? resolved : undefined;
  return resolved.members.map((member) => side.resolve(member)).find((each) => each.kind === kind);
}

function objectOf(side: Side, type: Type): Type {
  return firstOf(side, type, "object") ?? type;
}

function listOf(side: Side, type: Type): Extract<Type, { kind: "array" }> | undefined {
  return firstOf(side, type, "array") as Extract<Type, { kind: "array" }> | undefined;
}

/** @param index Index of the item in a tuple. */
function itemType(list: Extract<Type, { kind: "array" }> | undefined, index = 0): Type {
  return list === undefined ? { kind: "any" } : itemTypeAt(list, index);
}

function fieldType(side: Side, type: Type, name: string): Type {
  const object = objectOf(side, type);
  const property =
    object.kind === "object"
      ? side.propertiesOf(object).find((each) => each.name === name)
      : undefined;
  return property?.type ?? { kind: "any" };
}
