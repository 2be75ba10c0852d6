import { isNever } from "../../model/type-checks.js";
import type { ArrayType } from "../../model/types.js";

/** The maximum number of items of an array. For a tuple, its length also limits the number. */
export function greatestLength({ first = [], items, maxItems = Infinity }: ArrayType): number {
  return isNever(items) ? Math.min(first.length, maxItems) : maxItems;
}

/** The indices to compare: each index of the tuples, and one index for all later items. */
export function itemIndexes(...lists: readonly ArrayType[]): readonly number[] {
  const tuple = Math.max(...lists.map(({ first = [] }) => first.length));
  const most = Math.min(tuple + 1, ...lists.map(greatestLength));
  return Array.from({ length: most }, (_, index) => index);
}

/** Whether each array has a single item type, so that one index is enough. */
export function isAnyItem(...lists: readonly ArrayType[]): boolean {
  return lists.every(({ first = [] }) => first.length === 0);
}
