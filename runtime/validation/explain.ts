import type { AnyFields } from "../protocol/message-fields.js";
import { fieldIssue, emptyList, isTolerated, reportUnreadable, type Findings } from "./issues.js";
import { kinds } from "./rule-kinds.js";
import type { ObjectNode, RuleNode } from "./rule-node.js";
import {
  fieldOf,
  isDecidedByMask,
  isMaskWorthwhile,
  startWalk,
  visit,
  visitFaults,
  visitParts,
  type Walk,
} from "./walk.js";
import { sharedBit, soleFault } from "./fault-mask.js";
import type { Tolerance, ValidationIssue } from "./findings.js";

/** Walks a value. Exceptions thrown by getters and proxies become issues. */
export function walkValue(
  node: RuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  listUnknownFields: boolean,
  maxIssues: number,
): Findings {
  const walk = startWalk(tolerated, listUnknownFields, maxIssues);
  try {
    visit(walk, node, value, "", 0);
    return walk;
  } catch {
    return walkCarefully(walk, node, value);
  }
}

/**
 * Finds the issues in an object, given the properties that may be wrong. Deviations are omitted.
 * Throws if reading the value does.
 *
 * Usually, there is a single fault. As long as there is only one on each level, no state is needed.
 */
export function issuesOfFaults(
  node: ObjectNode,
  value: AnyFields,
  faults: number,
  tolerated: readonly Tolerance[],
  maxIssues: number,
): readonly ValidationIssue[] {
  let path = "";
  while ((faults & (faults - 1)) === 0 && faults < 1 << sharedBit) {
    const property = node.properties[31 - Math.clz32(faults)];
    let field = property === undefined ? undefined : fieldOf(value, property);
    // If the fault is gone, a getter or proxy returned different values this time.
    if (property === undefined || (field === undefined && !property.required)) return emptyList;
    path += property.step;
    const issue = fieldIssue(property, field, path);
    if (issue !== undefined) return isTolerated(tolerated, issue) ? emptyList : [issue];
    let part = property.node;
    faults = 0;
    if (isDecidedByMask(part, false)) {
      // The only property must be the invalid one.
      if (part.properties.length === 1) faults = 1;
      else if (isMaskWorthwhile(part)) faults = part.faults(field as AnyFields, 0);
    } else if (part.kind === kinds.list && isDecidedByMask(part.item, false)) {
      const found = soleFault(part.item.faults, field as readonly unknown[], part.min, part.max);
      if (found !== undefined) {
        path += `/${found.index}`;
        field = (field as readonly unknown[])[found.index];
        part = part.item;
        faults = found.mask;
      }
    }
    if (faults === 0) {
      const walk = startWalk(tolerated, false, maxIssues);
      visitParts(walk, part, field, path, 0);
      return walk.issues;
    }
    node = part as ObjectNode;
    value = field as AnyFields;
  }
  const walk = startWalk(tolerated, false, maxIssues);
  visitFaults(walk, node, faults, value, path, 0);
  return walk.issues;
}

function walkCarefully(
  { tolerated, listUnknownFields, maxIssues }: Walk,
  node: RuleNode,
  value: unknown,
): Findings {
  const walk = startWalk(tolerated, listUnknownFields, maxIssues);
  walk.careful = true;
  try {
    visit(walk, node, value, "", 0);
  } catch {
    reportUnreadable(walk, walk.reading);
  }
  return walk;
}
