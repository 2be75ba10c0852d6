/** The keys of a path that is written with slashes. */
export type PathKeys = readonly PathKey[];

interface PathKey {
  readonly name: string;
  /** Whether objects or lists without such a property inherit one. */
  readonly isInherited: boolean;
}

/** Paths split into keys. Paths come from tables: there are few. */
const parsed = new Map<string, PathKeys>();

/** The keys of a path. The empty path has none. */
export function keysOf(path: string): PathKeys {
  let keys = parsed.get(path);
  if (keys === undefined) {
    const names = path === "" ? [] : path.split("/");
    keys = names.map((name) => ({ name, isInherited: name in Array.prototype }));
    parsed.set(path, keys);
  }
  return keys;
}

/** The part of a value at a path that is written with slashes. The empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  return valueBy(value, keysOf(path));
}

/** The part of a value at the keys of a path. */
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

/** The part of a value at the first of some paths that is present. */
export function firstAt(value: unknown, paths: string | readonly string[]): unknown {
  if (typeof paths === "string") return valueAt(value, paths);
  for (const path of paths) {
    const part = valueAt(value, path);
    if (part !== undefined && part !== null) return part;
  }
  return undefined;
}

/** The key of an id that has two parts. The common ones are not printed as JSON, which takes longer than all the rest. */
export function pairKey(one: unknown, other: unknown): string {
  if (typeof one === "number") {
    if (typeof other === "number") return `${one},${other}`;
    if (typeof other === "string") return `${one},"${other}`;
  }
  return JSON.stringify([one, other]);
}
