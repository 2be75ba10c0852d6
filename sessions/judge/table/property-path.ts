/** The keys in a path: `body/threads` has the keys `body` and `threads`. */
export type PathKeys = readonly PathKey[];

interface PathKey {
  readonly name: string;
  /** Whether objects or arrays inherit a property with this key. */
  readonly isInherited: boolean;
}

/**
 * Caches the keys of each path. The cache stays small, because paths come only from rule tables.
 */
const parsed = new Map<string, PathKeys>();

/** Splits a path into its keys. The empty path has none. */
export function keysOf(path: string): PathKeys {
  let keys = parsed.get(path);
  if (keys === undefined) {
    const names = path === "" ? [] : path.split("/");
    keys = names.map((name) => ({ name, isInherited: name in Array.prototype }));
    parsed.set(path, keys);
  }
  return keys;
}

/** Returns the part of a value at a path. The empty path refers to the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  return valueBy(value, keysOf(path));
}

/** Returns the part of a value at a path that has been split into keys. */
export function valueBy(value: unknown, keys: PathKeys): unknown {
  let part = value;
  for (let index = 0; index < keys.length; index++) {
    if (typeof part !== "object" || part === null) return undefined;
    const { name, isInherited } = keys[index]!;
    if (isInherited && !Object.hasOwn(part, name)) return undefined;
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

/** Returns the part of a value at the first of several paths that exists in it. */
export function firstAt(value: unknown, paths: string | readonly string[]): unknown {
  if (typeof paths === "string") return valueAt(value, paths);
  for (const path of paths) {
    const part = valueAt(value, path);
    if (part !== undefined && part !== null) return part;
  }
  return undefined;
}

/**
 * Combines the two parts of an id into a string. For speed, common types are not converted to JSON.
 */
export function pairKey(one: unknown, other: unknown): string {
  if (typeof one === "number") {
    if (typeof other === "number") return `${one},${other}`;
    if (typeof other === "string") return `${one},"${other}`;
  }
  return JSON.stringify([one, other]);
}
