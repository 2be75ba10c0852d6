import type { AnyFields } from "../protocol/message-fields.js";
import type { WhenTable } from "../protocol/protocol-description.js";
import type { Tolerance } from "./findings.js";
import type { CheckedRule, EnvelopePart, Forgiven, Rule } from "./rule.js";

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
  /** A description of the expected value; undefined until it is needed. */
  text: string | undefined;
}

/** A rule that accepts any value, only null, or only booleans. */
export interface PlainNode extends AnyNode {
  readonly kind: "any" | "null" | "boolean";
}

/** A number within bounds, or a string of limited length. */
export interface BoundedNode extends AnyNode {
  readonly kind: "string" | "number" | "integer";
  readonly min: number;
  readonly max: number;
}

export type Constant = string | number | boolean;

/** A rule that accepts one constant. */
export interface ValueNode extends AnyNode {
  readonly kind: "value";
  readonly value: Constant;
}

/** A rule that accepts any of several constants. */
export interface EnumNode extends AnyNode {
  readonly kind: "oneOf";
  readonly values: readonly Constant[];
  /** The numbers that dialects write in place of the values. */
  readonly numbers: readonly number[];
}

export interface ListNode extends AnyNode {
  readonly kind: "list";
  readonly min: number;
  readonly max: number;
  readonly item: RuleNode;
  /** A compiled check of an item. */
  readonly isItem: ((value: unknown) => boolean) | undefined;
}

export interface MapNode extends AnyNode {
  readonly kind: "map";
  readonly item: RuleNode;
}

export interface UnionNode extends AnyNode {
  readonly kind: "anyOf";
  readonly members: readonly RuleNode[];
}

export interface ObjectNode extends AnyNode {
  readonly kind: "object";
  readonly properties: readonly PropertyNode[];
  /** The properties whose values are tested. */
  readonly tested: readonly PropertyNode[];
  readonly byName: ReadonlyMap<string, PropertyNode>;
  /** Whether the object is a whole message. */
  readonly message: boolean;
  /** Whether properties without a rule are expected. */
  readonly free: boolean;
  readonly closed: boolean;
  readonly recursive: boolean;
}

/** A response, which is either a success or a failure. */
export interface ResponseNode extends AnyNode {
  readonly kind: "response";
  readonly success: ObjectNode;
  readonly failure: ObjectNode;
  /** The field that is false in failures, or is present only in failures. */
  readonly failsBy: string;
  readonly byPresence: boolean;
}

/** A message of any kind. */
export interface MessageNode extends AnyNode {
  readonly kind: "message";
  readonly arms: readonly ArmNode[];
}

/** One kind of message. */
export interface ArmNode {
  readonly when: WhenTable;
  /** Returns whether a message is of this kind. */
  readonly matches: (message: AnyFields) => boolean;
  /** Returns the node for a message of this kind, depending on its name. */
  readonly nodeOf: (message: AnyFields) => RuleNode;
}

/** A recursive reference to an enclosing definition. */
export interface LateNode extends AnyNode {
  readonly kind: "late";
  readonly target: () => RuleNode;
}

/** A value with conditions that a type cannot express. */
export interface CheckedNode extends AnyNode {
  readonly kind: "checked";
  readonly checked: CheckedRule;
  /** The rule for the value's type. */
  readonly of: RuleNode;
}

export interface PropertyNode {
  readonly name: string;
  readonly rule: Rule;
  readonly node: RuleNode;
  readonly required: boolean;
  /**
   * Whether the value is tested. An optional value that may be anything is not even read, because
   * that may throw.
   */
  readonly isTested: boolean;
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
