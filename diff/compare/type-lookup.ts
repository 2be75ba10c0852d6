import type { Definition, ObjectType, Property, Type } from "../../generator/model/types.js";

/** A type that is not a reference. */
export type Resolved = Exclude<Type, { kind: "reference" }>;

/**
 * A property of an object. `owner` is the base that declares the property; it is absent if the
 * object declares the property itself.
 */
export interface OwnedProperty extends Property {
  readonly owner?: string;
}

/**
 * An alternative of a union or of a union nested in it. If the alternative is a definition, `type`
 * is a reference to it.
 */
export interface Alternative {
  readonly type: Type;
  readonly resolved: Exclude<Resolved, { kind: "union" }>;
}

/** Looks up types in a version. */
export interface TypeLookup {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Returns a definition's type. */
  typeOf(name: string): Type;
  /** Follows references until it reaches a type that is not a reference. */
  resolve(type: Type): Resolved;
  propertiesOf(type: ObjectType): readonly OwnedProperty[];
  membersOf(type: Type): readonly Alternative[];
}
