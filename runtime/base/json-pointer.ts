/** The part of a value that a JSON Pointer means. */
export function partOf(value: unknown, pointer: string): unknown {
  let part = value;
  for (const key of pointer.split("/").slice(1)) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string, unknown>)[key];
  }
  return part;
}
