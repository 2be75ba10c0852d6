import { isNever } from "../../generator/model/type-checks.js";
import type { ArrayType } from "../../generator/model/types.js";

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
