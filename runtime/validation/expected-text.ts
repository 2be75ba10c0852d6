import { kinds } from "./rule-kinds.js";
import type { RuleNode } from "./rule-node.js";

/** The values that a rule accepts, in words. */
export function expectedText(node: RuleNode): string {
  return (node.text ??= describe(node));
}

function describe(node: RuleNode): string {
  switch (node.kind) {
    case kinds.any:
      return "any value";
    case kinds.null:
      return "null";
    case kinds.boolean:
      return "true or false";
    case kinds.string:
      return `a string${sizeText(node, "character")}`;
    case kinds.number:
      return `a number${rangeText(node)}`;
    case kinds.integer:
      return `an integer${rangeText(node)}`;
    case kinds.value:
      return JSON.stringify(node.value);
    case kinds.oneOf:
      return oneOfText(node.values);
    case kinds.list:
      return `a list${sizeText(node, "item")}`;
    case kinds.anyOf:
      return node.members.length === 0
        ? "nothing"
        : [...new Set(node.members.map(expectedText))].join(" or ");
    case kinds.late:
      return expectedText(node.target());
    case kinds.checked:
      return expectedText(node.of);
    default:
      return "an object";
  }
}

/** Lists values: `one of "a", "b"`. */
export function oneOfText(values: readonly unknown[]): string {
  return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

interface ShownBounds {
  readonly min: number;
  readonly max: number;
}

function sizeText({ min, max }: ShownBounds, what: string): string {
  if (min <= 0 && max === Infinity) return "";
  const bounds =
    max === Infinity ? `at least ${min}` : min <= 0 ? `at most ${max}` : `${min} to ${max}`;
  return ` of ${bounds} ${what}${bounds.endsWith(" 1") ? "" : "s"}`;
}

function rangeText({ min, max }: ShownBounds): string {
  const from = min === -Infinity ? "" : ` from ${boundText(min)}`;
  return max === Infinity ? from : `${from}${from === "" ? " up" : ""} to ${boundText(max)}`;
}

/** Shows the bounds of machine integers as powers of two. */
function boundText(value: number): string {
  const bound = Math.abs(value) + (value > 0 ? 1 : 0);
  const power = Math.round(Math.log2(bound));
  if (power >= 15 && 2 ** power === bound) return value > 0 ? `2^${power}-1` : `-2^${power}`;
  return value === Number.MIN_SAFE_INTEGER ? "-(2^53-1)" : String(value);
}
