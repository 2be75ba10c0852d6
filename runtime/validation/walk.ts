import { pointerStep } from "../base/json-pointer.js";
import { hasCharacters, isObject, maxNesting, type AnyFields } from "../protocol/message-fields.js";
import {
  addIssue,
  fieldIssue,
  makeIssue,
  kindIssue,
  emptyList,
  tooDeep,
  wholeIssue,
  type Findings,
} from "./issues.js";
import { kinds } from "./rule-kinds.js";
import { linkRule } from "./link-rule.js";
import type {
  BoundedNode,
  CheckedNode,
  ListNode,
  MapNode,
  MessageNode,
  ObjectNode,
  PropertyNode,
  ResponseNode,
  RuleNode,
  UnionNode,
} from "./rule-node.js";
import { sharedBit, type FaultMask } from "./fault-mask.js";
import { choiceOf, isNamed, tagOf } from "./union-tag.js";
import type { Tolerance } from "./findings.js";

/**
 * The state of a walk through a value and the nodes of its rule.
 *
 * The walk descends only where a check fails, so the time that it takes depends on the number of
 * faults.
 */
export interface Walk extends Findings {
  /** Whether to report unknown fields, even in valid values. */
  listUnknownFields: boolean;
  /** JSON Pointer to the object being read. */
  reading: string;
  /** Whether to check properties one by one to find the one that cannot be read. */
  careful: boolean;
}

/** @param maxIssues Maximum number of issues. The same limit applies to deviations. */
export function startWalk(
  tolerated: readonly Tolerance[],
  listUnknownFields: boolean,
  maxIssues: number,
): Walk {
  return {
    tolerated,
    listUnknownFields,
    maxIssues,
    issues: emptyList,
    deviations: emptyList,
    done: false,
    reading: "",
    careful: false,
  };
}

function usesMask(walk: Walk, node: RuleNode): node is MaskedNode {
  return !walk.careful && isDecidedByMask(node, walk.listUnknownFields);
}

/** Returns whether a value is definitely valid. If false, a closer look is needed. */
function passes(walk: Walk, node: RuleNode, value: unknown): boolean {
  switch (node.kind) {
    case kinds.any:
      return true;
    case kinds.null:
      return value === null;
    case kinds.boolean:
      return typeof value === "boolean";
    case kinds.string:
      return (
        typeof value === "string" &&
        ((node.max === Infinity && node.min <= 0) || hasCharacters(value, node.min, node.max))
      );
    case kinds.number:
      return Number.isFinite(value) && isWithin(node, value as number);
    case kinds.integer:
      return Number.isInteger(value) && isWithin(node, value as number);
    case kinds.value:
      return value === node.value;
    case kinds.oneOf:
      return node.values.includes(value as string);
    case kinds.object:
      return usesMask(walk, node) && isObject(value) && node.faults(value, 0) === 0;
    default:
      return false;
  }
}

/** Finds the issues in a value. */
export function visit(
  walk: Walk,
  node: RuleNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (node.kind >= kinds.list || !passes(walk, node, value))
    visitOther(walk, node, value, path, depth);
}

/** Finds issues in a value that may be invalid. */
function visitOther(walk: Walk, node: RuleNode, value: unknown, path: string, depth: number): void {
  const issue = wholeIssue(node, value, path);
  if (issue === undefined) visitParts(walk, node, value, path, depth);
  else addIssue(walk, issue);
}

/** Finds issues inside a value that has the right type. */
export function visitParts(
  walk: Walk,
  node: RuleNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  switch (node.kind) {
    case kinds.list:
      visitList(walk, node, value as readonly unknown[], path, depth);
      return;
    case kinds.map:
      visitMap(walk, node, value as AnyFields, path, depth);
      return;
    case kinds.object:
      visitObject(walk, node, value as AnyFields, path, node.recursive ? 0 : depth);
      return;
    case kinds.anyOf:
      visitAnyOf(walk, node, value, path, depth);
      return;
    case kinds.response:
      visitObject(walk, outcomeOf(node, value), value as AnyFields, path, 0);
      return;
    case kinds.message:
      walkMessage(walk, node, value as AnyFields, path);
      return;
    case kinds.late:
      visitLate(walk, node.target(), value, path, depth);
      return;
    case kinds.checked:
      visitChecked(walk, node, value, path, depth);
  }
}

function visitObject(
  walk: Walk,
  node: ObjectNode,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  walk.reading = path;
  if (usesMask(walk, node) && isMaskWorthwhile(node))
    visitFaults(walk, node, node.faults(value, depth), value, path, depth);
  else visitAll(walk, node, value, path, depth);
}

