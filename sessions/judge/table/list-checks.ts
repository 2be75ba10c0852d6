import { isObject } from "../../../runtime/index.js";
import { rememberedKey } from "../../read/remembered.js";
import { firstAt, keysOf, valueAt, valueBy, type PathKeys } from "./property-path.js";
import type { CountRule, ListKeys } from "./rule-table.js";

/** An array item, and its JSON Pointer in the value that contains the array. */
export interface FoundItem {
  readonly value: unknown;
  readonly place: string;
}

/** Finds the items that share a key with an earlier item. */
export function repeatedItems({ each, by }: ListKeys, body: unknown): readonly FoundItem[] {
  const seen = new Set<unknown>();
  const found: FoundItem[] = [];
  const items = listAt(body, each);
  const paths = by.map(keysOf);
  for (let index = 0; index < items.length; index++) {
    const value = items[index];
    const key = keyOf(value, paths);
    if (key === undefined || seen.size !== seen.add(key).size) continue;
    found.push({ value, place: `/${each}/${index}` });
  }
  return found;
}

/**
 * Finds the first item whose key is lower than the previous item's key. An absent key counts as
 * zero.
 */
export function unsortedItems({ each, by }: ListKeys, body: unknown): readonly FoundItem[] {
  const items = listAt(body, each);
  const keyOf = (item: unknown, path: string): number => Number(valueAt(item, path) ?? 0);
  const at = items.findIndex((value, index) => {
    const before = items[index - 1];
    if (before === undefined) return false;
    const path = by.find((key) => keyOf(before, key) !== keyOf(value, key));
    return path !== undefined && keyOf(value, path) < keyOf(before, path);
  });
  return at < 0 ? [] : [{ value: items[at], place: `/${each}/${at}` }];
}

/**
 * Returns the number of items that a request asks for, or undefined if the request does not contain
 * that number.
 */
export function expectedCount({ of }: CountRule, body: unknown): number | undefined {
  const counts = of
    .map((paths) => firstAt(body, paths))
    .map((value) => (Array.isArray(value) ? value.length : value))
    .filter((count): count is number => typeof count === "number");
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Returns an item's key, or undefined if the item has none of the properties that form the key. */
function keyOf(item: unknown, by: readonly PathKeys[]): unknown {
  if (by.length === 1) return rememberedKey(valueBy(item, by[0]!));
  const keys = by.map((path) => valueBy(item, path));
  return keys.every((key) => key === undefined) ? undefined : JSON.stringify(keys);
}

/** Returns the items of the array at a path. Empty if there is no array. */
export function listAt(body: unknown, path: string): readonly unknown[] {
  const list = isObject(body) ? valueAt(body, path) : undefined;
  return Array.isArray(list) ? (list as unknown[]) : nothing;
}

const nothing: readonly never[] = [];

/** Returns the items of the array at a path, with their locations. */
export function itemsAt(body: unknown, path: string): readonly FoundItem[] {
  return listAt(body, path).map((value, index) => ({ value, place: `/${path}/${index}` }));
}
