import { pointerStep } from "../base/json-pointer.js";
import { ArmNode } from "./arm-node.js";
import { failureRuleOf } from "./failure-rule.js";
import { numberedSections, sharedBit } from "./fault-mask.js";
import { missingPart } from "./missing-part.js";
import type {
  EnvelopePart,
  MessageRule,
  ObjectRule,
  ObjectSource,
  ResponseRule,
  Rule,
} from "./rule.js";
import { kinds } from "./rule-kinds.js";
import type {
  BoundedNode,
  KnownMessage,
  MessageNode,
  ObjectNode,
  PropertyNode,
  ResponseNode,
  RuleNode,
} from "./rule-node.js";

const none: readonly never[] = [];
const nodesByRule = /* @__PURE__ */ new WeakMap<object, RuleNode>();
const primitives = /* @__PURE__ */ new Map<string, RuleNode>();

/** Returns the node of a rule. The same rule always gets the same node. */
export function linkRule(rule: MessageRule | (() => MessageRule)): MessageNode;
export function linkRule(rule: ObjectSource): ObjectNode;
export function linkRule(rule: Rule): RuleNode;
export function linkRule(rule: Rule): RuleNode {
  if (typeof rule === "string") {
    let node = primitives.get(rule);
    if (node === undefined) primitives.set(rule, (node = primitiveNode(kinds[rule])));
    return node;
  }
  let node = nodesByRule.get(rule);
  if (node === undefined) nodesByRule.set(rule, (node = makeNode(rule)));
  return node;
}

type PrimitiveKind = (typeof kinds)[Extract<Rule, string>];

function primitiveNode(kind: PrimitiveKind): RuleNode {
  return kind === kinds.any || kind === kinds.null || kind === kinds.boolean
    ? { kind, holdsObjects: false, text: undefined }
    : boundedNode(kind, [-Infinity, Infinity]);
}

function makeNode(rule: Exclude<Rule, string>): RuleNode {
  if (typeof rule === "function") return linkRule(rule());
  const text = undefined;
  if ("late" in rule)
    return { kind: kinds.late, holdsObjects: true, text, target: () => linkRule(rule.late) };
  if ("rule" in rule) return linkRule(rule.rule);
  if ("by" in rule) {
    const of = linkRule(rule.of);
    return { kind: kinds.checked, holdsObjects: of.holdsObjects, text, checked: rule, of };
  }
  if ("integer" in rule) return boundedNode(kinds.integer, rule.integer);
  if ("number" in rule) return boundedNode(kinds.number, rule.number);
  if ("string" in rule) return boundedNode(kinds.string, rule.string);
  if ("value" in rule) return { kind: kinds.value, holdsObjects: false, text, value: rule.value };
  if ("oneOf" in rule) {
    const { oneOf: values, numbers = none } = rule;
    return { kind: kinds.oneOf, holdsObjects: false, text, values, numbers };
  }
  if ("list" in rule) {
    const item = linkRule(rule.list);
    const [min, max] = rule.size ?? [0, Infinity];
    return { kind: kinds.list, holdsObjects: item.holdsObjects, text, min, max, item };
  }
  if ("map" in rule) {
    const item = linkRule(rule.map);
    return { kind: kinds.map, holdsObjects: item.holdsObjects, text, item };
  }
  if ("anyOf" in rule) {
    const members = rule.anyOf.map((member) => linkRule(member));
    const holdsObjects = members.some((member) => member.holdsObjects);
    return { kind: kinds.anyOf, holdsObjects, text, members };
  }
  if ("failure" in rule) return responseNode(rule);
  if ("arms" in rule) return messageNode(rule);
  return objectNode(rule);
}

function boundedNode(
  kind: BoundedNode["kind"],
  [min, max]: readonly [number, number],
): BoundedNode {
  return { kind, holdsObjects: false, text: undefined, min, max };
}

function responseNode(rule: ResponseRule): ResponseNode {
  return {
    kind: kinds.response,
    holdsObjects: false,
    text: undefined,
    success: linkRule(rule.success),
    failure: linkRule(failureRuleOf(rule)),
    failsBy: rule.failure.by,
    byPresence: rule.failure.byPresence === true,
  };
}

