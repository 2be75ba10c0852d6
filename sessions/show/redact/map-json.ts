/** How to copy a JSON value. The context is what a part's parents say about it. */
export interface JsonMapping<Context> {
  /** Returns the context of a property or item. */
  inner(name: string, value: unknown, parent: object, context: Context): Context;
  /** Called with each value before it is copied. */
  enter?(value: unknown, context: Context): Context;
  string(text: string, context: Context): string;
  number(value: number, context: Context): number;
  key(name: string, context: Context): string;
}

type Waiting<Context> = [value: unknown, context: Context, into: object, key: string];

const property = { enumerable: true, writable: true, configurable: true };

/**
 * Copies a JSON value part by part. Does not recurse, because a message may be nested deeper than
 * the stack.
 */
export function mapJson<Context>(
  root: unknown,
  context: Context,
  mapping: JsonMapping<Context>,
): unknown {
  const result: { root?: unknown } = {};
  const waiting: Waiting<Context>[] = [[root, context, result, "root"]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, outer, into, key] = next;
    const own = mapping.enter?.(value, outer) ?? outer;
    let copy: unknown = value;
    if (typeof value === "string") copy = mapping.string(value, own);
    else if (typeof value === "number") copy = mapping.number(value, own);
    else if (typeof value === "object" && value !== null) {
      const target: object = Array.isArray(value) ? [] : {};
      copy = target;
      const parts = (Object.entries(value) as [string, unknown][]).map(
        ([name, each]): Waiting<Context> => {
          const inner = Array.isArray(value) ? name : mapping.key(name, own);
          return [each, mapping.inner(name, each, value, own), target, inner];
        },
      );
      for (const part of parts.reverse()) waiting.push(part);
    }
    Object.defineProperty(into, key, { ...property, value: copy });
  }
  return result.root;
}
