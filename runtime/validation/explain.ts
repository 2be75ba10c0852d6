import type { AnyFields } from "../protocol/message-fields.js";
import { addIssue, fieldIssue, emptyList, type Findings } from "./issues.js";
import type { RuleNode } from "./rule-node.js";
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
import { sharedBit } from "./fault-mask.js";
import type { Tolerance, ValidationIssue } from "./findings.js";

/** Walks a value. Whatever it throws when it is read becomes an issue. */
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
 * The issues of an object whose faults are known, where nothing is tolerated. Throws what reading it throws.
 *
 * Mostly there is a single one: as long as that holds nothing needs to be kept on the way.
 */
export function issuesOfFaults(
  node: RuleNode,
  value: AnyFields,
  faults: number,
  maxIssues: number,
): readonly ValidationIssue[] {
  let path = "";
  while ((faults & (faults - 1)) === 0 && faults < 1 << sharedBit) {
    const property = node.properties[31 - Math.clz32(faults)];
    // It says something else each time it is read.
    if (property === undefined) return emptyList;
    const field = fieldOf(value, property);
    path += property.step;
    const issue = fieldIssue(property, field, path);
    if (issue !== undefined) return [issue];
    node = property.node;
    if (!isDecidedByMask(node, false) || !isMaskWorthwhile(node)) {
      const walk = startWalk(emptyList, false, maxIssues);
      visitParts(walk, node, field, path, 0);
      return walk.issues;
    }
    value = field as AnyFields;
    faults = node.faults!(value, 0);
  }
  const walk = startWalk(emptyList, false, maxIssues);
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

/** Notes that a value could not be read. */
export function reportUnreadable(findings: Findings, path: string): void {
  addIssue(findings, {
    path,
    code: "unreadable",
    expected: "a value that can be read",
    received: undefined,
  });
}
