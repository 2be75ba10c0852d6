/** Returns the part of a name that the `*` in a pattern such as `*Request` matches. */
export function stemOf(pattern: string, name: string): string | undefined {
  const [head = "", tail = ""] = pattern.split("*");
  return name.startsWith(head) && name.endsWith(tail) && name.length > head.length + tail.length
    ? name.slice(head.length, name.length - tail.length)
    : undefined;
}
