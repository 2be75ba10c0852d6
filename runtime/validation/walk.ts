import { pointerStep } from "../base/json-pointer.js";
import { hasCharacters, isObject, maxNesting, type AnyFields } from "../protocol/message-fields.js";
import type { Tolerance } from "./findings.js";
import {
  addIssue,
  emptyList,
  fieldFault,
  kindIssue,
  makeIssue,
  tooDeep,
  unreadable,
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
  /** The keys of the value being visited, as JSON Pointer steps; an array's indexes are numbers. */
  readonly steps: (string | number)[];
}

/** @param maxIssues Maximum number of issues. The same limit applies to deviations. */
export function startWalk(
  tolerated: readonly Tolerance[],
  maxIssues: number,
  listUnknownFields = false,
  steps: (string | number)[] = [],
): Walk {
  return {
    tolerated,
    maxIssues,
    listUnknownFields,
    steps,
    issues: emptyList,
    deviations: emptyList,
    done: false,
  };
}

/** Walks a whole value. If a getter or proxy throws, reports the object being read. */
export function walkValue(
  node: RuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  maxIssues: number,
): Findings {
  const walk = startWalk(tolerated, maxIssues, tolerated.includes("unknown-field"));
  try {
    visit(walk, node, value, 0);
  } catch {
    addIssue(walk, unreadable(pointerOf(walk)));
  }
  return walk;
}

/** Returns the JSON Pointer to the value being visited. */
function pointerOf({ steps }: Walk): string {
  return steps.map((step) => (typeof step === "number" ? `/${step}` : step)).join("");
}

/** Finds the issues in a value. */
export function visit(walk: Walk, node: RuleNode, value: unknown, depth: number): void {
  switch (node.kind) {
    case "object":
      if (!isObject(value)) break;
      return visitObject(walk, node, value, node.recursive ? 0 : depth);
    case "list":
      if (!Array.isArray(value)) break;
      return visitList(walk, node, value as readonly unknown[], depth);
    case "map":
      if (!isObject(value)) break;
      return visitMap(walk, node, value, depth);
    case "response":
      return visit(walk, outcomeOf(node, value), value, 0);
    case "message":
      if (!isObject(value)) break;
      return visitMessage(walk, node, value);
    case "anyOf":
      return visitAnyOf(walk, node, value, depth);
    case "late":
      return visitLate(walk, node.target(), value, depth);
    case "checked":
      return visitChecked(walk, node, value, depth);
    default:
      if (passes(node, value)) return;
  }
  addIssue(walk, wholeIssue(node, value, pointerOf(walk)));
}

