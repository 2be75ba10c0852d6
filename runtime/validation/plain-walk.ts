import { pointerStep } from "../base/json-pointer.js";
import { isObject, maxNesting, type AnyFields } from "../protocol/message-fields.js";
import { sharedBit } from "./fault-mask.js";
import type { Tolerance } from "./findings.js";
import { addIssue, emptyList, tooDeep, type Findings } from "./issues.js";
import { codeIssue, plainCode, plainIssue, propertyIssue } from "./plain-issues.js";
import type { PlainProperty, PlainRuleNode } from "./plain-node.js";

export interface PlainWalk extends Findings {
  /** Whether to report unknown fields, even in valid values. */
  readonly lists: boolean;
  /**
   * Whether an object's mask covers all its issues. This is not the case if unknown fields are
   * reported, because even valid parts may have some.
   */
  readonly trusts: boolean;
  /** JSON Pointer to the object being read. */
  reading: string;
}

/** @param careful Whether to check properties one by one to find the one that cannot be read. */
export function startPlainWalk(
  tolerated: readonly Tolerance[],
  maxIssues: number,
  lists: boolean,
  careful: boolean,
): PlainWalk {
  return {
    tolerated,
    maxIssues,
    lists,
    trusts: !careful && !lists,
    reading: "",
    issues: emptyList,
    deviations: emptyList,
    done: false,
  };
}

export function visitPlain(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  const code = plainCode(node, value);
  if (code === undefined) visitPlainParts(walk, node, value, path, depth);
  else addIssue(walk, codeIssue(node, value, path, code));
}

/** Visits the parts of a value that has the right type. */
export function visitPlainParts(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (node.properties !== undefined)
    visitPlainObject(walk, node, value as AnyFields, path, node.recursive ? 0 : depth);
  else if (node.target !== undefined) visitEnclosing(walk, node.target(), value, path, depth);
  else if (node.item !== undefined) visitPlainItems(walk, node, value as object, path, depth);
}

/** Visits the items of an array or the values of a map. */
function visitPlainItems(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: object,
  path: string,
  depth: number,
): void {
  const item = node.item!;
  if (Array.isArray(value)) {
    if (value.length < node.min || value.length > node.max)
      addIssue(walk, plainIssue(node, value, path, "wrong-size"));
    if (item.type === "any") return;
    for (let index = 0; index < value.length && !walk.done; index++) {
      const each: unknown = value[index];
      const isRight =
        walk.trusts && item.faults !== undefined && isObject(each)
          ? item.faults(each, item.recursive ? 0 : depth) === 0
          : item.isLeaf && plainCode(item, each) === undefined;
      // Valid items do not need the path, so do not build it for them.
      if (!isRight) visitPlain(walk, item, each, `${path}/${index}`, depth);
    }
    return;
  }
  if (item.type === "any") return;
  walk.reading = path;
  for (const key of Object.keys(value)) {
    visitPlain(walk, item, (value as AnyFields)[key], path + pointerStep(key), depth);
    if (walk.done) return;
  }
}

function visitPlainObject(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  walk.reading = path;
  const mask = walk.trusts && node.faults !== undefined ? node.faults(value, depth) : -1;
  if (mask !== 0) visitPlainFaults(walk, node, value, path, depth, mask);
  const { extras, byName } = node;
  if (walk.done || (extras !== "closed" && (extras === "free" || !walk.lists))) return;
  let names: readonly string[] = [];
  try {
    names = Object.keys(value);
  } catch (error) {
    if (extras === "closed") throw error;
  }
  for (const name of names) {
    if (byName!.has(name)) continue;
    let received: unknown;
    try {
      received = value[name];
    } catch {
      // Ignore the exception: a field that is not checked may be unreadable.
    }
    addIssue(walk, {
      pointer: path + pointerStep(name),
      code: "unknown-field",
      expected: "no such field",
      received,
      rule: "unknown-field",
    });
    if (walk.done) return;
  }
}

/** Visits the properties in a mask. The mask may have more bits than there are properties. */
export function visitPlainFaults(
  walk: PlainWalk,
  { properties, message }: PlainRuleNode,
  value: AnyFields,
  path: string,
  depth: number,
  mask: number,
): void {
  for (let at = 0; at < properties!.length && !walk.done; at++)
    if ((mask & (1 << Math.min(at, sharedBit))) !== 0)
      visitPlainProperty(walk, properties![at]!, message, value, path, depth);
}

function visitPlainProperty(
  walk: PlainWalk,
  property: PlainProperty,
  message: boolean,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  const { node, required } = property;
  // Do not read an optional property that accepts anything: reading it may throw.
  if (!required && node.type === "any") return;
  const field = plainField(property, value);
  if (field === undefined ? !required : node.isLeaf && plainCode(node, field) === undefined) return;
  const place = path + property.step;
  const issue = propertyIssue(property, message, field, place);
  if (issue === undefined) visitPlainParts(walk, node, field, place, depth);
  else addIssue(walk, issue);
}

/** Visits a value of an enclosing definition. */
function visitEnclosing(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (depth < maxNesting) {
    if (node.properties !== undefined && isObject(value))
      visitPlainObject(walk, node, value, path, depth + 1);
    else visitPlain(walk, node, value, path, depth + 1);
    return;
  }
  addIssue(walk, tooDeep(path));
  // Stop here: the value may be cyclic, in which case all its parts have been checked.
  walk.done = true;
}

/**
 * Returns the value of a property. If every object inherits the name, only an own property counts.
 */
export function plainField({ name, own }: PlainProperty, value: AnyFields): unknown {
  return own && !Object.hasOwn(value, name) ? undefined : value[name];
}
