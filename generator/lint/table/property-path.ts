import { partOf } from "../../../runtime/base/json-pointer.js";

/** The part of a value at a path that is written with slashes. The empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  if (path.includes("/")) return partOf(value, `/${path}`);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, path)) return undefined;
  return (value as Record<string, unknown>)[path];
}