/** Visits the properties in a fault mask. */
export function visitFaults(
  walk: Walk,
  node: ObjectNode,
  faults: number,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  const { properties } = node;
  for (let rest = faults; rest !== 0 && !walk.done; rest &= rest - 1) {
    const index = 31 - Math.clz32(rest & -rest);
    if (index < sharedBit) {
      const property = properties[index]!;
      visitField(walk, property, fieldOf(value, property), path, depth);
      continue;
    }
    for (let more = sharedBit; more < properties.length && !walk.done; more++)
      visitProperty(walk, properties[more]!, value, path, depth);
  }
}

function visitProperty(
  walk: Walk,
  property: PropertyNode,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  const { node, required } = property;
  // Do not read an optional property that accepts anything: reading it may throw.
  if (!required && node.kind === kinds.any) return;
  const field = fieldOf(value, property);
  if (field === undefined ? required : node.kind >= kinds.list || !passes(walk, node, field))
    visitField(walk, property, field, path, depth);
}

function visitAll(
  walk: Walk,
  node: ObjectNode,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  for (const property of node.properties) {
    visitProperty(walk, property, value, path, depth);
    if (walk.done) return;
  }
  if (!node.closed && (node.free || !walk.listUnknownFields)) return;
  for (const name of node.closed ? Object.keys(value) : listedNames(value)) {
    if (node.byName.has(name)) continue;
    addIssue(walk, {
      pointer: path + pointerStep(name),
      code: "unknown-field",
      expected: "no such field",
      received: unknownField(value, name),
      rule: "unknown-field",
    });
    if (walk.done) return;
  }
}

/** Returns the names of additional fields. If they cannot be read, the value is still valid. */
function listedNames(value: AnyFields): readonly string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

/** Returns the value of an unknown field. If it cannot be read, the value is still valid. */
function unknownField(value: AnyFields, name: string): unknown {
  try {
    return value[name];
  } catch {
    return undefined;
  }
}

/** Visits a property that is missing, wrong, or a container. */
function visitField(
  walk: Walk,
  property: PropertyNode,
  field: unknown,
  path: string,
  depth: number,
): void {
  const place = path + property.step;
  const issue = fieldIssue(property, field, place);
  if (issue === undefined) visitParts(walk, property.node, field, place, depth);
  else addIssue(walk, issue);
}

function visitList(
  walk: Walk,
  node: ListNode,
  value: readonly unknown[],
  path: string,
  depth: number,
): void {
  if (!isWithin(node, value.length)) addIssue(walk, makeIssue(node, value, path, "wrong-size"));
  if (node.item.kind === kinds.any) return;
  const isLate = node.item.kind === kinds.late && depth < maxNesting;
  const item = isLate ? node.item.target() : node.item;
  if (usesMask(walk, item)) visitObjects(walk, item, value, path, isLate ? depth + 1 : 0);
  else visitItems(walk, node.item, value, path, depth);
}

function visitObjects(
  walk: Walk,
  node: MaskedNode,
  values: readonly unknown[],
  path: string,
  depth: number,
): void {
  for (let index = 0; index < values.length && !walk.done; index++) {
    const value = values[index];
    if (!isObject(value)) {
      addIssue(walk, makeIssue(node, value, `${path}/${index}`, "wrong-type"));
      continue;
    }
    const faults = node.faults(value, depth);
    if (faults !== 0) visitFaults(walk, node, faults, value, `${path}/${index}`, depth);
  }
}

function visitItems(
  walk: Walk,
  node: RuleNode,
  values: readonly unknown[],
  path: string,
  depth: number,
): void {
  for (let index = 0; index < values.length && !walk.done; index++) {
    const value = values[index];
    if (!passes(walk, node, value)) visitOther(walk, node, value, `${path}/${index}`, depth);
  }
}

function visitMap(walk: Walk, node: MapNode, value: AnyFields, path: string, depth: number): void {
  if (node.item.kind === kinds.any) return;
  walk.reading = path;
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (!passes(walk, node.item, field))
      visitOther(walk, node.item, field, path + pointerStep(key), depth);
    if (walk.done) return;
  }
}

