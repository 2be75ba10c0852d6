import type { Work } from "./coverage.js";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Returns the number of bytes that a call has read or copied. */
type Amount = (
  self: unknown,
  first: unknown,
  second: unknown,
  third: unknown,
  result: unknown,
) => number;

/** Methods that behave differently depending on the number of arguments. */
const variadic = new Set(["splice", "unshift", "concat"]);

/** How many bytes or characters a native method reads in the time that one step takes. */
const perStep = 16;

/**
 * Counts the work done by native methods. A loop that searches the whole text in each iteration is
 * quadratic even though it has few iterations. Backtracking in regular expressions is not counted;
 * it shows only in the time taken.
 */
export function countNativeWork(work: Work): void {
  const count = (owner: object, names: readonly string[], amount: Amount): void => {
    for (const name of names) {
      const method = (owner as Record<string, Method | undefined>)[name];
      if (method === undefined) continue;
      Object.defineProperty(owner, name, {
        configurable: true,
        writable: true,
        value: variadic.has(name)
          ? function (this: unknown, ...all: unknown[]): unknown {
              const result = Reflect.apply(method, this, all);
              work.done += amount(this, all[0], all[1], all[2], result) / perStep;
              return result;
            }
          : function (this: unknown, first: unknown, second: unknown, third: unknown): unknown {
              const result = method.call(this, first, second, third);
              work.done += amount(this, first, second, third, result) / perStep;
              return result;
            },
      });
    }
  };
  const lengthOf = (value: unknown): number =>
    typeof value === "string" || (typeof value === "object" && value !== null)
      ? Number((value as { length?: unknown }).length) || 0
      : 0;
  const found: Amount = (self, _, from, __, at) => {
    const start = typeof from === "number" && from > 0 ? from : 0;
    return Math.max(0, ((at as number) < 0 ? lengthOf(self) : (at as number)) - start);
  };
  const ofSelf: Amount = (self) => lengthOf(self);
  const ofResult: Amount = (_, __, ___, ____, result) =>
    typeof result === "number" ? result : lengthOf(result);
  const ofFirst: Amount = (_, first) => lengthOf(first);

  const bytes = Object.getPrototypeOf(Uint8Array.prototype) as object;
  count(bytes, ["set"], ofFirst);
  count(bytes, ["slice"], ofResult);
  count(bytes, ["copyWithin", "fill"], (self, _, start = 0, end = lengthOf(self)) =>
    Math.max(0, (end as number) - (start as number)),
  );
  count(bytes, ["indexOf"], found);
  count(Buffer.prototype, ["indexOf", "lastIndexOf", "includes"], found);
  count(Buffer.prototype, ["latin1Slice", "ucs2Slice", "utf8Slice", "utf8Write"], ofResult);
  count(String.prototype, ["indexOf", "search"], found);
  count(
    String.prototype,
    ["includes", "split", "replaceAll", "toLowerCase", "toUpperCase", "trim"],
    ofSelf,
  );
  count(Array.prototype, ["indexOf"], found);
  count(Array.prototype, ["includes", "splice", "shift", "unshift", "join", "reverse"], ofSelf);
  count(Array.prototype, ["slice", "concat"], ofResult);
  count(Object, ["keys", "values", "entries"], ofResult);
  count(JSON, ["parse"], ofFirst);
  count(JSON, ["stringify"], ofResult);
  count(TextDecoder.prototype, ["decode"], ofFirst);
  countMatches(work);
}

/** Counts the characters that regular expressions read up to the end of each match. */
function countMatches(work: Work): void {
  // Replace `exec` on the prototype, where string methods and `test` look it up on every call.
  const exec = RegExp.prototype.exec;
  Object.defineProperty(RegExp.prototype, "exec", {
    configurable: true,
    writable: true,
    value: function (this: RegExp, text: string): RegExpExecArray | null {
      const start = this.global || this.sticky ? this.lastIndex : 0;
      const match = Reflect.apply(exec, this, [text]);
      const end = match === null ? String(text).length : match.index + match[0].length;
      if (match !== null || !this.sticky) work.done += Math.max(0, end - start) / perStep;
      return match;
    },
  });
}
