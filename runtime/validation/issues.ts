import { pointerStep } from "../base/json-pointer.js";
import { maxNesting, type AnyFields } from "../protocol/message-fields.js";
import { expectedText, oneOfText } from "./expected-text.js";
import { takesNull } from "./link-rule.js";
import type { ArmNode, EnumNode, PropertyNode, RuleNode } from "./rule-node.js";
import type {
  Tolerance,
  ValidationDeviation,
  ValidationIssue,
  ValidationIssueCode,
} from "./findings.js";

/** The findings collected during a walk through a value. */
export interface Findings {
  readonly tolerated: readonly Tolerance[];
  /** Maximum number of issues. The same limit applies to deviations. */
  readonly maxIssues: number;
  issues: readonly ValidationIssue[];
  deviations: readonly ValidationDeviation[];
  /** Whether the walk should stop. */
  done: boolean;
}

/** Adds an issue, or a deviation if the issue is tolerated. */
export function addIssue(findings: Findings, issue: ValidationIssue): void {
  const { issues, deviations, tolerated, maxIssues } = findings;
  if (isTolerated(tolerated, issue)) {
    if (deviations.length < maxIssues)
      findings.deviations = append(deviations, issue as ValidationDeviation);
    return;
  }
  findings.issues = append(issues, issue);
  if (findings.issues.length >= maxIssues) findings.done = true;
}

export function isTolerated(tolerated: readonly Tolerance[], { rule }: ValidationIssue): boolean {
  return tolerated.length > 0 && rule !== undefined && tolerated.includes(rule);
}

/**
 * Returns an array with an additional item. Arrays start out as a shared empty array, so a new one
 * is created only for the first item.
 */
function append<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}

/** An empty array, frozen because it is shared. */
export const emptyList: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/** Creates the issue for a value that could not be read. */
export function unreadable(pointer: string): ValidationIssue {
  return { pointer, code: "unreadable", expected: "a value that can be read", received: undefined };
}

/**
 * Creates the issue for a value that exceeds the maximum nesting depth of a recursive definition.
 */
export function tooDeep(pointer: string): ValidationIssue {
  return {
    pointer,
    code: "too-deep",
    expected: `at most ${maxNesting} levels`,
    received: undefined,
  };
}

/** Creates an issue for a value that violates its rule. */
export function makeIssue(
  node: RuleNode,
  received: unknown,
  pointer: string,
  code: ValidationIssueCode,
  rule?: Tolerance,
): ValidationIssue {
  const expected = expectedText(node);
  return rule === undefined
    ? { pointer, code, expected, received }
    : { pointer, code, expected, received, rule };
}

/**
 * Returns the fault of a property that depends on more than the rule for its value, if there is one.
 *
 * @param field The property's value, which is missing, wrong, or a container.
 */
export function fieldFault(
  { node, part, missing, essential, isNumber }: PropertyNode,
  field: unknown,
): readonly [code: ValidationIssueCode, rule?: Tolerance | undefined] | undefined {
  if (field === undefined) return ["missing", missing];
  if (field === null && !takesNull(node)) return ["wrong-type", essential ? undefined : "null"];
  // The mistakes that peers commonly make with ids.
  if (!isNumber || node.kind !== "integer") return undefined;
  if (field === 0 && node.min > 0) return ["out-of-range", "id-unset"];
  return part === "id" && isShortNumeral(field) ? ["wrong-type", "id-text"] : undefined;
}

/** Creates the issue for a value that violates its rule as a whole. */
export function wholeIssue(node: RuleNode, value: unknown, pointer: string): ValidationIssue {
  const issue = (code: ValidationIssueCode, rule?: Tolerance): ValidationIssue =>
    makeIssue(node, value, pointer, code, rule);
  switch (node.kind) {
    case "string":
      return issue(typeof value === "string" ? "wrong-size" : "wrong-type");
    case "number":
      return issue(Number.isFinite(value) ? "out-of-range" : "wrong-type");
    case "integer":
      if (!Number.isInteger(value)) return issue("wrong-type");
      return issue("out-of-range", Number.isSafeInteger(value) ? "integer-range" : undefined);
    case "value":
      return issue("wrong-value");
    case "oneOf":
      return enumIssue(node, value, pointer);
    default:
      return issue("wrong-type");
  }
}

function enumIssue(node: EnumNode, received: unknown, pointer: string): ValidationIssue {
  const { values: allowed } = node;
  const expected = expectedText(node);
  return typeof received === typeof allowed[0]
    ? { pointer, code: "not-in-enum", expected, received, allowed, rule: "closed-enum" }
    : { pointer, code: "wrong-type", expected, received, allowed };
}

/** Describes the properties that distinguish message kinds. */
interface KindTexts {
  /** The only field that distinguishes them; undefined if there are several. */
  readonly field: string | undefined;
  /** The field as a JSON Pointer step. */
  readonly step: string;
  readonly expected: string;
  readonly allowed: readonly string[];
}

const textsByArms = /* @__PURE__ */ new WeakMap<readonly ArmNode[], KindTexts>();

function kindTexts(arms: readonly ArmNode[]): KindTexts {
  const [field = ""] = Object.keys(arms[0]!.when);
  const allowed = arms.flatMap(({ when: { [field]: test } }) =>
    typeof test === "string" ? [test] : [],
  );
  if (allowed.length === arms.length) {
    return { field, step: pointerStep(field), expected: oneOfText(allowed), allowed };
  }
  const described = arms.map(({ when }) =>
    Object.entries(when)
      .map(([name, test]) =>
        typeof test === "string"
          ? `${name} ${JSON.stringify(test)}`
          : `${test ? "with" : "without"} ${name}`,
      )
      .join(" and "),
  );
  return { field: undefined, step: "", expected: `a message ${described.join(", or ")}`, allowed };
}

/**
 * Creates the issue for a message of unknown kind. If a single field distinguishes the kinds, that
 * field is reported as wrong.
 */
export function kindIssue(
  arms: readonly ArmNode[],
  value: AnyFields,
  pointer: string,
): ValidationIssue {
  let texts = textsByArms.get(arms);
  if (texts === undefined) textsByArms.set(arms, (texts = kindTexts(arms)));
  const { field, step, expected, allowed } = texts;
  if (field === undefined) return { pointer, code: "wrong-value", expected, received: value };
  return choiceIssue(pointer + step, value[field], allowed, expected);
}

/** Creates the issue for a value that is missing or not one of several constants. */
export function choiceIssue(
  pointer: string,
  received: unknown,
  allowed: readonly (string | number | boolean)[],
  expected: string = oneOfText(allowed),
): ValidationIssue {
  const code =
    received === undefined
      ? "missing"
      : allowed.some((each) => typeof each === typeof received)
        ? "not-in-enum"
        : "wrong-type";
  return { pointer, code, expected, received, allowed };
}

/** Returns whether a value is a string of at most 15 digits, which a double represents exactly. */
export function isShortNumeral(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,15}$/.test(value);
}