function messageNode(rule: MessageRule): MessageNode {
  const arms = rule.arms.map((arm) => new ArmNode<RuleNode>(arm, linkRule));
  return {
    kind: kinds.message,
    holdsObjects: false,
    text: undefined,
    arms,
    armOf: rule.armOf ?? ((message) => arms.findIndex(({ matches }) => matches(message))),
    known: rule.arms.flatMap(({ name: field = "", known = {} }) =>
      Object.entries(known).map(([name, rule]) => ({ field, name, rule })),
    ),
    numbered: [],
  };
}

/**
 * Returns the node of a known message.
 *
 * @param number The message's number. Numbers count the known names of all kinds, starting with 2.
 */
export function numberedRule(message: MessageNode, number: number): RuleNode {
  return (message.numbered[number] ??= linkKnown(message.known[number - 2]!));
}

function linkKnown({ field, name, rule }: KnownMessage): RuleNode {
  const node = linkRule(rule);
  const message = node.kind === kinds.response ? node.success : node;
  if (message.kind !== kinds.object) return message;
  const base = message.base?.properties ?? none;
  const own = message.properties.filter(
    (each, index) => each !== base[index] && !(each.name === field && isConstant(each.node, name)),
  );
  if (own.length === 1 && message.properties.length <= sharedBit)
    message.payload = message.properties.indexOf(own[0]!);
  return message;
}

function isConstant(node: RuleNode, value: string): boolean {
  return (
    (node.kind === kinds.value && node.value === value) ||
    (node.kind === kinds.oneOf && node.values[0] === value)
  );
}

function objectNode(rule: ObjectRule): ObjectNode {
  // A base may be a union, which has no properties.
  const bases = (rule.bases ?? none)
    .map((base): RuleNode => linkRule(base))
    .filter((base): base is ObjectNode => base.kind === kinds.object);
  const message = rule.message === true || bases.some((base) => base.message);
  const byName = new Map<string, PropertyNode>();
  for (const base of bases)
    for (const property of base.properties)
      byName.set(property.name, base.message === message ? property : ofMessage(property));
  for (const section of numberedSections) {
    for (const [name, each] of Object.entries(rule[section] ?? {})) {
      const inherited = byName.get(name);
      // A property required by a base remains required.
      const required = section === "required" || inherited?.required === true;
      byName.set(name, propertyNode(name, each, required, message, inherited?.part));
    }
  }
  const properties = [...byName.values()];
  const closed = rule.extras === "closed";
  return {
    kind: kinds.object,
    holdsObjects: true,
    text: undefined,
    faults: rule.faults,
    properties,
    byName,
    lastOrder: [],
    base: bases.length === 1 ? bases[0] : undefined,
    hasParts: properties.some((each) => each.node.kind >= kinds.list),
    message,
    free: rule.extras === "free" || (properties.length === 0 && !closed),
    closed,
    recursive: rule.recursive === true,
    payload: -1,
  };
}

/** Creates the node for a property at the top level of a message. */
function ofMessage({ name, rule, required, part }: PropertyNode): PropertyNode {
  return propertyNode(name, rule, required, true, part);
}

function propertyNode(
  name: string,
  rule: Rule,
  required: boolean,
  message: boolean,
  inherited: EnvelopePart | undefined,
): PropertyNode {
  const annotated = typeof rule === "object" && "rule" in rule ? rule : undefined;
  const part = annotated?.part ?? inherited;
  return {
    name,
    rule,
    node: linkRule(annotated?.rule ?? rule),
    required,
    part,
    isNumber: part === "id" || part === "replyTo",
    missing:
      part !== undefined ? missingPart[part] : annotated?.implied === true ? "implied" : undefined,
    forgives: annotated?.forgives ?? none,
    otherwise: annotated?.otherwise,
    essential: message && required && (part === undefined || part === "replyTo"),
    own: name in Object.prototype,
    step: pointerStep(name),
  };
}

/** Returns whether null is a valid value. */
export function takesNull(node: RuleNode): boolean {
  switch (node.kind) {
    case kinds.any:
    case kinds.null:
      return true;
    case kinds.anyOf:
      return node.members.some(takesNull);
    case kinds.checked:
      return takesNull(node.of);
    case kinds.late:
      return takesNull(node.target());
    default:
      return false;
  }
}
