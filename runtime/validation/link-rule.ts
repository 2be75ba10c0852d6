import { pointerStep } from "../base/json-pointer.js";
import { testOfArm } from "../protocol/message-fields.js";
import type { Tolerance } from "./findings.js";
import type {
  AnnotatedRule,
  ContentsRule,
  EnvelopePart,
  MessageArm,
  MessageRule,
  ObjectRule,
  ObjectSource,
  ResponseRule,
  Rule,
} from "./rule.js";
import type {
  ArmNode,
  BoundedNode,
  MessageNode,
  ObjectNode,
  PropertyNode,
  ResponseNode,
  RuleNode,
} from "./rule-node.js";

/** The groups of an object's own properties, in the order in which they are checked. */
export const propertySections = ["required", "optional"] as const;

/** The tolerances that accept a missing envelope part, by part. */
const missingPart: { readonly [Part in EnvelopePart]?: Tolerance } = {
  id: "id-unset",
  result: "success-body",
  error: "failure-body",
};

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
    if (node === undefined) primitives.set(rule, (node = primitiveNode(rule)));
    return node;
  }
  let node = nodesByRule.get(rule);
  if (node === undefined) nodesByRule.set(rule, (node = makeNode(rule)));
  return node;
}

/**
 * Creates the rule for a message that extends a base.
 *
 * @param required The message's own properties, such as its name.
 * @param field The property with the message's contents.
 */
export function extendRule(
  base: ObjectSource,
  required: { readonly [name: string]: Rule },
  field: string,
  contents: ContentsRule | undefined,
): ObjectRule {
  const bases = [base];
  if (contents === undefined) return { bases, required };
  return isOptional(contents)
    ? { bases, required, optional: { [field]: contents[0] } }
    : { bases, required: { ...required, [field]: contents } };
}

function isOptional(rule: ContentsRule): rule is readonly [Rule] {
  return Array.isArray(rule);
}

/**
 * Creates the rules for the messages of one kind.
 *
 * @param rule Returns the rule for a message, given its name and the rule for its contents.
 */
export function namedRules(
  rule: (name: string, contents: ContentsRule | undefined) => Rule,
  contents: { readonly [name: string]: ContentsRule | undefined },
): { readonly [name: string]: Rule } {
  return Object.fromEntries(
    Object.entries(contents).map(([name, each]) => [name, rule(name, each)]),
  );
}

function primitiveNode(kind: Extract<Rule, string>): RuleNode {
  return kind === "any" || kind === "null" || kind === "boolean"
    ? { kind, text: undefined }
    : boundedNode(kind, [-Infinity, Infinity]);
}

function makeNode(rule: Exclude<Rule, string>): RuleNode {
  // A validator is a function, too.
  if ("rule" in rule) return linkRule(rule.rule);
  if (typeof rule === "function") return linkRule(rule());
  const text = undefined;
  if ("late" in rule) return { kind: "late", text, target: () => linkRule(rule.late) };
  if ("by" in rule) {
    const of = linkRule(rule.of);
    return { kind: "checked", text, checked: rule, of };
  }
  if ("integer" in rule) return boundedNode("integer", rule.integer);
  if ("number" in rule) return boundedNode("number", rule.number);
  if ("string" in rule) return boundedNode("string", rule.string);
  if ("value" in rule) return { kind: "value", text, value: rule.value };
  if ("oneOf" in rule) {
    const { oneOf: values, numbers = none } = rule;
    return { kind: "oneOf", text, values, numbers };
  }
  if ("list" in rule) {
    const item = linkRule(rule.list);
    const isItem =
      typeof rule.list !== "string" && "isValid" in rule.list ? rule.list.isValid : undefined;
    const [min, max] = rule.size ?? [0, Infinity];
    return { kind: "list", text, min, max, item, isItem };
  }
  if ("map" in rule) {
    const item = linkRule(rule.map);
    return { kind: "map", text, item };
  }
  if ("anyOf" in rule) {
    const members = rule.anyOf.map((member) => linkRule(member));
    return { kind: "anyOf", text, members };
  }
  if ("failure" in rule) return responseNode(rule);
  if ("arms" in rule) return messageNode(rule);
  return objectNode(rule);
}

function boundedNode(
  kind: BoundedNode["kind"],
  [min, max]: readonly [number, number],
): BoundedNode {
  return { kind, text: undefined, min, max };
}

function responseNode(rule: ResponseRule): ResponseNode {
  return {
    kind: "response",
    text: undefined,
    success: linkRule(rule.success),
    failure: linkRule(failureRuleOf(rule)),
    failsBy: rule.failure.by,
    byPresence: rule.failure.byPresence === true,
  };
}

/**
 * Creates the rule for a request's failures, from the rule for all failures and the request's name.
 */
function failureRuleOf({ success, failure: { rule, name } }: ResponseRule): ObjectSource {
  if (name === undefined || typeof success === "function" || "rule" in success) return rule;
  return { bases: [rule], required: { [name]: success.required![name]! } };
}

function messageNode({ arms }: MessageRule): MessageNode {
  return { kind: "message", text: undefined, arms: arms.map(armNode) };
}

function armNode(arm: MessageArm): ArmNode {
  const { when, name = "", known = {}, other } = arm;
  return {
    when,
    matches: testOfArm(arm),
    nodeOf: ({ [name]: text }) =>
      linkRule(typeof text === "string" && Object.hasOwn(known, text) ? known[text]! : other),
  };
}

function objectNode(rule: ObjectRule): ObjectNode {
  // A base may be a union, which has no properties.
  const bases = (rule.bases ?? none)
    .map((base): RuleNode => linkRule(base))
    .filter((base): base is ObjectNode => base.kind === "object");
  const message = rule.message === true || bases.some((base) => base.message);
  const byName = new Map<string, PropertyNode>();
  for (const base of bases)
    for (const property of base.properties)
      byName.set(property.name, base.message === message ? property : ofMessage(property));
  for (const section of propertySections) {
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
    kind: "object",
    text: undefined,
    properties,
    tested: properties.filter(({ isTested }) => isTested),
    byName,
    message,
    free: rule.extras === "free" || (properties.length === 0 && !closed),
    closed,
    recursive: rule.recursive === true,
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
  const annotated =
    typeof rule === "object" && "rule" in rule ? (rule as AnnotatedRule) : undefined;
  const part = annotated?.part ?? inherited;
  const node = linkRule(annotated?.rule ?? rule);
  return {
    name,
    rule,
    node,
    required,
    isTested: required || node.kind !== "any",
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
    case "any":
    case "null":
      return true;
    case "anyOf":
      return node.members.some(takesNull);
    case "checked":
      return takesNull(node.of);
    case "late":
      return takesNull(node.target());
    default:
      return false;
  }
}
