import type { ValidationIssue } from "../validation/findings.js";
import { expectedBy, expectedOneOf } from "./schema-words.js";
import type { ValueSchema } from "./value-schema.js";

/**
 * What to say of a value that none of several alternatives accepts: the issues of the alternative
 * that was most likely meant, or one issue if none was.
 *
 * @param found The issues of each alternative.
 */
export function issuesOfUnion(
  members: readonly ValueSchema[],
  found: readonly (readonly ValidationIssue[])[],
  received: unknown,
  path: string,
): readonly ValidationIssue[] {
  // Alternatives that refuse the value as a whole were not meant.
  const meant = found.filter((issues) => !issues.some((issue) => issue.path === path));
  if (meant.length > 0)
    return meant.reduce((best, issues) => (weightOf(issues) < weightOf(best) ? issues : best));
  const listed = found.flatMap((issues) =>
    issues.flatMap(({ allowed = [], code }) =>
      code === "not-in-enum" || code === "wrong-value" ? allowed : [],
    ),
  );
  const ofType = found.filter((issues) => !issues.some(({ code }) => code === "wrong-type"));
  if (ofType.length === 1 && listed.length === 0) return ofType[0]!;
  const expected = [...new Set(members.map(expectedBy))].join(" or ");
  if (listed.length > 0 && ofType.length === found.length)
    return [
      { path, code: "not-in-enum", expected: expectedOneOf(listed), received, allowed: listed },
    ];
  return [
    {
      path,
      code: ofType.length === 0 ? "wrong-type" : "wrong-value",
      expected,
      received,
      ...(listed.length === 0 ? {} : { allowed: listed }),
    },
  ];
}

/** Alternatives are distinguished by fixed values: a wrong one weighs more than all else. */
function weightOf(issues: readonly ValidationIssue[]): number {
  return issues.reduce(
    (sum, { code }) =>
      sum +
      (code === "wrong-value" || code === "not-in-enum" ? 100 : code === "unknown-field" ? 2 : 1),
    0,
  );
}
