import type { WhenTable } from "../protocol/protocol-table.js";
import type { FaultMask } from "./fault-mask.js";

/**
 * What a value must be, as data: the tables from which a failed check is explained.
 *
 * A definition is a function, which is called once and only if something is to be explained: hundreds of
 * tables are not made for a program in which nothing goes wrong.
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
  /** A string by its number of characters. */
  | { readonly string: Bounds }
  | { readonly value: string | number | boolean }
  /** `numbers`: what dialects write instead, in the same order. */
  | { readonly oneOf: readonly (string | number)[]; readonly numbers?: readonly number[] }
  | { readonly list: Rule; readonly size?: Bounds }
  | { readonly map: Rule }
  /** Any of several; none: nothing may be there. */
  | { readonly anyOf: readonly Rule[] }
  | AnnotatedRule
  | ObjectRule
  | ResponseRule
  | MessageRule
  | (() => Rule)
  /** A definition that contains the place where this stands. */
  | { readonly late: () => Rule };

/** An object, or the definition of one. */
export type ObjectSource = ObjectRule | (() => ObjectRule);

/** Least and greatest, both included. */
export type Bounds = readonly [min: number, max: number];

/** A property of which there is more to say than what its value must be. */
export interface AnnotatedRule {
  /** It plays a part in the envelope: real peers take liberties with it. Absent: the one it plays in a base. */
  readonly part?: EnvelopePart;
  /** What a forgiving reader passes over. */
  readonly forgives?: readonly Forgiven[];
  /** What stands for a value that is passed over; absent: nothing. */
  readonly otherwise?: unknown;
  readonly rule: Rule;
}

/** Wrong values, wrong items of a list, or null. */
export type Forgiven = "errors" | "items" | "nulls";

export type EnvelopePart = "id" | "replyTo" | "payload" | "result" | "error";

export interface ObjectRule {
  /** The same as a function. */
  readonly faults?: FaultMask;
  /** Objects whose properties this one has too; own properties win. */
  readonly bases?: readonly ObjectSource[];
  readonly required?: { readonly [name: string]: Rule };
  readonly optional?: { readonly [name: string]: Rule };
  /** What becomes of other properties. `free`: they are expected. `closed`: they are wrong. Absent: they are unknown. */
  readonly extras?: "free" | "closed";
  /** Whether it is the top level of a message. */
  readonly message?: true;
  /** Whether it can contain itself, so that its depth is counted. */
  readonly recursive?: true;
}

/** Any message: which rule holds is decided by its kind and name. */
export interface MessageRule {
  readonly arms: readonly MessageArm[];
}

export interface MessageArm {
  readonly when: WhenTable;
  /** Field with the name of the message. Absent: messages of the kind have none. */
  readonly name?: string;
  /** Rules by name. */
  readonly known?: { readonly [name: string]: Rule };
  /** Rule of a message with another name. */
  readonly other: Rule;
}

/** A success or a failure. */
export interface ResponseRule {
  readonly success: ObjectSource;
  readonly failure: FailureRule;
}

/** How responses fail. */
export interface FailureRule {
  readonly rule: ObjectSource;
  /** The field that tells a failure: it is false there. */
  readonly by: string;
  /** Whether the field is there in failures, and only there. */
  readonly byPresence?: true;
  /** Field with the name of the request: a failure must have it as a success requires it. */
  readonly name?: string;
}
