import type { Definition, ObjectType, Property, Type } from "../../model/types.js";

/** A type that is not a reference. */
export type Resolved = Exclude<Type, { kind: "reference" }>;

/**
 * A property of an object. `owner` is the base that declares the property. It is absent if the
 * object itself declares the property.
 */
export interface OwnedProperty extends Property {
  readonly owner?: string;
}

/**
 * An alternative of a union or of a nested union. If it is a definition, `type` is a reference to
 * it.
 */
export interface Alternative {
  readonly type: Type;
  readonly resolved: Exclude<Resolved, { kind: "union" }>;
}

/** Looks up the types of a version. */
export interface TypeLookup {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The type of a definition. */
  typeOf(name: string): Type;
  /** Follows references to a type that is not a reference. */
  resolve(type: Type): Resolved;
  propertiesOf(type: ObjectType): readonly OwnedProperty[];
  membersOf(type: Type): readonly Alternative[];
}
