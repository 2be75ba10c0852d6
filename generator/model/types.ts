import type { Forgiven } from "../../runtime/validation/rule.js";

export type { Forgiven };

/** A JSON value. */
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
  /** Format of the text, such as `uri`; not checked. */
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression in the schema. Only what is read to be compared has it. */
  readonly pattern?: string;
}

/** A number with its range. Both bounds are inclusive; a missing bound is unlimited. */
export interface NumericType {
  readonly kind: "integer" | "number";
  /** Format in the schema, such as `int32`; `minimum` and `maximum` already include it. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One fixed value, usually a discriminator. */
export interface LiteralType {
  readonly kind: "literal";
  readonly value: string | number | boolean;
}

/** Listed values. An open enum also accepts other values of the same primitive type. */
export interface EnumType {
  readonly kind: "enum";
  readonly open: boolean;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly value: string | number;
  /** The number that a dialect may write instead. */
  readonly number?: number;
  readonly docs?: string;
  readonly deprecated?: string;
  /** First of the compared versions that has it. */
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
  /** Documentation of the values. */
  readonly docs?: string;
}

export interface ObjectType {
  readonly kind: "object";
  /** Definitions whose properties the object inherits. Own properties of the same name replace them. */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  /** `open` objects may have other properties, as in most protocols; `closed` ones may not. */
  readonly extras: "open" | "closed";
}

export interface Property {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly docs?: string;
  /** Reason for the deprecation, may be empty. Absent: not deprecated. */
  readonly deprecated?: string;
  /** The value that an absent property stands for. */
  readonly default?: Json;
  /** Name of the reference kind of the value: see `Protocol.references`. */
  readonly reference?: string;
  /** Cases in which a lenient reader substitutes another value. */
  readonly forgives?: readonly Forgiven[];
  readonly gate?: Gate;
  /** First of the compared versions that has it. */
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

/** A capability that one side must announce before the other side may use something. */
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
  /** First of the compared versions that has it. */
  readonly since?: string;
  /** Heading of the section that begins with this definition. */
  readonly section?: string;
  /** Name of the reference kind, if the whole object is a reference: see `Protocol.references`. */
  readonly reference?: string;
  /** Whether implementations add their own properties. */
  readonly extensible: boolean;
  /** JSON Pointer of the definition in its schema file; absent for definitions derived from the envelope. */
  readonly at?: string;
}
