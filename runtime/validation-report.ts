import { kinds, pointerStep, type RuleNode } from "./validation-node.js";
import type { MessageArm } from "./validation-rule.js";
import type {
  Tolerance,
  ValidationDeviation,
  ValidationIssue,
  ValidationIssueCode,
} from "./validation.js";

/** What is found on the way along a value. */
export interface Findings {
  readonly tolerated: readonly Tolerance[];
  /** Issues, and deviations, to collect at most. */
  readonly most: number;
  issues: readonly ValidationIssue[];
  deviations: readonly ValidationDeviation[];
  /** Whether enough was found. */
  done: boolean;
}

/** Notes that a value is not what its rule says. */
export function report(
  findings: Findings,
  { expected }: RuleNode,
  received: unknown,
  path: string,
  code: ValidationIssueCode,
  rule?: Tolerance,
): void {
  addIssue(
    findings,
    rule === undefined
      ? { path, code, expected, received }
      : { path, code, expected, received, rule },
  );
}

/** Notes an issue, or the deviation that it is where it is tolerated. */
export function addIssue(findings: Findings, issue: ValidationIssue): void {
  const { issues, deviations, tolerated, most } = findings;
  if (tolerated.length > 0 && issue.rule !== undefined && tolerated.includes(issue.rule)) {
    if (deviations.length < most)
      findings.deviations = withOneMore(deviations, issue as ValidationDeviation);
    return;
  }
  findings.issues = withOneMore(issues, issue);
  if (findings.issues.length >= most) findings.done = true;
}

/** A list begins as the shared empty one, and mostly ends with a single item: room for more is not made before. */
function withOneMore<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}

/** Frozen, for it is handed out again and again. */
export const nothing: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/** Says why a value is not of a type without parts. */
export function reportPrimitive(
  findings: Findings,
  node: RuleNode,
  value: unknown,
  path: string,
): void {
  switch (node.kind) {
    case kinds.string:
      report(findings, node, value, path, typeof value === "string" ? "wrong-size" : "wrong-type");
      return;
    case kinds.number:
      report(findings, node, value, path, Number.isFinite(value) ? "out-of-range" : "wrong-type");
      return;
    case kinds.integer:
      if (!Number.isInteger(value)) report(findings, node, value, path, "wrong-type");
      else {
        const rule = Number.isSafeInteger(value) ? "integer-range" : undefined;
        report(findings, node, value, path, "out-of-range", rule);
      }
      return;
    case kinds.value:
      report(findings, node, value, path, "wrong-value");
      return;
    case kinds.oneOf:
      reportEnum(findings, node, value, path);
      return;
    default:
      report(findings, node, value, path, "wrong-type");
  }
}

function reportEnum(findings: Findings, node: RuleNode, received: unknown, path: string): void {
  const { expected, values: allowed } = node;
  addIssue(
    findings,
    typeof received === typeof allowed[0]
      ? { path, code: "not-in-enum", expected, received, allowed, rule: "closed-enum" }
      : { path, code: "wrong-type", expected, received, allowed },
  );
}

/** No arm holds: the field that tells kinds apart is wrong, if one field does. */
export function reportKind(
  findings: Findings,
  arms: readonly MessageArm[],
  value: { readonly [name: string]: unknown },
  path: string,
): void {
  const [field = ""] = Object.keys(arms[0]!.when);
  const allowed = arms.flatMap(({ when: { [field]: test } }) =>
    typeof test === "string" ? [test] : [],
  );
  const received = value[field];
  if (allowed.length === arms.length) {
    const code = typeof received === "string" ? "not-in-enum" : "wrong-type";
    addIssue(findings, {
      path: path + pointerStep(field),
      code: received === undefined ? "missing" : code,
      expected: `one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}`,
      received,
      allowed,
    });
    return;
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
  addIssue(findings, {
    path,
    code: "wrong-value",
    expected: `a message ${described.join(", or ")}`,
    received: value,
  });
}
