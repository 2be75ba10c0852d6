import { hasCharacters, isObject } from "../protocol/message-fields.js";
import { boundedText, oneOfText, sizeText } from "./expected-text.js";
import type { Tolerance, ValidationIssue, ValidationIssueCode } from "./findings.js";
import { isShortNumeral } from "./issues.js";
import type { PlainProperty, PlainRuleNode } from "./plain-node.js";

/**
 * Finds the issue with a property as a whole. Returns undefined if there is none, or if the fault
 * lies inside the property's value.
 */
export function propertyIssue(
  { node, required, part, missing }: PlainProperty,
  message: boolean,
  field: unknown,
  path: string,
): ValidationIssue | undefined {
  if (field === undefined) return plainIssue(node, field, path, "missing", missing);
  const code = plainCode(node, field);
  // A recursive type does not accept null.
  if (code === undefined && (field !== null || node.type !== "late")) return undefined;
  if (field === null) {
    const isEssential = message && required && (part === undefined || part === "replyTo");
    return plainIssue(node, field, path, "wrong-type", isEssential ? undefined : "null");
  }
  const rule =
    field === 0 && (part === "id" || part === "replyTo")
      ? "id-unset"
      : part === "id" && node.type === "integer" && isShortNumeral(field)
        ? "id-text"
        : undefined;
  return codeIssue(node, field, path, code!, rule);
}

/** Returns the issue code for a value that is wrong as a whole, or undefined if it is not. */
export function plainCode(
  { type, min, max, allowed, members }: PlainRuleNode,
  value: unknown,
): ValidationIssueCode | undefined {
  let isRight = false;
  switch (type) {
    case "any":
    case "late":
      return undefined;
    case "null":
      isRight = value === null;
      break;
    case "boolean":
      isRight = typeof value === type;
      break;
    case "string":
      if (typeof value === type)
        return hasCharacters(value as string, min, max) ? undefined : "wrong-size";
      break;
    case "number":
    case "integer":
      if (type === "number" ? Number.isFinite(value) : Number.isInteger(value))
        return (value as number) >= min && (value as number) <= max ? undefined : "out-of-range";
      break;
    case "value":
    case "oneOf":
      if (allowed!.includes(value as string)) return undefined;
      if (type === "value") return "wrong-value";
      if (typeof value === typeof allowed![0]) return "not-in-enum";
      break;
    case "anyOf":
      isRight = members!.some((each) => plainCode(each, value) === undefined);
      break;
    case "list":
      isRight = Array.isArray(value);
      break;
    default:
      isRight = isObject(value);
  }
  return isRight ? undefined : "wrong-type";
}

/**
 * Creates the issue for a value that is wrong as a whole. For an enum, the issue lists the
 * permitted values.
 */
export function codeIssue(
  node: PlainRuleNode,
  received: unknown,
  pointer: string,
  code: ValidationIssueCode,
  rule?: Tolerance,
): ValidationIssue {
  const { type, allowed } = node;
  if (code === "not-in-enum") rule = "closed-enum";
  if (code === "out-of-range" && type === "integer" && Number.isSafeInteger(received))
    rule ??= "integer-range";
  const issue: { allowed?: ValidationIssue["allowed"] } & ValidationIssue = plainIssue(
    node,
    received,
    pointer,
    code,
    rule,
  );
  if (type === "oneOf") issue.allowed = allowed!;
  return issue;
}

export function plainIssue(
  node: PlainRuleNode,
  received: unknown,
  pointer: string,
  code: ValidationIssueCode,
  rule?: Tolerance,
): ValidationIssue {
  const expected = (node.text ??= plainText(node));
  return rule === undefined
    ? { pointer, code, expected, received }
    : { pointer, code, expected, received, rule };
}

/** Describes the values that a rule accepts. */
function plainText({ type, min, max, allowed, target, members }: PlainRuleNode): string {
  switch (type) {
    case "anyOf":
      return [...new Set(members!.map(plainText))].join(" or ");
    case "late":
      return plainText(target!());
    case "value":
      return JSON.stringify(allowed![0]);
    case "oneOf":
      return oneOfText(allowed!);
    case "list":
      return `an array${sizeText(min, max, "item")}`;
    case "map":
    case "object":
      return "an object";
    default:
      return boundedText(type, min, max);
  }
}
