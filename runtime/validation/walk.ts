import { pointerStep } from "../base/json-pointer.js";
import { hasCharacters, isObject, maxNesting, type AnyFields } from "../protocol/message-fields.js";
import type { Tolerance } from "./findings.js";
import {
  addIssue,
  emptyList,
  fieldIssue,
  kindIssue,
  makeIssue,
  reportUnreadable,
  tooDeep,
  wholeIssue,
  type Findings,
} from "./issues.js";
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
import { choiceOf, isNamed, tagOf } from "./union-tag.js";

/** The state of a walk through a value and the nodes of its rule. */
export interface Walk extends Findings {
  /** Whether to report unknown fields. */
  listUnknownFields: boolean;
  /** JSON Pointer to the object or array being read. */
  reading: string;
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
  };
}

/** Walks a whole value. If a getter or proxy throws, reports the object being read. */
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
  } catch {
    reportUnreadable(walk, walk.reading);
  }
  return walk;
}

/**
 * Returns whether a value is valid, provided that its rule involves no parts of the value. If false,
 * a closer look is needed.
 */
function passes(node: RuleNode, value: unknown): boolean {
  switch (node.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return (
        typeof value === "string" &&
        ((node.max === Infinity && node.min <= 0) || hasCharacters(value, node.min, node.max))
      );
    case "number":
      return Number.isFinite(value) && isWithin(node, value as number);
    case "integer":
      return Number.isInteger(value) && isWithin(node, value as number);
    case "value":
      return value === node.value;
    case "oneOf":
      return node.values.includes(value as string);
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
  if (passes(node, value)) return;
  const issue = wholeIssue(node, value, path);
  if (issue === undefined) visitParts(walk, node, value, path, depth);
  else addIssue(walk, issue);
}

/** Finds issues inside a value that has the right type. */
function visitParts(walk: Walk, node: RuleNode, value: unknown, path: string, depth: number): void {
  switch (node.kind) {
    case "list":
      return visitList(walk, node, value as readonly unknown[], path, depth);
    case "map":
      return visitMap(walk, node, value as AnyFields, path, depth);
    case "object":
      return visitObject(walk, node, value as AnyFields, path, node.recursive ? 0 : depth);
    case "anyOf":
      return visitAnyOf(walk, node, value, path, depth);
    case "response":
      return visitObject(walk, outcomeOf(node, value), value as AnyFields, path, 0);
    case "message":
      return visitMessage(walk, node, value as AnyFields, path);
    case "late":
      return visitLate(walk, node.target(), value, path, depth);
    case "checked":
      return visitChecked(walk, node, value, path, depth);
  }
}

function visitObject(
  walk: Walk,
  node: ObjectNode,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  for (const property of node.properties) {
    // Do not read an optional property that accepts anything: reading it may throw.
    if (!property.required && property.node.kind === "any") continue;
    walk.reading = path;
    const field = fieldOf(value, property);
    if (field === undefined ? property.required : !passes(property.node, field))
      visitField(walk, property, field, path, depth);
    if (walk.done) return;
  }
  if (!node.closed && (node.free || !walk.listUnknownFields)) return;
  walk.reading = path;
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
  const pointer = path + property.step;
  const issue = fieldIssue(property, field, pointer);
  if (issue === undefined) visitParts(walk, property.node, field, pointer, depth);
  else addIssue(walk, issue);
}

function visitList(
  walk: Walk,
  node: ListNode,
  values: readonly unknown[],
  path: string,
  depth: number,
): void {
  if (!isWithin(node, values.length)) addIssue(walk, makeIssue(node, values, path, "wrong-size"));
  if (node.item.kind === "any") return;
  for (let index = 0; index < values.length && !walk.done; index++) {
    walk.reading = path;
    visit(walk, node.item, values[index], `${path}/${index}`, depth);
  }
}

function visitMap(walk: Walk, node: MapNode, value: AnyFields, path: string, depth: number): void {
  if (node.item.kind === "any") return;
  walk.reading = path;
  for (const key of Object.keys(value)) {
    walk.reading = path;
    visit(walk, node.item, value[key], path + pointerStep(key), depth);
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
  walk.reading = path;
  const tag = isObject(value) ? tagOf(node) : null;
  const named = tag === null ? undefined : fieldOf(value as AnyFields, tag.property);
  // Report the issues of the alternative selected by the tag or, failing that, the closest one.
  // Ignore alternatives whose type does not match.
  let nearest: Walk | undefined;
  let at = 0;
  let least = Infinity;
  for (const [index, member] of node.members.entries()) {
    if (passes(member, value)) return;
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

function visitMessage(walk: Walk, node: MessageNode, value: AnyFields, path: string): void {
  walk.reading = path;
  const arm = node.arms.find(({ matches }) => matches(value));
  if (arm === undefined) addIssue(walk, kindIssue(node.arms, value, path));
  else visit(walk, arm.nodeOf(value), value, path, 0);
}

function visitLate(walk: Walk, node: RuleNode, value: unknown, path: string, depth: number): void {
  if (depth < maxNesting) {
    if (node.kind === "object" && isObject(value)) visitObject(walk, node, value, path, depth + 1);
    else visit(walk, node, value, path, depth + 1);
    return;
  }
  addIssue(walk, tooDeep(path));
  // Stop here: the value may be cyclic, in which case all its parts have been checked.
  walk.done = true;
}

/** Returns the rule for a response, depending on whether it is a failure. */
export function outcomeOf(node: ResponseNode, value: unknown): ObjectNode {
  const failed =
    isObject(value) &&
    (node.byPresence ? value[node.failsBy] !== undefined : value[node.failsBy] === false);
  return failed ? node.failure : node.success;
}

/**
 * Returns the value of a property. If every object inherits the name, only an own property counts.
 */
function fieldOf(value: AnyFields, { name, own }: PropertyNode): unknown {
  return own && !Object.hasOwn(value, name) ? undefined : value[name];
}

function isWithin(node: BoundedNode | ListNode, value: number): boolean {
  return value >= node.min && value <= node.max;
}
