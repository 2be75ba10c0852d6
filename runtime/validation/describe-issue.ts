import { isBranded, setBrand } from "../base/errors.js";
import { nearestText } from "../base/nearest-text.js";
import type { ValidationIssue } from "./findings.js";

/** Maximum length of a string in a description. */
const shownCharacters = 80;

/** Maximum length of a path in a description. */
const shownPath = 200;

const invalidMessageBrand = /* @__PURE__ */ Symbol.for("wirewright.InvalidMessageError");

/**
 * Thrown when a message is invalid. An invalid outgoing message is not sent. Check `code` for the
 * reason.
 */
export class InvalidMessageError extends TypeError {
  override readonly name = "InvalidMessageError";
  readonly code = "ERR_INVALID_MESSAGE";
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    super(`The message is invalid: ${issues.map(describeIssue).join("; ")}`);
    this.issues = issues;
    setBrand(this, invalidMessageBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, InvalidMessageError, invalidMessageBrand, value);
  }
}

/** Describes an issue: "`/body/threadId`: expected an integer from 0 to 2^31-1, received -1". */
export function describeIssue(issue: ValidationIssue): string {
  const { pointer, expected, received, allowed } = issue;
  const shown =
    pointer.length <= shownPath
      ? pointer
      : `${pointer.slice(0, 60)}…${pointer.slice(60 - shownPath)}`;
  const place = pointer === "" ? "the message" : `\`${shown}\``;
  const texts = (allowed ?? []).filter((value): value is string => typeof value === "string");
  const near =
    typeof received === "string"
      ? nearestText(received.slice(0, shownCharacters), texts)
      : undefined;
  const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return `${place}: expected ${expected}, received ${receivedText(received)}${hint}`;
}

/** Describes a received value: primitives as JSON, objects in words. */
function receivedText(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return JSON.stringify(
        value.length <= shownCharacters ? value : `${value.slice(0, shownCharacters)}…`,
      );
    case "object":
      return value === null ? "null" : objectText(value);
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

function objectText(value: object): string {
  try {
    return Array.isArray(value)
      ? `an array of ${value.length} ${value.length === 1 ? "item" : "items"}`
      : "an object";
  } catch {
    // `Array.isArray` throws for a revoked proxy.
    return "an object that cannot be read";
  }
}
