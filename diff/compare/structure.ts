import type { ArrayType, EnumType, ObjectType, Type } from "../../generator/model/types.js";
import { conditionsOf } from "./type-text.js";
import { WorkBudget } from "./work-budget.js";
import { isNever, itemTypeAt } from "../../generator/model/type-checks.js";
import type { Side } from "./side.js";
import { type Resolved } from "./type-form.js";

/**
 * Determines whether types from two versions have the same structure, regardless of how definitions
 * are named.
 */
export class StructureMatcher {
  readonly #before: Side;
  readonly #after: Side;
  readonly #budget: WorkBudget;
  /** Verdicts on pairs of types. A pair that is still being compared counts as equal. */
  readonly #verdicts = new TypePairs<boolean>();
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
    const known = this.#verdicts.get(before, after);
    if (known !== undefined) return known;
    const start = this.#alike.length;
    this.#alike.push([before, after]);
    this.#verdicts.set(before, after, true);
    const same = this.#isSameResolved(before, after);
    if (!same) {
      // The two types are not equal, so drop all later verdicts, which assumed that they were.
      for (const pair of this.#alike.splice(start)) this.#verdicts.delete(...pair);
      this.#verdicts.set(before, after, false);
    }
    return same;
  }

  #isSameResolved(before: Resolved, after: Resolved): boolean {
    if (before.kind === "object" && after.kind === "object")
      return this.#isSameObject(before, after);
    if (before.kind === "array" && after.kind === "array")
      return (
        (before.minItems ?? 0) === (after.minItems ?? 0) &&
        greatestLength(before) === greatestLength(after) &&
        itemIndexes(before, after).every((index) =>
          this.isSame(itemTypeAt(before, index), itemTypeAt(after, index)),
        )
      );
    if (before.kind === "map" && after.kind === "map")
      return this.isSame(before.values, after.values);
    if (before.kind === "enum" && after.kind === "enum") return isSameList(before, after);
    if (before.kind === "union" && after.kind === "union") {
      const rest = [...after.members];
      return (
        before.members.length === after.members.length &&
        before.members.every((member) => {
          const index = rest.findIndex((candidate) => this.isSame(member, candidate));
          if (index >= 0) rest.splice(index, 1);
          return index >= 0;
        })
      );
    }
    return before.kind === after.kind && flatText(before) === flatText(after);
  }

  #isSameObject(before: ObjectType, after: ObjectType): boolean {
    const properties = this.#before.propertiesOf(before);
    const byName = new Map(this.#after.propertiesOf(after).map((each) => [each.name, each]));
    return (
      before.extras === after.extras &&
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
export class TypePairs<Fact> {
  readonly #facts = new Map<Type, Map<Type, Fact>>();

  get(before: Type, after: Type): Fact | undefined {
    return this.#facts.get(before)?.get(after);
  }

  set(before: Type, after: Type, fact: Fact): void {
    const factsByAfter = this.#facts.get(before);
    if (factsByAfter === undefined) this.#facts.set(before, new Map([[after, fact]]));
    else factsByAfter.set(after, fact);
  }

  delete(before: Type, after: Type): void {
    this.#facts.get(before)?.delete(after);
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
