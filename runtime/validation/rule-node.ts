import type { AnyFields } from "../protocol/message-fields.js";
import type { ArmNode } from "./arm-node.js";
import type { FaultMask } from "./fault-mask.js";
import type { Tolerance } from "./findings.js";
import type { CheckedRule, EnvelopePart, Forgiven, Rule } from "./rule.js";
import type { kinds } from "./rule-kinds.js";

/**
 * A rule in the form needed by the walk: references are resolved, and objects include the
 * properties of their bases.
 */
export type RuleNode =
  | PlainNode
  | BoundedNode
  | ValueNode
  | EnumNode
  | ListNode
  | MapNode
  | UnionNode
  | ObjectNode
  | ResponseNode
  | MessageNode
  | LateNode
  | CheckedNode;

interface AnyNode {
  /** Whether a value may contain objects with declared fields. */
  readonly holdsObjects: boolean;
  /** A description of the expected value; undefined until it is needed. */
  text: string | undefined;
}

/** A rule that accepts any value, only null, or only booleans. */
export interface PlainNode extends AnyNode {
  readonly kind: typeof kinds.any | typeof kinds.null | typeof kinds.boolean;
}

/** A number within bounds, or a string of limited length. */
export interface BoundedNode extends AnyNode {
  readonly kind: typeof kinds.string | typeof kinds.number | typeof kinds.integer;
  readonly min: number;
  readonly max: number;
}

export type Constant = string | number | boolean;

/** A rule that accepts one constant. */
export interface ValueNode extends AnyNode {
  readonly kind: typeof kinds.value;
  readonly value: Constant;
}

/** A rule that accepts any of several constants. */
export interface EnumNode extends AnyNode {
  readonly kind: typeof kinds.oneOf;
  readonly values: readonly Constant[];
  /** The numbers that dialects write in place of the values. */
  readonly numbers: readonly number[];
}

export interface ListNode extends AnyNode {
  readonly kind: typeof kinds.list;
  readonly min: number;
  readonly max: number;
  readonly item: RuleNode;
}

export interface MapNode extends AnyNode {
  readonly kind: typeof kinds.map;
  readonly item: RuleNode;
}

export interface UnionNode extends AnyNode {
  readonly kind: typeof kinds.anyOf;
  readonly members: readonly RuleNode[];
}

export interface ObjectNode extends AnyNode {
  readonly kind: typeof kinds.object;
  /** Returns a bit mask of the invalid properties. */
  readonly faults: FaultMask | undefined;
  readonly properties: readonly PropertyNode[];
  readonly byName: ReadonlyMap<string, PropertyNode>;
  /** Properties in the order in which the last value's fields occurred. */
  readonly lastOrder: PropertyNode[];
  /** The only base; undefined if there is none, or more than one. */
  readonly base: ObjectNode | undefined;
  /** Whether any property's value may be a container. */
  readonly hasParts: boolean;
  /** Whether the object is a whole message. */
  readonly message: boolean;
  /** Whether properties without a rule are expected. */
  readonly free: boolean;
  readonly closed: boolean;
  readonly recursive: boolean;
  /**
   * Index of the property that distinguishes a message from all others with the same name, or -1 if
   * no single property does.
   */
  payload: number;
}

/** A response, which is either a success or a failure. */
export interface ResponseNode extends AnyNode {
  readonly kind: typeof kinds.response;
  readonly success: ObjectNode;
  readonly failure: ObjectNode;
  /** The field that is false in failures, or is present only in failures. */
  readonly failsBy: string;
  readonly byPresence: boolean;
}

/** A message of any kind. */
export interface MessageNode extends AnyNode {
  readonly kind: typeof kinds.message;
  readonly arms: readonly ArmNode<RuleNode>[];
  /** Returns the index of a message's kind in `arms`, or -1 if no kind matches. */
  readonly armOf: (message: AnyFields) => number;
  /** Messages with a known name. */
  readonly known: readonly KnownMessage[];
  /** The linked nodes of messages with a known name, by number. */
  readonly numbered: RuleNode[];
}

/** A message with a known name. */
export interface KnownMessage {
  readonly field: string;
  readonly name: string;
  readonly rule: Rule;
}

/** A recursive reference to an enclosing definition. */
export interface LateNode extends AnyNode {
  readonly kind: typeof kinds.late;
  readonly target: () => RuleNode;
}

/** A value with conditions that a type cannot express. */
export interface CheckedNode extends AnyNode {
  readonly kind: typeof kinds.checked;
  readonly checked: CheckedRule;
  /** The rule for the value's type. */
  readonly of: RuleNode;
}

export interface PropertyNode {
  readonly name: string;
  readonly rule: Rule;
  readonly node: RuleNode;
  readonly required: boolean;
  readonly part: EnvelopePart | undefined;
  /** Whether the property is a message's id. */
  readonly isNumber: boolean;
  /** The tolerance that accepts a missing property. */
  readonly missing: Tolerance | undefined;
  readonly forgives: readonly Forgiven[];
  readonly otherwise: unknown;
  /** Whether a message cannot be interpreted without the property. */
  readonly essential: boolean;
  /**
   * Whether every object inherits a property with this name, so that only an own property counts.
   */
  readonly own: boolean;
  /** The name as a JSON Pointer step. */
  readonly step: string;
}
