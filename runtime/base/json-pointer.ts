/** A key as one step of a JSON Pointer (RFC 6901): `/a~1b` for `a/b`. */
export function pointerStep(key: string): string {
  return `/${/[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
}

/** The unescaped keys of a JSON Pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a JSON Pointer, or undefined. */
export function partOf(value: unknown, pointer: string): unknown {
  let part = value;
  for (const key of parsePointer(pointer)) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string, unknown>)[key];
  }
  return part;
}
