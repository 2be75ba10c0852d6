import { lineWidth } from "./source-file.js";

/** A condition: either an expression, or several conditions joined by one operator. */
export type Condition =
  string | { readonly operator: "&&" | "||"; readonly parts: readonly Condition[] };

/** Joins conditions with `&&`. An undefined condition always holds, so it is omitted. */
export function allOf(...parts: readonly (Condition | undefined)[]): Condition | undefined {
  return join("&&", parts);
}

/**
 * Joins conditions with `||`. An undefined condition always holds, so if there is one, the result
 * is undefined as well.
 */
export function anyOf(...parts: readonly (Condition | undefined)[]): Condition | undefined {
  return parts.includes(undefined) ? undefined : join("||", parts);
}

function join(
  operator: "&&" | "||",
  parts: readonly (Condition | undefined)[],
): Condition | undefined {
  const flat = parts
    .filter((part) => part !== undefined)
    .flatMap((part) =>
      typeof part === "object" && part.operator === operator ? part.parts : [part],
    );
  if (flat.length <= manyParts) return flat.length > 1 ? { operator, parts: flat } : flat[0];
  const groups: Condition[] = [];
  for (let start = 0; start < flat.length; start += manyParts)
    groups.push({ operator, parts: flat.slice(start, start + manyParts) });
  return { operator, parts: groups };
}

/** Maximum number of parts in a row. Compilers recurse for each, and would overflow their stack. */
const manyParts = 200;

/** Prints a condition on one line. */
export function printFlat(condition: Condition, nested = false): string {
  if (typeof condition === "string") return condition;
  const text = condition.parts.map((part) => printFlat(part, true)).join(` ${condition.operator} `);
  return nested ? `(${text})` : text;
}

/**
 * Prints `return` with a condition, breaking it in the same way as Prettier if it exceeds the line
 * width.
 */
export function printReturn(condition: Condition, indent: number): string {
  const flat = `return ${printFlat(condition)};`;
  if (indent + flat.length <= lineWidth) return flat;
  if (typeof condition === "string") return flat;
  const inside = printFlat(condition);
  return indent + 2 + inside.length <= lineWidth
    ? `return (\n  ${inside}\n);`
    : `return (\n  ${printParts(condition, indent + 2, 0).replaceAll("\n", "\n  ")}\n);`;
}

/**
 * Prints each part of a condition on a line of its own, breaking nested conditions that do not fit.
 */
function printParts(
  { operator, parts }: Exclude<Condition, string>,
  indent: number,
  trailing: number,
): string {
  return parts
    .map((part, index) => {
      const after = index === parts.length - 1 ? trailing : operator.length + 1;
      const flat = printFlat(part, true);
      if (typeof part === "string" || indent + flat.length + after <= lineWidth) return flat;
      return `(${printParts(part, indent + 2, after + 1).replaceAll("\n", "\n  ")})`;
    })
    .join(` ${operator}\n`);
}
