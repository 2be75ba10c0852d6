import type { Type } from "../../model/types.js";

/** What is known of pairs of types, told apart by identity: a type that stands in place has no name. */
export class TypePairs<Known> {
  readonly #known = new Map<Type, Map<Type, Known>>();

  get(one: Type, other: Type): Known | undefined {
    return this.#known.get(one)?.get(other);
  }

  set(one: Type, other: Type, known: Known): void {
    const others = this.#known.get(one);
    if (others === undefined) this.#known.set(one, new Map([[other, known]]));
    else others.set(other, known);
  }

  delete(one: Type, other: Type): void {
    this.#known.get(one)?.delete(other);
  }
}

/** Whether a type has parts: others can be compared again at no cost, and cannot contain themselves. */
export function hasParts({ kind }: Type): boolean {
  return kind === "object" || kind === "array" || kind === "map" || kind === "union";
}
