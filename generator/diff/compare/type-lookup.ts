import type { Definition, ObjectType, Property, Type } from "../../model/types.js";

/** A type that is not a reference. */
export type Resolved = Exclude<Type, { kind: "reference" }>;

/** A property of an object. `owner` is the base that declares it; absent for the object itself. */
export interface OwnedProperty extends Property {
  readonly owner?: string;
}

/** A member of a union or of a nested union, with the name of its definition. */
export interface Alternative {
  readonly type: Type;
  readonly resolved: Exclude<Resolved, { kind: "union" }>;
}

/** The types of a version. */
export interface TypeLookup {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The type of a definition. */
  typeOf(name: string): Type;
  /** The type that references lead to. */
  resolve(type: Type): Resolved;
  propertiesOf(type: ObjectType): readonly OwnedProperty[];
  membersOf(type: Type): readonly Alternative[];
}
