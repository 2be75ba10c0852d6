import { pointerStep } from "../base/json-pointer.js";
import type { AnyFields } from "../protocol/message-fields.js";
import { ArmNode } from "./arm-node.js";
import type {
  CheckedRule,
  EnvelopePart,
  Forgiven,
  ObjectRule,
  ObjectSource,
  ResponseRule,
  Rule,
} from "./rule.js";
import { numberedSections, sharedBit, type FaultMask } from "./fault-mask.js";
import { kinds } from "./rule-kinds.js";
import type { Tolerance } from "./findings.js";

/**
 * A rule prepared for walking. All nodes have the same shape, and objects include the properties of
 * their bases.
 */
export class RuleNode {
  readonly kind: number;
  min: number = -Infinity;
  max: number = Infinity;
  values: readonly (string | number | boolean)[] = none;
  /** The numbers of an enum's values. */
  numbers: readonly number[] = none;
  /** Rule of the items of a list, or of the values of a map. */
  child: RuleNode | undefined;
  /** Returns a bit mask of the invalid properties of an object. */
  faults: FaultMask | undefined;
  members: readonly RuleNode[] = none;
  properties: readonly PropertyNode[] = none;
  /** Index of the property that alone tells a message of a name from others; -1 if there is none. */
  payload = -1;
  /** The only base of an object; undefined if there is none, or several. */
  base: RuleNode | undefined;
  /** Whether any property may hold a container. */
  hasParts = false;
  /** Whether a value may contain objects with fields of their own. */
  holdsObjects = false;
  /** Properties by name. */
  byName: ReadonlyMap<string, PropertyNode> = noProperties;
  /** Properties in the order in which the fields of a value last occurred. */
  readonly lastOrder: PropertyNode[] = [];
  /** Whether it is the top level of a message. */
  message = false;
  /** Whether other properties are expected. */
  free = false;
  closed = false;
  recursive = false;
  success: RuleNode | undefined;
  failure: RuleNode | undefined;
  failsBy = "";
  byPresence = false;
  arms: readonly ArmNode<RuleNode>[] = none;
  /** The index of a message's kind in `arms`; -1 if it is of none. */
  armOf: ((message: AnyFields) => number) | undefined;
  /** Messages with a known name. */
  known: readonly KnownMessage[] = none;
  /** Their nodes that were linked, by their numbers. */
  readonly numbered: RuleNode[] = [];
  late: (() => Rule) | undefined;
  /** A rule with conditions; `child` is the rule of the type. */
  checked: CheckedRule | undefined;
  #expected: string | undefined;

  constructor(kind: number) {
    this.kind = kind;
  }

  /** What is expected, in words. */
  get expected(): string {
    return (this.#expected ??= expectedText(this));
  }
}

export class PropertyNode {
  readonly name: string;
  readonly rule: Rule;
  readonly node: RuleNode;
  readonly required: boolean;
  readonly part: EnvelopePart | undefined;
  /** Whether it is the id of a message. */
  readonly isNumber: boolean;
  /** The tolerance that accepts its absence. */
  readonly missing: Tolerance | undefined;
  readonly forgives: readonly Forgiven[];
  readonly otherwise: unknown;
  /** Whether a message cannot be understood without it. */
  readonly essential: boolean;
  /** Whether every object inherits a property of that name, so that only an own property counts. */
  readonly own: boolean;
  /** The name as a step of a JSON Pointer. */
  readonly step: string;

  constructor(
    name: string,
    rule: Rule,
    required: boolean,
    message: boolean,
    inherited: EnvelopePart | undefined,
  ) {
    const annotated = typeof rule === "object" && "rule" in rule ? rule : undefined;
    this.name = name;
    this.rule = rule;
    this.node = linkRule(annotated?.rule ?? rule);
    this.required = required;
    this.part = annotated?.part ?? inherited;
    this.isNumber = this.part === "id" || this.part === "replyTo";
    this.missing =
      this.part !== undefined
        ? missingPart[this.part]
        : annotated?.implied === true
          ? "implied"
          : undefined;
    this.forgives = annotated?.forgives ?? none;
    this.otherwise = annotated?.otherwise;
    this.essential = message && required && (this.part === undefined || this.part === "replyTo");
    this.own = name in Object.prototype;
    this.step = pointerStep(name);
  }

  /** Whether null is a valid value. */
  get nullable(): boolean {
    return takesNull(this.node);
  }

