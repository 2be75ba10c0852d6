import type { WhenTable } from "../protocol/protocol-description.js";
import type { ValidationIssue } from "./findings.js";

/**
 * A validation rule as data. Rules explain why a check failed.
 *
 * A definition is a function or a validator, whose rule is created only to explain a failure, so a
 * program that never sees an invalid message never builds the rules.
 */
export type Rule =
  | "any"
  | "null"
  | "boolean"
  | "string"
  | "number"
  | "integer"
  | { readonly integer: Bounds }
  | { readonly number: Bounds }
  /** A string whose length is within bounds. */
  | { readonly string: Bounds }
  | { readonly value: string | number | boolean }
  /** `numbers`: the numbers that dialects write in place of the values, in the same order. */
  | { readonly oneOf: readonly (string | number)[]; readonly numbers?: readonly number[] }
  | { readonly list: Rule; readonly size?: Bounds }
  | { readonly map: Rule }
  /** Any of several rules. If the array is empty, no value is valid. */
  | { readonly anyOf: readonly Rule[] }
  | AnnotatedRule
  | CheckedRule
  | ObjectRule
  | ResponseRule
  | MessageRule
  | (() => Rule)
  | RuleHolder
  /** A recursive reference to an enclosing definition. */
  | { readonly late: (() => Rule) | RuleHolder };

/** A validator, which stands for its definition's rule. */
export interface RuleHolder {
  readonly rule: Rule;
  /** A compiled check of the same rule. */
  readonly isValid?: ((value: unknown) => boolean) | undefined;
}

/** An object rule, a function that returns one, or the validator of one. */
export type ObjectSource = ObjectRule | (() => ObjectRule) | RuleHolder;

/** Inclusive bounds. */
export type Bounds = readonly [min: number, max: number];

/**
 * A value with conditions that a type cannot express. They apply only to values of the right type.
 */
export interface CheckedRule {
  readonly of: Rule;
  readonly checks: readonly CheckRule[];
  /**
   * Finds the parts of a value that violate these conditions. This is a property so that only
   * packages with such rules contain the function.
   */
  readonly by: (checks: readonly CheckRule[], value: unknown) => readonly CheckFinding[];
}

/**
 * An issue with a part of a value, or a part to be validated with another rule. Paths are relative
 * to the value.
 */
export type CheckFinding =
  ValidationIssue | { readonly pointer: string; readonly value: unknown; readonly rule: Rule };

/** A condition; see `Check` in the model. */
export type CheckRule =
  | { readonly also: Rule }
  | { readonly not: Rule }
  | { readonly oneOf: readonly Rule[] }
  | { readonly if: Rule; readonly then: Rule; readonly else: Rule }
  | { readonly pattern: string }
  | { readonly above: number }
  | { readonly below: number }
  | { readonly multiple: number }
  | { readonly unique: true }
  | { readonly first: readonly Rule[]; readonly rest: Rule }
  | { readonly contains: Rule; readonly count: Bounds }
  | { readonly size: Bounds }
  | { readonly names: Rule }
  | { readonly dependent: string; readonly rule: Rule }
  | { readonly matching: string; readonly rule: Rule }
  | {
      readonly others: Rule;
      readonly names: readonly string[];
      readonly patterns: readonly string[];
    }
  | {
      readonly unevaluated: Rule;
      readonly parts: "properties" | "items";
      readonly evaluated: readonly EvaluatedRule[];
    };

/** The parts of a value that a schema evaluates; see `Evaluated` in the model. */
export interface EvaluatedRule {
  readonly names?: readonly string[];
  readonly patterns?: readonly string[];
  readonly items?: number;
  readonly all?: true;
  readonly containing?: Rule;
  readonly when?: Rule;
  readonly unless?: Rule;
  readonly more?: readonly EvaluatedRule[];
}

/** A property that is described by more than the rule for its value. */
export interface AnnotatedRule {
  /** The property's role in the envelope. If absent, the role is inherited from a base. */
  readonly part?: EnvelopePart;
  /** Whether the property is required although readers know what its absence means. */
  readonly implied?: true;
  /** Problems that a reader may ignore. */
  readonly forgives?: readonly Forgiven[];
  /** The value to use in place of an ignored one. If absent, the property is dropped. */
  readonly otherwise?: unknown;
  /** The value that applies if a configuration lacks the property. */
  readonly default?: unknown;
  readonly rule: Rule;
}

/** Problems that a reader may ignore: invalid values, invalid items of an array, or null. */
export type Forgiven = "errors" | "items" | "nulls";

export type EnvelopePart = "id" | "replyTo" | "payload" | "result" | "error";

export interface ObjectRule {
  /** Rules whose properties are included. The object's own properties take precedence. */
  readonly bases?: readonly ObjectSource[];
  readonly required?: { readonly [name: string]: Rule };
  readonly optional?: { readonly [name: string]: Rule };
  /**
   * How to treat properties without a rule. `free`: they are expected. `closed`: they are errors.
   * If absent, they are unknown fields.
   */
  readonly extras?: "free" | "closed";
  /** Whether the object is a whole message. */
  readonly message?: true;
  /** Whether the definition is recursive, which means that the depth must be counted. */
  readonly recursive?: true;
}

/** The rule for the contents of a message, in an array if a message need not have any. */
export type ContentsRule = Rule | readonly [optional: Rule];

/** A message of any kind. Its kind and name determine the rule. */
export interface MessageRule {
  readonly arms: readonly MessageArm[];
}

export interface MessageArm {
  readonly when: WhenTable;
  /** Field that holds the name; absent if messages of this kind have no name. */
  readonly name?: string;
  /** Rules by message name. */
  readonly known?: { readonly [name: string]: Rule };
  /** The rule for messages with any other name. */
  readonly other: Rule;
}

/** A response, which is either a success or a failure. */
export interface ResponseRule {
  readonly success: ObjectSource;
  readonly failure: FailureRule;
}

/** How to recognise and validate failures. */
export interface FailureRule {
  readonly rule: ObjectSource;
  /** The field that is false in failures. */
  readonly by: string;
  /** Whether the field marks failures by its presence alone. */
  readonly byPresence?: true;
  /** Field that holds the request's name. Failures must have it, just as successes do. */
  readonly name?: string;
}
