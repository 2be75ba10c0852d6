import type { Type } from "../../generator/model/types.js";

/**
 * Maps pairs of types to facts. Types are compared by identity, because inline types have no names.
 */
export class TypePairs<Known> {
  readonly #known = new Map<Type, Map<Type, Known>>();

  get(before: Type, after: Type): Known | undefined {
    return this.#known.get(before)?.get(after);
  }

  set(before: Type, after: Type, known: Known): void {
    const others = this.#known.get(before);
    if (others === undefined) this.#known.set(before, new Map([[after, known]]));
    else others.set(after, known);
  }

  delete(before: Type, after: Type): void {
    this.#known.get(before)?.delete(after);
  }
}

/**
 * Returns whether a type has parts. Types without parts are cheap to compare and cannot be
 * recursive.
 */
export function hasParts({ kind }: Type): boolean {
  return kind === "object" || kind === "array" || kind === "map" || kind === "union";
}