function visitObject(walk: Walk, node: ObjectNode, value: AnyFields, depth: number): void {
  for (const property of node.tested) {
    const field = fieldOf(value, property);
    if (field === undefined ? !property.required : passes(property.node, field)) continue;
    walk.steps.push(property.step);
    visitField(walk, property, field, depth);
    walk.steps.pop();
    if (walk.done) return;
  }
  if (!node.closed && (node.free || !walk.listUnknownFields)) return;
  for (const name of node.closed ? Object.keys(value) : listedNames(value)) {
    if (node.byName.has(name)) continue;
    addIssue(walk, {
      pointer: pointerOf(walk) + pointerStep(name),
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
function visitField(walk: Walk, property: PropertyNode, field: unknown, depth: number): void {
  const fault = fieldFault(property, field);
  if (fault === undefined) visit(walk, property.node, field, depth);
  else addIssue(walk, makeIssue(property.node, field, pointerOf(walk), ...fault));
}

function visitList(walk: Walk, node: ListNode, values: readonly unknown[], depth: number): void {
  if (!isWithin(node, values.length))
    addIssue(walk, makeIssue(node, values, pointerOf(walk), "wrong-size"));
  if (node.item.kind === "any") return;
  const isItem = walk.listUnknownFields ? undefined : node.isItem;
  for (let index = 0; index < values.length && !walk.done; index++)
    if (isItem === undefined || !isAccepted(isItem, values[index]))
      visitPart(walk, node.item, values[index], index, depth);
}

/** Returns whether a compiled check accepts a value. The check throws what a getter or proxy throws. */
export function isAccepted(isValid: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return isValid(value);
  } catch {
    return false;
  }
}

function visitMap(walk: Walk, node: MapNode, value: AnyFields, depth: number): void {
  if (node.item.kind === "any") return;
  for (const key of Object.keys(value)) {
    visitPart(walk, node.item, value[key], pointerStep(key), depth);
    if (walk.done) return;
  }
}

/** Visits an array's item or a map's value. */
function visitPart(
  walk: Walk,
  node: RuleNode,
  value: unknown,
  step: string | number,
  depth: number,
): void {
  walk.steps.push(step);
  visit(walk, node, value, depth);
  walk.steps.pop();
}

function visitAnyOf(walk: Walk, node: UnionNode, value: unknown, depth: number): void {
  const tag = isObject(value) ? tagOf(node) : null;
  const named = tag === null ? undefined : fieldOf(value as AnyFields, tag.property);
  // Report the issues of the alternative selected by the tag or, failing that, the closest one.
  // Ignore alternatives whose type does not match.
  let nearest: Walk | undefined;
  let at = 0;
  let least = Infinity;
  for (const [index, member] of node.members.entries()) {
    if (passes(member, value)) return;
    const { tolerated, maxIssues, listUnknownFields, steps } = walk;
    const trial = startWalk(tolerated, maxIssues, listUnknownFields, steps);
    visit(trial, member, value, depth);
    const { length } = trial.issues;
    if (length === 0 && trial.deviations.length === 0) return;
    if (hasWrongType(trial, 0)) continue;
    const distance = length === 0 || isNamed(tag, index, named) ? length : unnamed + length;
    if (distance < least) [nearest, at, least] = [trial, index, distance];
  }
  const pointer = pointerOf(walk);
  if (nearest === undefined) {
    const code = node.members.length === 0 ? "unknown-field" : "wrong-type";
    addIssue(walk, makeIssue(node, value, pointer, code));
    return;
  }
  const issue = least === 0 ? undefined : choiceOf(node, at, tag, named, value, pointer);
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
  depth: number,
): void {
  const { length } = walk.issues;
  visit(walk, of, value, depth);
  if (walk.done || hasWrongType(walk, length)) return;
  for (const found of checked.by(checked.checks, value)) {
    const { listUnknownFields } = walk;
    // A field is known if any of the value's rules names it.
    if (found.pointer === "") walk.listUnknownFields = false;
    if ("code" in found) addIssue(walk, { ...found, pointer: pointerOf(walk) + found.pointer });
    else visitPart(walk, linkRule(found.rule), found.value, found.pointer, depth);
    walk.listUnknownFields = listUnknownFields;
    if (walk.done) return;
  }
}

/** Returns whether any issues, from an index on, say that the visited value has the wrong type. */
function hasWrongType(walk: Walk, from: number): boolean {
  const issues = walk.issues.slice(from).filter(({ code }) => code === "wrong-type");
  return issues.length > 0 && issues.some(({ pointer }) => pointer === pointerOf(walk));
}

function visitMessage(walk: Walk, node: MessageNode, value: AnyFields): void {
  const arm = node.arms.find(({ matches }) => matches(value));
  if (arm === undefined) addIssue(walk, kindIssue(node.arms, value, pointerOf(walk)));
  else visit(walk, arm.nodeOf(value), value, 0);
}

function visitLate(walk: Walk, node: RuleNode, value: unknown, depth: number): void {
  if (depth < maxNesting) {
    if (node.kind === "object" && isObject(value)) visitObject(walk, node, value, depth + 1);
    else visit(walk, node, value, depth + 1);
    return;
  }
  addIssue(walk, tooDeep(pointerOf(walk)));
  // Stop here: the value may be cyclic, in which case all its parts have been checked.
  walk.done = true;
}

/**
 * Returns the value of a property. If every object inherits the name, only an own property counts.
 */
function fieldOf(value: AnyFields, { name, own }: PropertyNode): unknown {
  return own && !Object.hasOwn(value, name) ? undefined : value[name];
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

/** Returns the rule for a response, depending on whether it is a failure. */
function outcomeOf(node: ResponseNode, value: unknown): ObjectNode {
  const failed =
    isObject(value) &&
    (node.byPresence ? value[node.failsBy] !== undefined : value[node.failsBy] === false);
  return failed ? node.failure : node.success;
}

function isWithin(node: BoundedNode | ListNode, value: number): boolean {
  return value >= node.min && value <= node.max;
}
