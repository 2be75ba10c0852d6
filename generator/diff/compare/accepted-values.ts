import type { Json, ObjectType, Type } from "../../model/types.js";
import { Effort } from "./effort.js";
import type { Side } from "./side.js";

/**
 * Tells what a reader takes: by the schema, or, if it is `closed`, nothing that the schema does not name. Verdicts
 * on lists and objects are remembered, so that alternatives which differ far inside are not tried again and again.
 */
export class AcceptedValues {
  readonly #side: Side;
  readonly #closed: boolean;
  readonly #effort: Effort;
  readonly #known = new WeakMap<object, Map<Type, boolean>>();

  constructor(side: Side, closed: boolean, effort = new Effort()) {
    this.#side = side;
    this.#closed = closed;
    this.#effort = effort;
  }

  /** @param value Is not changed after it has been asked for. */
  has(type: Type, value: Json): boolean {
    this.#effort.spend();
    if (type.kind === "union" || type.kind === "reference")
      return this.#side.alternativesOf(type).some((each) => this.has(each, value));
    if (typeof value !== "object" || value === null || type.kind === "any")
      return isAcceptedPlain(type, value, this.#closed);
    let known = this.#known.get(value);
    if (known === undefined) this.#known.set(value, (known = new Map()));
    let verdict = known.get(type);
    if (verdict === undefined) known.set(type, (verdict = this.#hasParts(type, value)));
    return verdict;
  }

  #hasParts(type: Type, value: object): boolean {
    if (isList(value))
      return (
        type.kind === "array" &&
        isWithin(value.length, type.minItems ?? 0, type.maxItems ?? Infinity) &&
        value.every((item) => this.has(type.items, item))
      );
    const fields = value as { readonly [name: string]: Json };
    if (type.kind === "map")
      return Object.values(fields).every((each) => this.has(type.values, each));
    return type.kind === "object" && this.#hasObject(type, fields);
  }

  #hasObject(type: ObjectType, value: { readonly [name: string]: Json }): boolean {
    const properties = this.#side.propertiesOf(type);
    const known = properties.every((property) =>
      Object.hasOwn(value, property.name)
        ? this.has(property.type, value[property.name]!)
        : !property.required,
    );
    if (!known || !(type.extras === "closed" || (this.#closed && properties.length > 0)))
      return known;
    const names = new Set(properties.map(({ name }) => name));
    return Object.keys(value).every((name) => names.has(name));
  }
}

function isAcceptedPlain(type: Type, value: Json, closed: boolean): boolean {
  switch (type.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return (
        typeof value === "string" &&
        isWithin([...value].length, type.minLength ?? 0, type.maxLength ?? Infinity)
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (type.kind === "number" || Number.isInteger(value)) &&
        isWithin(value, type.minimum ?? -Infinity, type.maximum ?? Infinity)
      );
    case "literal":
      return value === type.value;
    case "enum":
      return type.open && !closed
        ? type.values.some((each) => typeof each.value === typeof value)
        : type.values.some((each) => each.value === value);
    default:
      return false;
  }
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function isWithin(value: number, least: number, greatest: number): boolean {
  return value >= least && value <= greatest;
}
