import { hasCharacters, isObject } from "../protocol/message-fields.js";
import { boundedText, oneOfText, sizeText } from "./expected-text.js";
import type { Tolerance, ValidationIssue, ValidationIssueCode } from "./findings.js";
import { isShortNumeral } from "./issues.js";
import type { PlainProperty, PlainRuleNode } from "./plain-node.js";

/** The issue with a property as a whole. Undefined if there is none, or inside its value. */
export function propertyIssue(
  { node, required, part, missing }: PlainProperty,
  message: boolean,
  field: unknown,
  path: string,
): ValidationIssue | undefined {
  if (field === undefined) return plainIssue(node, field, path, "missing", missing);
  if (field === null && !plainTakesNull(node)) {
    const isEssential = message && required && (part === undefined || part === "replyTo");
    return plainIssue(node, field, path, "wrong-type", isEssential ? undefined : "null");
  }
  const code = plainCode(node, field);
  if (code === undefined) return undefined;
  if (field === 0 && (part === "id" || part === "replyTo"))
    return plainIssue(node, field, path, code, "id-unset");
  if (part === "id" && node.type === "integer" && isShortNumeral(field))
    return plainIssue(node, field, path, code, "id-text");
  return codeIssue(node, field, path, code);
}

function plainTakesNull({ type, members }: PlainRuleNode): boolean {
  return type === "any" || type === "null" || members?.some(plainTakesNull) === true;
}

/** The fault of a value as a whole. */
export function plainCode(
  { type, min, max, allowed, members }: PlainRuleNode,
  value: unknown,
): ValidationIssueCode | undefined {
  switch (type) {
    case "any":
    case "late":
      return undefined;
    case "null":
      return value === null ? undefined : "wrong-type";
    case "boolean":
      return typeof value === type ? undefined : "wrong-type";
    case "string":
      if (typeof value !== type) return "wrong-type";
      return hasCharacters(value as string, min, max) ? undefined : "wrong-size";
    case "number":
    case "integer":
      if (!(type === "number" ? Number.isFinite(value) : Number.isInteger(value)))
        return "wrong-type";
      return (value as number) >= min && (value as number) <= max ? undefined : "out-of-range";
    case "value":
    case "oneOf":
      if (allowed!.includes(value as string)) return undefined;
      if (type === "value") return "wrong-value";
      return typeof value === typeof allowed![0] ? "not-in-enum" : "wrong-type";
    case "anyOf":
      return members!.some((each) => plainCode(each, value) === undefined)
        ? undefined
        : "wrong-type";
    case "list":
      return Array.isArray(value) ? undefined : "wrong-type";
    default:
      return isObject(value) ? undefined : "wrong-type";
  }
}

/** The issue of a value that is wrong as a whole. */
export function codeIssue(
  node: PlainRuleNode,
  received: unknown,
  pointer: string,
  code: ValidationIssueCode,
): ValidationIssue {
  const { type, allowed } = node;
  if (type !== "oneOf") {
    const isTooMuch =
      code === "out-of-range" && type === "integer" && Number.isSafeInteger(received);
    return plainIssue(node, received, pointer, code, isTooMuch ? "integer-range" : undefined);
  }
  const rule = code === "not-in-enum" ? "closed-enum" : undefined;
  return { ...plainIssue(node, received, pointer, code, rule), allowed: allowed! };
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

/** The values that a rule accepts, in words. */
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
