import type { Forgiven } from "../../runtime/validation/rule.js";

export type { Forgiven };

/** A JSON value. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The type of a value on the wire.
 *
 * Consists of plain data, discriminated by `kind`. Types reference definitions by name, so a type
 * can be recursive, and every definition is written only once.
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
 * Conditions on a value that its type cannot express. Validators check them, but TypeScript types
 * ignore them.
 */
export interface Checked {
  readonly checks?: readonly Check[];
}

/** A condition that a value of a type must satisfy. */
export type Check =
  /** The value must also have this type. */
  | { readonly kind: "also"; readonly type: Type }
  | { readonly kind: "not"; readonly type: Type }
  /** The value must have exactly one of these types. */
  | { readonly kind: "one-of"; readonly types: readonly Type[] }
  | { readonly kind: "if"; readonly if: Type; readonly then: Type; readonly else: Type }
  /** A string must match a regular expression. */
  | { readonly kind: "pattern"; readonly pattern: string }
  /** A number must be between two exclusive bounds. */
  | { readonly kind: "between"; readonly above?: number; readonly below?: number }
  | { readonly kind: "multiple"; readonly of: number }
  /** All items in an array must be distinct. */
  | { readonly kind: "unique" }
  /** The number of array items that have the type must be within these bounds. */
  | {
      readonly kind: "contains";
      readonly type: Type;
      readonly least: number;
      readonly most?: number;
    }
  /** The number of an object's properties must be within these bounds. */
  | { readonly kind: "size"; readonly least?: number; readonly most?: number }
  /** All property names must have the type. */
  | { readonly kind: "names"; readonly type: Type }
  /** An object that has the property must have the type. */
  | { readonly kind: "dependent"; readonly property: string; readonly type: Type }
  /** Properties whose names match the pattern must have the type. */
  | { readonly kind: "matching"; readonly pattern: string; readonly type: Type }
  /**
   * All properties whose names are not in `names` and do not match any of the patterns must have
   * the type.
   */
  | ({ readonly kind: "others"; readonly type: Type } & NamedProperties)
  /** Properties or items that no part of the schema evaluates must have the type. */
  | {
      readonly kind: "unevaluated";
      readonly parts: "properties" | "items";
      readonly type: Type;
      readonly evaluated: readonly Evaluated[];
    };

/** Properties, selected by name or by regular expressions that match their names. */
export interface NamedProperties {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
}

/** The parts of a value that a schema evaluates. */
export interface Evaluated extends NamedProperties {
  /** Number of evaluated items, counting from the start of the array. */
  readonly items: number;
  /** Whether the schema evaluates all properties or all items. */
  readonly all: boolean;
  /** The schema also evaluates items of this type. */
  readonly containing?: Type;
  /** If present, the parts are evaluated only in values of this type. */
  readonly when?: Type;
  /** If present, the parts are not evaluated in values of this type. */
  readonly unless?: Type;
  /** Additional parts that are evaluated under the same condition. */
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
  /** Format of the string, such as `uri`. If the format is checked, there is also a pattern. */
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression that must match at least part of the string. */
  readonly pattern?: string;
}

/** A number and its range. Both bounds are inclusive. An absent bound means no limit. */
export interface NumericType extends Checked {
  readonly kind: "integer" | "number";
  /** Format in the schema, such as `int32`. `minimum` and `maximum` already include its range. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One fixed value, usually a discriminator. */
export interface LiteralType extends Checked {
  readonly kind: "literal";
  readonly value: string | number | boolean;
}

/** A fixed set of values. An open enum also accepts other values of the same primitive type. */
export interface EnumType extends Checked {
  readonly kind: "enum";
  readonly open: boolean;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly value: string | number;
  /** The number that a dialect may use in place of this value. */
  readonly number?: number;
  readonly docs?: string;
  readonly deprecated?: string;
  /** The earliest of the compared versions that includes this value. */
  readonly since?: string;
}

export interface ArrayType extends Checked {
  readonly kind: "array";
  /** Types of the first items. An array may have fewer items, unless `minItems` prevents it. */
  readonly first?: readonly Type[];
  /** Type of all items after those in `first`. */
  readonly items: Type;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An object used as a dictionary. */
export interface MapType extends Checked {
  readonly kind: "map";
  readonly values: Type;
  /** Documentation for the values. */
  readonly docs?: string;
}

export interface ObjectType extends Checked {
  readonly kind: "object";
  /**
   * Definitions whose properties the object inherits. Its own properties replace inherited ones of
   * the same name.
   */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  /** `open` objects may have other properties, as in most protocols. `closed` objects may not. */
  readonly extras: "open" | "closed";
  /** Property types, keyed by regular expressions that match the property names. */
  readonly matching?: readonly MatchingProperties[];
  /** Type of an open object's other properties, if stated in the schema. */
  readonly others?: Type;
}

/** The type of all properties whose names match a regular expression. */
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
  /** Reason for the deprecation, possibly empty. Absent if the property is not deprecated. */
  readonly deprecated?: string;
  /** The value that applies if the property is absent. */
  readonly default?: Json;
  /** The kind of reference, if the value is one. See `Protocol.references`. */
  readonly reference?: string;
  /** Cases in which a lenient reader substitutes another value. */
  readonly forgives?: readonly Forgiven[];
  readonly gate?: Gate;
  /** The earliest of the compared versions that includes this property. */
  readonly since?: string;
  /** JSON Pointer of the property in its schema file. */
  readonly pointer: string;
}

/** A value of any of the types in `members`. */
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
   * Name of a property among the role's capabilities. A name with dots refers to a nested property,
   * such as `completionProvider.resolveProvider`.
   */
  readonly capability: string;
}

/** Definitions by name. */
export type Definitions = ReadonlyMap<string, Definition>;

/** A named type. */
export interface Definition {
  readonly kind: "definition";
  readonly name: string;
  readonly type: Type;
  readonly docs?: string;
  readonly deprecated?: string;
  /** The earliest of the compared versions that includes this definition. */
  readonly since?: string;
  /** Heading of the section that begins with this definition. */
  readonly section?: string;
  /** The kind of reference, if the whole object is one. See `Protocol.references`. */
  readonly reference?: string;
  /** Whether implementations may add properties. */
  readonly extensible: boolean;
  /**
   * JSON Pointer of the definition in its schema file. Absent for definitions derived from the
   * envelope.
   */
  readonly pointer?: string;
}
