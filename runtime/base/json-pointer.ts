/** Returns a key as one step of a JSON Pointer (RFC 6901): `/a~1b` for `a/b`. */
export function pointerStep(key: string): string {
  return `/${/[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
}

/** Returns the unescaped keys in a JSON Pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value that a JSON Pointer refers to, or undefined. */
export function partOf(value: unknown, pointer: string): unknown {
  let part = value;
  for (const key of parsePointer(pointer)) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string, unknown>)[key];
  }
  return part;
}
