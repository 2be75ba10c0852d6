import type { Forgiven } from "../../runtime/validation/rule.js";

export type { Forgiven };

/** A value as JSON has it. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The type of a value on the wire.
 *
 * Plain data, discriminated by `kind`. Named types are referred to by name, so recursion is possible and
 * every definition is written once.
 */
export type Type =
  | AnyType
  | NullType
  | BooleanType
  | StringType
  | NumericType
  | LiteralType
  | EnumType
  | ArrayType
  | MapType
  | ObjectType
  | UnionType
  | ReferenceType;

/** Any JSON value. */
export interface AnyType {
  readonly kind: "any";
}

export interface NullType {
  readonly kind: "null";
}

export interface BooleanType {
  readonly kind: "boolean";
}

export interface StringType {
  readonly kind: "string";
  /** What the text stands for, such as `uri`; not checked. */
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A number with its range, both ends included. A missing end is unlimited. */
export interface NumericType {
  readonly kind: "integer" | "number";
  /** Width that the schema names, such as `int32`; the range already includes it. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One fixed value, mostly a discriminator. */
export interface LiteralType {
  readonly kind: "literal";
  readonly value: string | number | boolean;
}

/** Listed values. An open enum takes other values of the same primitive type too. */
export interface EnumType {
  readonly kind: "enum";
  readonly open: boolean;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly value: string | number;
  /** The number that stands for it where a dialect writes numbers. */
  readonly number?: number;
  readonly docs?: string;
  readonly deprecated?: string;
  /** First version that has it, of those that were compared. */
  readonly since?: string;
}

export interface ArrayType {
  readonly kind: "array";
  readonly items: Type;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An object used as a dictionary. */
export interface MapType {
  readonly kind: "map";
  readonly values: Type;
  /** What the schema says about the values. */
  readonly docs?: string;
}

export interface ObjectType {
  readonly kind: "object";
  /** Definitions whose properties this one has too; own properties of the same name win. */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  /** `open`: other properties may occur, as in most protocols. `closed`: they may not. */
  readonly extras: "open" | "closed";
}

export interface Property {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly docs?: string;
  /** Why not to use it, or an empty text. Absent: not deprecated. */
  readonly deprecated?: string;
  /** What an absent property means. */
  readonly default?: Json;
  /** What the value refers to: see the protocol's references. */
  readonly reference?: string;
  /** In what a forgiving reader goes on with something else. */
  readonly forgives?: readonly Forgiven[];
  readonly gate?: Gate;
  /** First version that has it, of those that were compared. */
  readonly since?: string;
  /** JSON Pointer of the property in its schema file. */
  readonly at: string;
}

/** Any of the members. */
export interface UnionType {
  readonly kind: "union";
  readonly members: readonly Type[];
}

export interface ReferenceType {
  readonly kind: "reference";
  readonly name: string;
}

/** A flag that one side must have announced before the other may use something. */
export interface Gate {
  readonly role: string;
  readonly flag: string;
}

/** A named type. */
export interface Definition {
  readonly kind: "definition";
  readonly name: string;
  readonly type: Type;
  readonly docs?: string;
  readonly deprecated?: string;
  /** First version that has it, of those that were compared. */
  readonly since?: string;
  /** Heading of the section that begins with this definition. */
  readonly section?: string;
  /** What such an object stands for, as a whole: see the protocol's references. */
  readonly reference?: string;
  /** Implementations add properties of their own to it. */
  readonly extensible: boolean;
  /** JSON Pointer of the definition in its schema file; absent for one made from the envelope. */
  readonly at?: string;
}
