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

/**
 * Conditions on a value that its type cannot express. TypeScript types leave them out; validators
 * check them.
 */
export interface Checked {
  readonly checks?: readonly Check[];
}

/** A condition on a value of a type. */
export type Check =
  /** The value must also have this type. */
  | { readonly kind: "also"; readonly type: Type }
  | { readonly kind: "not"; readonly type: Type }
  /** The value must have exactly one of these types. */
  | { readonly kind: "one-of"; readonly types: readonly Type[] }
  | { readonly kind: "if"; readonly if: Type; readonly then: Type; readonly else: Type }
  /** A string that matches a regular expression. */
  | { readonly kind: "pattern"; readonly pattern: string }
  /** A number between two bounds, without the bounds themselves. */
  | { readonly kind: "between"; readonly above?: number; readonly below?: number }
  | { readonly kind: "multiple"; readonly of: number }
  /** All items of an array differ. */
  | { readonly kind: "unique" }
  /** The number of items of a list that are of a type. */
  | {
      readonly kind: "contains";
      readonly type: Type;
      readonly least: number;
      readonly most?: number;
    }
  /** The number of properties of an object. */
  | { readonly kind: "size"; readonly least?: number; readonly most?: number }
  /** All names of properties are of a type. */
  | { readonly kind: "names"; readonly type: Type }
  /** An object with a property is also of a type. */
  | { readonly kind: "dependent"; readonly property: string; readonly type: Type }
  /** Properties whose names match a pattern are of a type. */
  | { readonly kind: "matching"; readonly pattern: string; readonly type: Type }
  /** Properties that have none of the names and match none of the patterns are of a type. */
  | ({ readonly kind: "others"; readonly type: Type } & NamedProperties)
  /** Properties or items that no part of the schema evaluates are of a type. */
  | {
      readonly kind: "unevaluated";
      readonly parts: "properties" | "items";
      readonly type: Type;
      readonly evaluated: readonly Evaluated[];
    };

/** Properties by name, or by a regular expression that matches the name. */
export interface NamedProperties {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
}

/** Parts of a value that a schema evaluates. */
export interface Evaluated extends NamedProperties {
  /** Number of items from the first one. */
  readonly items: number;
  /** Whether it evaluates all properties or all items. */
  readonly all: boolean;
  /** Items of this type. */
  readonly containing?: Type;
  /** Only if the value is of this type. */
  readonly when?: Type;
  /** Only if the value is not of this type. */
  readonly unless?: Type;
  /** Further parts, if the condition holds. */
  readonly more: readonly Evaluated[];
}

/** Any JSON value. */
export interface AnyType extends Checked {
  readonly kind: "any";
}

export interface NullType extends Checked {
  readonly kind: "null";
}

export interface BooleanType extends Checked {
  readonly kind: "boolean";
}

export interface StringType extends Checked {
  readonly kind: "string";
  /** Format of the string, such as `uri`. If it is checked, there is also a pattern. */
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression that must match a part of the string. */
  readonly pattern?: string;
}

/** A number with its range. Both bounds are inclusive; a missing bound is unlimited. */
export interface NumericType extends Checked {
  readonly kind: "integer" | "number";
  /** Format in the schema, such as `int32`; `minimum` and `maximum` already include it. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One fixed value, usually a discriminator. */
export interface LiteralType extends Checked {
  readonly kind: "literal";
  readonly value: string | number | boolean;
}

/** Listed values. An open enum also accepts other values of the same primitive type. */
export interface EnumType extends Checked {
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

export interface ArrayType extends Checked {
  readonly kind: "array";
  /** Types of the first items. An array may be shorter, unless `minItems` prevents it. */
  readonly first?: readonly Type[];
  /** Type of all items after those. */
  readonly items: Type;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An object used as a dictionary. */
export interface MapType extends Checked {
  readonly kind: "map";
  readonly values: Type;
  /** Documentation of the values. */
  readonly docs?: string;
}

export interface ObjectType extends Checked {
  readonly kind: "object";
  /** Definitions whose properties the object inherits. Own properties of the same name replace them. */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  /** `open` objects may have other properties, as in most protocols; `closed` ones may not. */
  readonly extras: "open" | "closed";
  /** Properties whose names match patterns. */
  readonly matching?: readonly MatchingProperties[];
  /** Type of the other properties of an open object, if the schema states it. */
  readonly others?: Type;
}

/** Properties whose names match a regular expression. */
export interface MatchingProperties {
  readonly pattern: string;
  readonly type: Type;
  readonly docs?: string;
}

export interface Property {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly docs?: string;
  /** Reason for the deprecation; may be empty. Absent: not deprecated. */
  readonly deprecated?: string;
  /** The value that an absent property means. */
  readonly default?: Json;
  /** Name of the reference kind of the value: see `Protocol.references`. */
  readonly reference?: string;
  /** Cases in which a lenient reader substitutes another value. */
  readonly forgives?: readonly Forgiven[];
  readonly gate?: Gate;
  /** First of the compared versions that has it. */
  readonly since?: string;
  /** JSON Pointer of the property in its schema file. */
  readonly pointer: string;
}

/** Any of the members. */
export interface UnionType extends Checked {
  readonly kind: "union";
  readonly members: readonly Type[];
}

export interface ReferenceType extends Checked {
  readonly kind: "reference";
  readonly name: string;
}

/** A capability that one side must announce before the other side may use a message or property. */
export interface Gate {
  readonly role: string;
  /**
   * Property of the role's capabilities; with dots, a nested property:
   * `completionProvider.resolveProvider`.
   */
  readonly capability: string;
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
  readonly pointer?: string;
}
