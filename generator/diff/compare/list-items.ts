import { isNever } from "../../model/type-checks.js";
import type { ArrayType } from "../../model/types.js";

/** The greatest number of items: a tuple may end a list. */
export function greatestLength({ first = [], items, maxItems = Infinity }: ArrayType): number {
  return isNever(items) ? Math.min(first.length, maxItems) : maxItems;
}

/** The indexes to compare: one for each position of a tuple, and one for all items after the tuple. */
export function itemIndexes(...lists: readonly ArrayType[]): readonly number[] {
  const tuple = Math.max(...lists.map(({ first = [] }) => first.length));
  const most = Math.min(tuple + 1, ...lists.map(greatestLength));
  return Array.from({ length: most }, (_, index) => index);
}

/** Whether an index applies to all items of two lists. */
export function isAnyItem(...lists: readonly ArrayType[]): boolean {
  return lists.every(({ first = [] }) => first.length === 0);
}
