import { isObject, type AnyFields } from "../protocol/message-fields.js";
import { sharedBit, soleFault } from "./fault-mask.js";
import type { Tolerance, Validation, ValidateOptions, ValidationIssue } from "./findings.js";
import { emptyList, isTolerated, reportUnreadable } from "./issues.js";
import { propertyIssue } from "./plain-issues.js";
import { plainNode, type PlainProperty, type PlainRuleNode } from "./plain-node.js";
import {
  plainField,
  startPlainWalk,
  visitPlain,
  visitPlainFaults,
  visitPlainParts,
} from "./plain-walk.js";
import type { Rule } from "./rule.js";
import { maxIssuesOf, mustListUnknownFields, passed, toleratedBy } from "./validate-options.js";

/**
 * Creates the validator for a plain rule. Neither a plain rule nor any rule that it refers to
 * contains responses, conditions, or alternatives other than primitive types. The validator returns
 * the same results as one created by `createValidator`, but requires only a third of the code,
 * which keeps bundles with few validators small.
 */
export function createPlainValidator<Type>(
  rule: Rule,
): (value: unknown, options?: ValidateOptions) => Validation<Type> {
  let node: PlainRuleNode | undefined;
  return (value, options) => validatePlain((node ??= plainNode(rule)), value, options);
}

/** Validates a value against a plain rule. */
export function validatePlain<Type>(
  node: PlainRuleNode,
  value: unknown,
  options: ValidateOptions | undefined,
): Validation<Type> {
  const tolerated = toleratedBy(options);
  const lists = mustListUnknownFields(tolerated);
  const maxIssues = maxIssuesOf(options);
  let refused = false;
  try {
    if (node.faults !== undefined && isObject(value)) {
      const mask = node.faults(value, 0);
      if (mask === 0) {
        if (!lists || knowsAll(node, value)) return passed(value as Type);
      } else {
        refused = true;
        const issues = issuesOfMask(node, value, mask, tolerated, maxIssues);
        if (issues.length > 0) return { ok: false, issues };
      }
    }
  } catch {
    // Ignore the exception: the walk reads the value again and reports it.
  }
  return walkPlain(node, value, tolerated, maxIssues, lists, refused, false);
}

/**
 * Finds the issues in an object, given its invalid properties. Omits deviations. Usually, there is
 * a single fault. As long as there is at most one on each level, no state is needed.
 */
function issuesOfMask(
  node: PlainRuleNode,
  value: AnyFields,
  mask: number,
  tolerated: readonly Tolerance[],
  maxIssues: number,
): readonly ValidationIssue[] {
  let path = "";
  while (mask > 0 && (mask & (mask - 1)) === 0 && mask < 1 << sharedBit) {
    const property: PlainProperty = node.properties![31 - Math.clz32(mask)]!;
    let field = plainField(property, value);
    // If the fault is gone, a getter or proxy returned different values this time.
    if (field === undefined && !property.required) return emptyList;
    path += property.step;
    const issue = propertyIssue(property, node.message, field, path);
    if (issue !== undefined) return isTolerated(tolerated, issue) ? emptyList : [issue];
    node = property.node;
    mask = 0;
    const { item } = node;
    if (node.faults !== undefined)
      // The only property must be the invalid one.
      mask = node.properties!.length === 1 ? 1 : node.faults(field as AnyFields, 0);
    else if (item?.faults !== undefined && Array.isArray(field)) {
      const found = soleFault(item.faults, field, node.min, node.max);
      if (found !== undefined) {
        path += `/${found.index}`;
        field = field[found.index];
        node = item;
        mask = found.mask;
      }
    }
    value = field as AnyFields;
  }
  const walk = startPlainWalk(tolerated, maxIssues, false, false);
  if (mask === 0) visitPlainParts(walk, node, value, path, 0);
  else visitPlainFaults(walk, node, value, path, 0, mask);
  return walk.issues;
}

/**
 * Walks the whole value.
 *
 * @param refused Whether the schema definitely rejects the value.
 * @param careful Whether to check properties one by one, because the value could not be read.
 */
function walkPlain<Type>(
  node: PlainRuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  maxIssues: number,
  lists: boolean,
  refused: boolean,
  careful: boolean,
): Validation<Type> {
  const walk = startPlainWalk(tolerated, maxIssues, lists, careful);
  try {
    visitPlain(walk, node, value, "", 0);
  } catch {
    if (!careful) return walkPlain(node, value, tolerated, maxIssues, lists, refused, true);
    reportUnreadable(walk, walk.reading);
  }
  // If there is no fault now, a getter or proxy returned different values this time.
  if (refused && walk.issues.length + walk.deviations.length === 0) reportUnreadable(walk, "");
  const { issues, deviations } = walk;
  return issues.length === 0
    ? { ok: true, value: value as Type, deviations }
    : { ok: false, issues };
}

/** Returns whether a valid value definitely has no unknown fields. */
function knowsAll(node: PlainRuleNode, value: unknown): boolean {
  const { item, byName } = node;
  if (item !== undefined)
    return (
      node.type === "list" && (value as readonly unknown[]).every((each) => knowsAll(item, each))
    );
  if (byName === undefined) return node.type !== "late";
  for (const name in value as object) {
    const property = byName.get(name);
    if (property === undefined) {
      if (node.extras !== "free") return false;
    } else if (!property.node.isLeaf) {
      const part = (value as AnyFields)[name];
      if (part !== undefined && !knowsAll(property.node, part)) return false;
    }
  }
  return true;
}