function visitAnyOf(
  walk: Walk,
  node: UnionNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (node.holdsObjects) walk.reading = path;
  const tag = isObject(value) ? tagOf(node) : null;
  const named = tag === null ? undefined : fieldOf(value as AnyFields, tag.property);
  // Report the issues of the alternative selected by the tag or, failing that, the closest one.
  // Ignore alternatives whose type does not match.
  let nearest: Walk | undefined;
  let at = 0;
  let least = Infinity;
  for (const [index, member] of node.members.entries()) {
    if (passes(walk, member, value)) return;
    const trial = startWalk(walk.tolerated, walk.listUnknownFields, walk.maxIssues);
    visit(trial, member, value, path, depth);
    const { length } = trial.issues;
    if (length === 0 && trial.deviations.length === 0) return;
    if (trial.issues.some((issue) => issue.code === "wrong-type" && issue.pointer === path))
      continue;
    const distance = length === 0 || isNamed(tag, index, named) ? length : unnamed + length;
    if (distance < least) [nearest, at, least] = [trial, index, distance];
  }
  if (nearest === undefined) {
    const code = node.members.length === 0 ? "unknown-field" : "wrong-type";
    addIssue(walk, makeIssue(node, value, path, code));
    return;
  }
  const issue = least === 0 ? undefined : choiceOf(node, at, tag, named, value, path);
  for (const each of issue === undefined ? [...nearest.issues, ...nearest.deviations] : [issue])
    if (!walk.done) addIssue(walk, each);
}

/** Distance added for an alternative that the value's tag does not select. */
const unnamed = 0x1_0000_0000;

/** Visits a value with conditions, which apply only if the value has the right type. */
function visitChecked(
  walk: Walk,
  { of, checked }: CheckedNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  const { length } = walk.issues;
  visit(walk, of, value, path, depth);
  if (walk.done || hasWrongType(walk.issues, length, path)) return;
  for (const found of checked.by(checked.checks, value)) {
    const place = path + found.pointer;
    const { listUnknownFields } = walk;
    // A field is known if any of the value's rules names it.
    if (found.pointer === "") walk.listUnknownFields = false;
    if ("code" in found) addIssue(walk, { ...found, pointer: place });
    else visit(walk, linkRule(found.rule), found.value, place, depth);
    walk.listUnknownFields = listUnknownFields;
    if (walk.done) return;
  }
}

function hasWrongType(issues: Findings["issues"], from: number, path: string): boolean {
  return issues.slice(from).some((issue) => issue.code === "wrong-type" && issue.pointer === path);
}

function walkMessage(walk: Walk, node: MessageNode, value: AnyFields, path: string): void {
  const arm = node.arms[node.armOf(value)];
  if (arm === undefined) addIssue(walk, kindIssue(node.arms, value, path));
  else visit(walk, arm.ruleOf(value), value, path, 0);
}

function visitLate(walk: Walk, node: RuleNode, value: unknown, path: string, depth: number): void {
  if (depth < maxNesting) {
    if (node.kind === kinds.object && isObject(value))
      visitObject(walk, node, value, path, depth + 1);
    else visit(walk, node, value, path, depth + 1);
    return;
  }
  addIssue(walk, tooDeep(path));
  // Stop here: the value may be cyclic, in which case all its parts have been checked.
  walk.done = true;
}

/** An object node with a function that computes its fault mask. */
export type MaskedNode = ObjectNode & { readonly faults: FaultMask };

/** Returns whether an object's fault mask covers all its issues. */
export function isDecidedByMask(node: RuleNode, listUnknownFields: boolean): node is MaskedNode {
  return (
    node.kind === kinds.object && node.faults !== undefined && !node.closed && !listUnknownFields
  );
}

/**
 * Returns the rule for a message, depending on its kind and name or, for a response, on whether it
 * succeeded.
 */
export function ruleOfValue(node: RuleNode, value: unknown): RuleNode {
  if (node.kind === kinds.message && isObject(value)) {
    const arm = node.arms[node.armOf(value)];
    if (arm === undefined) return node;
    node = arm.ruleOf(value);
  }
  return node.kind === kinds.response ? outcomeOf(node, value) : node;
}

/** Returns the rule for a response, depending on whether it is a failure. */
export function outcomeOf(node: ResponseNode, value: unknown): ObjectNode {
  const failed =
    isObject(value) &&
    (node.byPresence ? value[node.failsBy] !== undefined : value[node.failsBy] === false);
  return failed ? node.failure : node.success;
}

/**
 * Returns whether it is worth computing an object's fault mask. Computing it checks the whole
 * subtree, and faulty parts are then checked again.
 */
export function isMaskWorthwhile({ properties, hasParts }: ObjectNode): boolean {
  return !hasParts || properties.length > 2;
}

/**
 * Returns the value of a property. If every object inherits the name, only an own property counts.
 */
export function fieldOf(value: AnyFields, { name, own }: PropertyNode): unknown {
  return own && !Object.hasOwn(value, name) ? undefined : value[name];
}

function isWithin(node: BoundedNode | ListNode, value: number): boolean {
  return value >= node.min && value <= node.max;
}