  /** The same property at the top level of a message. */
  ofMessage(): PropertyNode {
    return new PropertyNode(this.name, this.rule, this.required, true, this.part);
  }
}

/** The tolerance that accepts the absence of a part of the envelope. */
const missingPart: { readonly [Part in EnvelopePart]?: Tolerance } = {
  id: "id-unset",
  result: "success-body",
  error: "failure-body",
};

const none: readonly never[] = [];
const noProperties: ReadonlyMap<string, PropertyNode> = /* @__PURE__ */ new Map();
const nodesByRule = /* @__PURE__ */ new WeakMap<object, RuleNode>();
const primitives = /* @__PURE__ */ new Map<string, RuleNode>();

/** The node of a rule. The same rule always has the same node. */
export function linkRule(rule: Rule): RuleNode {
  if (typeof rule === "string") {
    let node = primitives.get(rule);
    if (node === undefined) primitives.set(rule, (node = new RuleNode(kinds[rule])));
    return node;
  }
  let node = nodesByRule.get(rule);
  if (node === undefined) {
    node = makeNode(rule);
    nodesByRule.set(rule, node);
  }
  return node;
}

function makeNode(rule: Exclude<Rule, string>): RuleNode {
  if (typeof rule === "function") return linkRule(rule());
  if ("late" in rule) {
    const node = new RuleNode(kinds.late);
    node.holdsObjects = true;
    node.late = rule.late;
    return node;
  }
  if ("rule" in rule) return linkRule(rule.rule);
  if ("by" in rule) {
    const node = new RuleNode(kinds.checked);
    node.checked = rule;
    node.child = linkRule(rule.of);
    node.holdsObjects = node.child.holdsObjects;
    return node;
  }
  if ("integer" in rule) return bounded(kinds.integer, rule.integer);
  if ("number" in rule) return bounded(kinds.number, rule.number);
  if ("string" in rule) return bounded(kinds.string, rule.string);
  if ("value" in rule) return listing(kinds.value, [rule.value]);
  if ("oneOf" in rule) {
    const node = listing(kinds.oneOf, rule.oneOf);
    node.numbers = rule.numbers ?? none;
    return node;
  }
  if ("list" in rule) {
    const node = bounded(kinds.list, rule.size ?? [0, Infinity]);
    node.child = linkRule(rule.list);
    node.holdsObjects = node.child.holdsObjects;
    return node;
  }
  if ("map" in rule) {
    const node = new RuleNode(kinds.map);
    node.child = linkRule(rule.map);
    node.holdsObjects = node.child.holdsObjects;
    return node;
  }
  if ("anyOf" in rule) {
    const node = new RuleNode(kinds.anyOf);
    node.members = rule.anyOf.map(linkRule);
    node.holdsObjects = node.members.some((member) => member.holdsObjects);
    return node;
  }
  if ("failure" in rule) {
    const node = new RuleNode(kinds.response);
    node.success = linkRule(rule.success);
    node.failure = linkRule(ownFailure(rule));
    node.failsBy = rule.failure.by;
    node.byPresence = rule.failure.byPresence === true;
    return node;
  }
  if ("arms" in rule) {
    const node = new RuleNode(kinds.message);
    node.arms = rule.arms.map((arm) => new ArmNode(arm, linkRule));
    node.known = rule.arms.flatMap(({ name: field = "", known = {} }) =>
      Object.entries(known).map(([name, rule]) => ({ field, name, rule })),
    );
    node.armOf =
      rule.armOf ?? ((message) => node.arms.findIndex(({ matches }) => matches(message)));
    return node;
  }
  return objectNode(rule);
}

/**
 * The node of a known message.
 *
 * @param number Counts the known names of all kinds, from 2.
 */
export function numberedRule(message: RuleNode, number: number): RuleNode {
  return (message.numbered[number] ??= linkKnown(message.known[number - 2]!));
}

/** A message with a known name. */
interface KnownMessage {
  readonly field: string;
  readonly name: string;
  readonly rule: Rule;
}

function linkKnown({ field, name, rule }: KnownMessage): RuleNode {
  const node = linkRule(rule);
  const message = node.success ?? node;
  const base = message.base?.properties ?? none;
  const own = message.properties.filter(
    (each, index) => each !== base[index] && !(each.name === field && each.node.values[0] === name),
  );
  if (own.length === 1 && message.properties.length <= sharedBit)
    message.payload = message.properties.indexOf(own[0]!);
  return message;
}

function bounded(kind: number, [min, max]: readonly [number, number]): RuleNode {
  const node = new RuleNode(kind);
  node.min = min;
  node.max = max;
  return node;
}

function listing(kind: number, values: readonly (string | number | boolean)[]): RuleNode {
  const node = new RuleNode(kind);
  node.values = values;
  return node;
}

function objectNode(rule: ObjectRule): RuleNode {
  const node = new RuleNode(kinds.object);
  node.holdsObjects = true;
  const bases = (rule.bases ?? none).map(linkRule);
  node.message = rule.message === true || bases.some((base) => base.message);
  const properties = new Map<string, PropertyNode>();
  for (const base of bases)
    for (const property of base.properties)
      properties.set(
        property.name,
        base.message === node.message ? property : property.ofMessage(),
      );
  for (const section of numberedSections) {
    for (const [name, each] of Object.entries(rule[section] ?? {})) {
      const inherited = properties.get(name);
      // A property that a base requires stays required.
      const required = section === "required" || inherited?.required === true;
      properties.set(name, new PropertyNode(name, each, required, node.message, inherited?.part));
    }
  }
  node.faults = rule.faults;
  node.properties = [...properties.values()];
  node.hasParts = node.properties.some((each) => each.node.kind >= kinds.list);
  node.byName = properties;
  if (bases.length === 1) node.base = bases[0];
  node.closed = rule.extras === "closed";
  node.free = rule.extras === "free" || (properties.size === 0 && !node.closed);
  node.recursive = rule.recursive === true;
  return node;
}

/** The rule of a request's failures: that of all failures, plus the name of the request. */
function ownFailure({ success, failure: { rule, name } }: ResponseRule): ObjectSource {
  if (name === undefined || typeof success === "function") return rule;
  return { bases: [rule], required: { [name]: success.required![name]! } };
}

function takesNull(node: RuleNode): boolean {
  return (
    node.kind === kinds.any ||
    node.kind === kinds.null ||
    node.members.some(takesNull) ||
    (node.kind === kinds.checked && takesNull(node.child!)) ||
    (node.kind === kinds.late && takesNull(linkRule(node.late!)))
  );
}

function expectedText(node: RuleNode): string {
  switch (node.kind) {
    case kinds.any:
      return "any value";
    case kinds.null:
      return "null";
    case kinds.boolean:
      return "true or false";
    case kinds.string:
      return `a string${sizeText(node, "character")}`;
    case kinds.number:
      return `a number${rangeText(node)}`;
    case kinds.integer:
      return `an integer${rangeText(node)}`;
    case kinds.value:
      return JSON.stringify(node.values[0]);
    case kinds.oneOf:
      return oneOfText(node.values);
    case kinds.list:
      return `a list${sizeText(node, "item")}`;
    case kinds.anyOf:
      return node.members.length === 0
        ? "nothing"
        : [...new Set(node.members.map((member) => member.expected))].join(" or ");
    case kinds.late:
      return linkRule(node.late!).expected;
    case kinds.checked:
      return node.child!.expected;
    default:
      return "an object";
  }
}

/** Lists values: `one of "a", "b"`. */
export function oneOfText(values: readonly unknown[]): string {
  return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

function sizeText({ min, max }: RuleNode, what: string): string {
  if (min <= 0 && max === Infinity) return "";
  const bounds =
    max === Infinity ? `at least ${min}` : min <= 0 ? `at most ${max}` : `${min} to ${max}`;
  return ` of ${bounds} ${what}${bounds.endsWith(" 1") ? "" : "s"}`;
}

function rangeText({ min, max }: RuleNode): string {
  const from = min === -Infinity ? "" : ` from ${boundText(min)}`;
  return max === Infinity ? from : `${from}${from === "" ? " up" : ""} to ${boundText(max)}`;
}

/** Shows the bounds of machine integers as powers of two. */
function boundText(value: number): string {
  const bound = Math.abs(value) + (value > 0 ? 1 : 0);
  const power = Math.round(Math.log2(bound));
  if (power >= 15 && 2 ** power === bound) return value > 0 ? `2^${power}-1` : `-2^${power}`;
  return value === Number.MIN_SAFE_INTEGER ? "-(2^53-1)" : String(value);
}
