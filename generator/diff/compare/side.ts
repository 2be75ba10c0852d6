import { failureType, successType } from "../../model/checked-types.js";
import type { Message, Protocol, RequestMessage } from "../../model/protocol.js";
import { flattenProperties, withInherited } from "../../model/properties.js";
import { definitionsByName, requestsByResponse } from "../../model/queries.js";
import type { Definition, ObjectType, Property, Type, UnionType } from "../../model/types.js";

/** A type with no reference in front. */
export type Resolved = Exclude<Type, { kind: "reference" }>;

const sides = new WeakMap<Protocol, Side>();

/** The side of a version: the same for each comparison, since it only remembers what it looked up. */
export function sideOf(protocol: Protocol): Side {
  let side = sides.get(protocol);
  if (side === undefined) sides.set(protocol, (side = new Side(protocol)));
  return side;
}

/** One of two versions that are compared: its model, with look-ups. */
export class Side {
  readonly protocol: Protocol;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Messages by kind and name, such as `event stopped`. */
  readonly messages: ReadonlyMap<string, Message>;
  /** Flags that a role can announce, as `role.flag`. */
  readonly flags: ReadonlySet<string>;
  readonly #requests: ReadonlyMap<string, RequestMessage>;
  readonly #types = new Map<string, Type>();
  readonly #inherited = new Map<string, readonly OwnedProperty[]>();
  readonly #properties = new Map<ObjectType, readonly OwnedProperty[]>();
  readonly #alternatives = new Map<Type, readonly Resolved[]>();

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.definitions = definitionsByName(protocol);
    this.#requests = requestsByResponse(protocol);
    this.messages = new Map(protocol.messages.map((each) => [`${each.kind} ${each.name}`, each]));
    this.flags = new Set(
      protocol.capabilities.flatMap(({ role, definition }) => {
        const type = this.definitions.get(definition)?.type;
        return type?.kind === "object"
          ? flattenProperties(this.definitions, type).map(({ name }) => `${role}.${name}`)
          : [];
      }),
    );
  }

  /** The type of a definition; of a response, what a successful one must be. */
  typeOf(name: string): Type {
    let type = this.#types.get(name);
    if (type === undefined) {
      const definition = this.definitions.get(name)!;
      const request = this.#requests.get(name);
      type =
        request !== undefined
          ? succeeding(this.protocol, successType(this.protocol, definition, request))
          : name === this.protocol.bases.error
            ? failureType(this.protocol, definition)
            : definition.type;
      this.#types.set(name, type);
    }
    return type;
  }

  /** Follows references to the type behind them. */
  resolve(type: Type): Resolved {
    let resolved = type;
    while (resolved.kind === "reference") resolved = this.typeOf(resolved.name);
    return resolved;
  }

  /** What a type can be: itself, or the alternatives of a union and of unions among them, each once. */
  alternativesOf(type: Type): readonly Resolved[] {
    const resolved = this.resolve(type);
    if (resolved.kind !== "union") return [resolved];
    let alternatives = this.#alternatives.get(resolved);
    if (alternatives === undefined) {
      const unions = new Set<Resolved>([resolved]);
      const others = new Set<Resolved>();
      for (const union of unions) {
        for (const member of (union as UnionType).members) {
          const target = this.resolve(member);
          (target.kind === "union" ? unions : others).add(target);
        }
      }
      alternatives = [...others];
      this.#alternatives.set(resolved, alternatives);
    }
    return alternatives;
  }

  /** All properties of an object, each with the definition that states it. */
  propertiesOf(type: ObjectType): readonly OwnedProperty[] {
    let properties = this.#properties.get(type);
    if (properties === undefined) {
      properties = withInherited(type.bases, (base) => this.#inheritedFrom(base), type.properties);
      this.#properties.set(type, properties);
    }
    return properties;
  }

  /** The properties of a base: the same objects for all that derive from it. */
  #inheritedFrom(base: string): readonly OwnedProperty[] {
    let properties = this.#inherited.get(base);
    if (properties === undefined) {
      const target = this.resolve({ kind: "reference", name: base });
      properties =
        target.kind === "object"
          ? this.propertiesOf(target).map((each) =>
              each.owner === undefined ? { ...each, owner: base } : each,
            )
          : [];
      this.#inherited.set(base, properties);
    }
    return properties;
  }
}

/** A response that says of itself that it is a success. */
function succeeding({ envelope }: Protocol, type: ObjectType): ObjectType {
  const properties = type.properties.map((property): Property =>
    property.name === envelope.response?.success
      ? { ...property, type: { kind: "literal", value: true } }
      : property,
  );
  return { ...type, properties };
}

/** A property as an object has it. `owner` is the base that states it; absent: the object itself. */
export interface OwnedProperty extends Property {
  readonly owner?: string;
}
