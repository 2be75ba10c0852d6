import type { ValidationIssue } from "./findings.js";
import { choiceIssue } from "./issues.js";
import type { Constant, ObjectNode, PropertyNode, RuleNode, UnionNode } from "./rule-node.js";

/** The property whose constants distinguish the alternatives of a union. */
export interface UnionTag {
  readonly property: PropertyNode;
  /** The constants for each alternative; undefined for an alternative without constants. */
  readonly constants: readonly (readonly Constant[] | undefined)[];
  readonly allowed: readonly Constant[];
}

/** Maximum depth of nested unions. */
const maxUnions = 8;

const tags = /* @__PURE__ */ new WeakMap<UnionNode, UnionTag | null>();

/** Returns a union's tag, or null if its alternatives have none. */
export function tagOf(union: UnionNode): UnionTag | null {
  let tag = tags.get(union);
  if (tag === undefined) tags.set(union, (tag = findTag(union)));
  return tag;
}

/** Returns whether a tag value selects an alternative. */
export function isNamed(tag: UnionTag | null, member: number, value: unknown): boolean {
  return tag?.constants[member]?.includes(value as Constant) === true;
}

/**
 * Creates the issue for a tag that selects no alternative, or for a value that is not one of
 * several constants.
 */
export function choiceOf(
  node: UnionNode,
  at: number,
  tag: UnionTag | null,
  named: unknown,
  value: unknown,
  path: string,
): ValidationIssue | undefined {
  if (tag?.constants[at] !== undefined)
    return isNamed(tag, at, named)
      ? undefined
      : choiceIssue(path + tag.property.step, named, tag.allowed);
  if (node.members[at]!.kind !== "value") return undefined;
  const allowed = node.members.flatMap((each) => (each.kind === "value" ? [each.value] : []));
  return allowed.length === 1 ? undefined : choiceIssue(path, value, allowed);
}

function findTag({ members }: UnionNode): UnionTag | null {
  const objects = members.map((member) => objectsIn(member, maxUnions));
  let found: UnionTag | null = null;
  let most = 1;
  for (const property of objects.flat().flatMap(({ properties }) => properties)) {
    const constants = objects.map((each) => commonConstants(each, property.name));
    const allowed = [...new Set(constants.flatMap((each) => each ?? []))];
    const tagged = constants.filter((each) => each !== undefined).length;
    // A property with the same constants in all alternatives cannot distinguish them.
    if (tagged <= most || allowed.length < 2) continue;
    found = { property, constants, allowed };
    most = tagged;
  }
  return found;
}

/** Returns the object types that a rule allows. */
function objectsIn(rule: RuleNode, most: number): readonly ObjectNode[] {
  const node = rule.kind === "late" ? rule.target() : rule;
  if (node.kind === "anyOf" && most > 0)
    return node.members.flatMap((member) => objectsIn(member, most - 1));
  return node.kind === "object" ? [node] : [];
}

/**
 * Returns a property's constants in several object types, or undefined if one of the types has
 * none.
 */
function commonConstants(
  objects: readonly ObjectNode[],
  name: string,
): readonly Constant[] | undefined {
  const lists = objects.map(({ byName }) => {
    const property = byName.get(name);
    const node = property?.required === true ? property.node : undefined;
    if (node?.kind === "value") return [node.value];
    return node?.kind === "oneOf" ? node.values : undefined;
  });
  return lists.length === 0 || lists.includes(undefined)
    ? undefined
    : lists.flatMap((each) => each!);
}
