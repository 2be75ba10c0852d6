/** Sets an own property, even if it is called `__proto__`. */
export function setField(target: object, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  else (target as Record<string, unknown>)[name] = value;
}

/** Returns the value of an object's own property, or undefined if it has no such property. */
export function getField(source: unknown, name: string): unknown {
  return typeof source === "object" && source !== null && Object.hasOwn(source, name)
    ? (source as Record<string, unknown>)[name]
    : undefined;
}
