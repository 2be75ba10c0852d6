import type { ArrayType, EnumType, ObjectType, Type } from "../../generator/model/types.js";
import { conditionsOf } from "./type-text.js";
import { WorkBudget } from "./work-budget.js";
import { isNever, itemTypeAt } from "../../generator/model/type-checks.js";
import type { Resolved, Side } from "./side.js";

/**
 * Determines whether types from two versions have the same structure, regardless of how definitions
 * are named.
 */
export class StructureMatcher {
  readonly #before: Side;
  readonly #after: Side;
  readonly #budget: WorkBudget;
  /** Verdicts on pairs of types. A pair that is still being compared counts as equal. */
  readonly #known = new TypePairs<boolean>();
  /** The pairs judged to be equal, in order. Each verdict may depend on earlier ones. */
  readonly #alike: (readonly [Type, Type])[] = [];

  constructor(before: Side, after: Side, budget = new WorkBudget()) {
    this.#before = before;
    this.#after = after;
    this.#budget = budget;
  }

  isSame(typeBefore: Type, typeAfter: Type): boolean {
    this.#budget.spend();
    const [before, after] = [this.#before.resolve(typeBefore), this.#after.resolve(typeAfter)];
    if (conditionsOf(typeBefore, before) !== conditionsOf(typeAfter, after)) return false;
    if (!hasParts(before)) return before.kind === after.kind && this.#isSameResolved(before, after);
    const known = this.#known.get(before, after);
    if (known !== undefined) return known;
    const start = this.#alike.length;
    this.#alike.push([before, after]);
    this.#known.set(before, after, true);
    const same = this.#isSameResolved(before, after);
    if (!same) {
      // The two types are not equal, so drop all later verdicts, which assumed that they were.
      for (const pair of this.#alike.splice(start)) this.#known.delete(...pair);
      this.#known.set(before, after, false);
    }
    return same;
  }

  #isSameResolved(a: Resolved, b: Resolved): boolean {
    if (a.kind === "object" && b.kind === "object") return this.#isSameObject(a, b);
    if (a.kind === "array" && b.kind === "array")
      return (
        (a.minItems ?? 0) === (b.minItems ?? 0) &&
        greatestLength(a) === greatestLength(b) &&
        itemIndexes(a, b).every((index) => this.isSame(itemTypeAt(a, index), itemTypeAt(b, index)))
      );
    if (a.kind === "map" && b.kind === "map") return this.isSame(a.values, b.values);
    if (a.kind === "enum" && b.kind === "enum") return isSameList(a, b);
    if (a.kind === "union" && b.kind === "union") {
      const rest = [...b.members];
      return (
        a.members.length === b.members.length &&
        a.members.every((member) => {
          const index = rest.findIndex((candidate) => this.isSame(member, candidate));
          if (index >= 0) rest.splice(index, 1);
          return index >= 0;
        })
      );
    }
    return a.kind === b.kind && flatText(a) === flatText(b);
  }

  #isSameObject(a: ObjectType, b: ObjectType): boolean {
    const properties = this.#before.propertiesOf(a);
    const byName = new Map(this.#after.propertiesOf(b).map((each) => [each.name, each]));
    return (
      a.extras === b.extras &&
      properties.length === byName.size &&
      properties.every((property) => {
        const match = byName.get(property.name);
        return (
          match !== undefined &&
          match.required === property.required &&
          this.isSame(property.type, match.type)
        );
      })
    );
  }
}

/** Returns whether two enums have the same values, and are both open or both closed. */
export function isSameList(before: EnumType, after: EnumType): boolean {
  const values = new Set(after.values.map(({ value }) => value));
  return (
    before.open === after.open &&
    before.values.length === values.size &&
    before.values.every(({ value }) => values.has(value))
  );
}

/** Serializes a type without parts, with sorted keys. */
function flatText(type: object): string {
  return JSON.stringify(Object.entries(type).sort(([a], [b]) => (a < b ? -1 : 1)));
}

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

/** Returns the maximum number of items in an array. A tuple is also limited by its length. */
export function greatestLength({ first = [], items, maxItems = Infinity }: ArrayType): number {
  return isNever(items) ? Math.min(first.length, maxItems) : maxItems;
}

/**
 * Returns the indices to compare: every index in the tuples, and one more that represents all later
 * items.
 */
export function itemIndexes(...lists: readonly ArrayType[]): readonly number[] {
  const tuple = Math.max(...lists.map(({ first = [] }) => first.length));
  const most = Math.min(tuple + 1, ...lists.map(greatestLength));
  return Array.from({ length: most }, (_, index) => index);
}

/** Returns whether each array has a single item type, so that one index is enough. */
export function isAnyItem(...lists: readonly ArrayType[]): boolean {
  return lists.every(({ first = [] }) => first.length === 0);
}
