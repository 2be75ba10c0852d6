import { isObject } from "../../../runtime/index.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { flattenProperties } from "../../model/properties.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import type { Fields } from "../../session/typed-walk.js";

type PropertyVisitor = (property: Property, pointer: string) => void;

/** Deepest nesting that is looked at. */
const maxDepth = 64;

/**
 * Finds the properties of messages that are deprecated or need a capability. There are few of them: what cannot hold
 * one is not looked at.
 */
export class NotedProperties {
  readonly #definitions: ReadonlyMap<string, Definition>;
  /** Definitions that hold such a property at any depth. */
  readonly #noted: ReadonlySet<string>;
  readonly #properties = new Map<ObjectType, readonly Property[]>();

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
    this.#noted = notedDefinitions(definitions);
  }

  /** Visits those of a message that are there. What is not what its type says is passed over. */
  visit(definition: string, message: Fields, visitor: PropertyVisitor): void {
    if (this.#noted.has(definition))
      this.#visit({ kind: "reference", name: definition }, message, visitor, "", 0);
  }

  #visit(type: Type, value: unknown, visitor: PropertyVisitor, at: string, depth: number): void {
    if (depth > maxDepth) return;
    switch (type.kind) {
      case "reference":
        return this.#visit(this.#definitions.get(type.name)!.type, value, visitor, at, depth);
      case "array":
        if (Array.isArray(value))
          for (const [index, item] of value.entries())
            this.#visit(type.items, item, visitor, `${at}/${index}`, depth + 1);
        return;
      case "map":
        if (isObject(value))
          for (const [key, each] of Object.entries(value))
            this.#visit(type.values, each, visitor, at + pointerStep(key), depth + 1);
        return;
      case "object":
        if (isObject(value)) this.#visitObject(type, value, visitor, at, depth);
        return;
      case "union": {
        const member = onlyMember(type.members);
        if (member !== undefined) this.#visit(member, value, visitor, at, depth);
      }
    }
  }

  #visitObject(
    type: ObjectType,
    value: Fields,
    visitor: PropertyVisitor,
    at: string,
    depth: number,
  ): void {
    for (const property of this.#propertiesOf(type)) {
      if (!Object.hasOwn(value, property.name) || value[property.name] === undefined) continue;
      const pointer = at + pointerStep(property.name);
      if (isNoted(property)) visitor(property, pointer);
      this.#visit(property.type, value[property.name], visitor, pointer, depth + 1);
    }
  }

  /** The properties that are noted or hold one that is. */
  #propertiesOf(type: ObjectType): readonly Property[] {
    let properties = this.#properties.get(type);
    if (properties === undefined) {
      properties = flattenProperties(this.#definitions, type).filter(
        (property) => isNoted(property) || holdsNoted(property.type, this.#noted),
      );
      this.#properties.set(type, properties);
    }
    return properties;
  }
}

function isNoted({ deprecated, gate }: Property): boolean {
  return deprecated !== undefined || gate !== undefined;
}

function notedDefinitions(definitions: ReadonlyMap<string, Definition>): ReadonlySet<string> {
  const noted = new Set<string>();
  for (let size = -1; size < noted.size;) {
    size = noted.size;
    for (const { name, type } of definitions.values()) if (holdsNoted(type, noted)) noted.add(name);
  }
  return noted;
}

/** Whether a type holds such a property, if the definitions that do are those of `noted`. */
function holdsNoted(type: Type, noted: ReadonlySet<string>): boolean {
  switch (type.kind) {
    case "reference":
      return noted.has(type.name);
    case "array":
      return holdsNoted(type.items, noted);
    case "map":
      return holdsNoted(type.values, noted);
    case "union": {
      const member = onlyMember(type.members);
      return member !== undefined && holdsNoted(member, noted);
    }
    case "object":
      return (
        type.bases.some((base) => noted.has(base)) ||
        type.properties.some((each) => isNoted(each) || holdsNoted(each.type, noted))
      );
    default:
      return false;
  }
}

/** The member of a union that is not null, if there is one only: of several, nothing says which is meant. */
function onlyMember(members: readonly Type[]): Type | undefined {
  const others = members.filter(({ kind }) => kind !== "null");
  return others.length === 1 ? others[0] : undefined;
}
