import type { RuleNode } from "./rule-node.js";
import type { Rule } from "./rule.js";

/** Describes the values that a rule accepts. */
export function expectedText(node: RuleNode): string {
  return (node.text ??= describe(node));
}

function describe(node: RuleNode): string {
  switch (node.kind) {
    case "any":
      return boundedText("any");
    case "null":
      return boundedText("null");
    case "boolean":
      return boundedText("boolean");
    case "string":
      return boundedText("string", node.min, node.max);
    case "number":
      return boundedText("number", node.min, node.max);
    case "integer":
      return boundedText("integer", node.min, node.max);
    case "value":
      return JSON.stringify(node.value);
    case "oneOf":
      return oneOfText(node.values);
    case "list":
      return `an array${sizeText(node.min, node.max, "item")}`;
    case "anyOf":
      return node.members.length === 0
        ? "nothing"
        : [...new Set(node.members.map(expectedText))].join(" or ");
    case "late":
      return expectedText(node.target());
    case "checked":
      return expectedText(node.of);
    default:
      return "an object";
  }
}

/** Describes a choice of values: `one of "a", "b"`. */
export function oneOfText(values: readonly unknown[]): string {
  return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

/** Describes a primitive value. */
export function boundedText(
  type: Extract<Rule, string>,
  min: number = -Infinity,
  max: number = Infinity,
): string {
  switch (type) {
    case "any":
      return "any value";
    case "null":
      return type;
    case "boolean":
      return "true or false";
    case "string":
      return `a string${sizeText(min, max, "character")}`;
    default:
      return `${type === "number" ? "a" : "an"} ${type}${rangeText(min, max)}`;
  }
}

/** Describes a number of items or characters: " of at least 1 item". */
export function sizeText(min: number, max: number, what: string): string {
  if (min <= 0 && max === Infinity) return "";
  const bounds =
    max === Infinity ? `at least ${min}` : min <= 0 ? `at most ${max}` : `${min} to ${max}`;
  return ` of ${bounds} ${what}${bounds.endsWith(" 1") ? "" : "s"}`;
}

function rangeText(min: number, max: number): string {
  const from = min === -Infinity ? "" : ` from ${boundText(min)}`;
  return max === Infinity ? from : `${from}${from === "" ? " up" : ""} to ${boundText(max)}`;
}

/** Writes the bounds of machine integers as powers of two. */
function boundText(value: number): string {
  const bound = Math.abs(value) + (value > 0 ? 1 : 0);
  const power = Math.round(Math.log2(bound));
  if (power >= 15 && 2 ** power === bound) return value > 0 ? `2^${power}-1` : `-2^${power}`;
  return value === Number.MIN_SAFE_INTEGER ? "-(2^53-1)" : String(value);
}
