import type { Type, UnionType } from "../../generator/model/types.js";
import type { TypeLookup } from "./type-lookup.js";

/**
 * Creates each union of a version's types only once, so that recursive types lead to a finite
 * number of unions.
 */
export class Unions {
  readonly #side: TypeLookup;
  readonly #ids = new Map<Type, number>();
  readonly #unions = new Map<string, UnionType>();

  constructor(side: TypeLookup) {
    this.#side = side;
  }

  /** Returns the union of all alternatives of several types. */
  of(types: readonly Type[]): UnionType {
    const members = new Set<Type>();
    for (const type of types)
      for (const { resolved } of this.#side.membersOf(type)) members.add(resolved);
    const key = [...members]
      .map((member) => this.#idOf(member))
      .sort((a, b) => a - b)
      .join();
    let union = this.#unions.get(key);
    if (union === undefined)
      this.#unions.set(key, (union = { kind: "union", members: [...members] }));
    return union;
  }

  #idOf(type: Type): number {
    let id = this.#ids.get(type);
    if (id === undefined) this.#ids.set(type, (id = this.#ids.size));
    return id;
  }
}
