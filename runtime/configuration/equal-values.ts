import { isObject } from "../protocol/message-fields.js";

/** Whether two JSON values are equal, whatever the order of their properties. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => areEqual(item, b[index]))
    );
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && areEqual(a[name], b[name]))
  );
}

/** The first two equal items of a list, by their index. */
export function equalItems(list: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  const containers: number[] = [];
  for (const [index, item] of list.entries()) {
    if (typeof item === "object" && item !== null) {
      const before = containers.find((other) => areEqual(list[other], item));
      if (before !== undefined) return [before, index];
      containers.push(index);
    } else {
      const before = seen.get(item);
      if (before !== undefined) return [before, index];
      seen.set(item, index);
    }
  }
  return undefined;
}
