import { checkedProperties } from "../../model/properties.js";
import { expectsOthers, itemTypes, unnamedTypes } from "../../model/type-checks.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";

/**
 * Finds the types whose values may contain unknown fields at some depth, which means that these
 * values have to be checked for such fields.
 */
export class CheckedTypes {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #known = new Map<string, boolean>();

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
  }

  has(type: Type): boolean {
    switch (type.kind) {
      case "reference":
        return this.#hasDefinition(type.name);
      case "array":
        return itemTypes(type).some((each) => this.has(each));
      case "map":
        return this.has(type.values);
      case "union":
        return type.members.some((each) => this.has(each));
      case "object":
        return this.hasObject(type);
      default:
        return false;
    }
  }

  #hasDefinition(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // Until the result is known, assume that a recursive definition has fields to check.
    this.#known.set(name, true);
    const { type, extensible } = this.#definitions.get(name)!;
    const result = type.kind === "object" ? this.hasObject(type, extensible) : this.has(type);
    this.#known.set(name, result);
    return result;
  }

  hasObject(type: ObjectType, isFree = false): boolean {
    const properties = checkedProperties(this.#definitions, type);
    return (
      !(isFree || isAnything(type, properties)) ||
      properties.some((each) => this.has(each.type)) ||
      unnamedTypes(type).some((each) => this.has(each))
    );
  }
}

/** Returns whether an object may have fields that its type does not name. */
export function isAnything(type: ObjectType, properties: readonly Property[]): boolean {
  return expectsOthers(type) || (type.extras === "open" && properties.length === 0);
}
