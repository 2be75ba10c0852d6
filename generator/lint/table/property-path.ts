/** The keys of paths. Paths stand in tables: there are few. */
const parsed = new Map<string, readonly string[]>();

/** The part of a value at a path that is written with slashes. The empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  let keys = parsed.get(path);
  if (keys === undefined) parsed.set(path, (keys = path.split("/")));
  let part = value;
  for (const key of keys) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string, unknown>)[key];
  }
  return part;
}

/** The key of an id that has two parts. */
export function pairKey(one: unknown, other: unknown): string {
  return JSON.stringify([one, other]);
}
