import { isObject } from "../../../runtime/index.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { flattenProperties } from "../../model/properties.js";
import { itemTypeAt, itemTypes } from "../../model/type-checks.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import type { Fields } from "../../session/typed-walk.js";

/** The parts of messages that are looked for. */
export interface SoughtParts {
  readonly isProperty?: (property: Property) => boolean;
  readonly isDefinition?: (name: string) => boolean;
}

export interface PartsVisitor {
  /** Called for a property that is sought, where it is there. */
  property?(property: Property, pointer: string): void;
  /** Called for an object of a definition that is sought. */
  object?(definition: string, value: Fields, pointer: string): void;
}

/** A property that is sought or holds a part, and its step of a JSON Pointer. */
interface SoughtProperty {
  readonly property: Property;
  readonly step: string;
  readonly isSought: boolean;
  readonly isHolding: boolean;
}

/** Deepest nesting that is looked at. */
const maxDepth = 64;

/** Finds parts of messages by their types. Types that cannot contain one are skipped. */
export class PartsWalk {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #sought: Required<SoughtParts>;
  /** Definitions that are sought, or hold a part at any depth. */
  readonly #holding: ReadonlySet<string>;
  readonly #properties = new Map<ObjectType, readonly SoughtProperty[]>();

  constructor(
    definitions: ReadonlyMap<string, Definition>,
    { isProperty = () => false, isDefinition = () => false }: SoughtParts,
  ) {
    this.#definitions = definitions;
    this.#sought = { isProperty, isDefinition };
    this.#holding = this.#holdingDefinitions();
  }

  /** Whether messages of a definition can have a part. */
  holds(definition: string): boolean {
    return this.#holding.has(definition);
  }

  /** Visits the parts of a message. Values that do not match their types are skipped. */
  visit(definition: string, message: Fields, visitor: PartsVisitor): void {
    if (this.#holding.has(definition)) this.#visitNamed(definition, message, visitor, "", 0);
  }

  #visitNamed(
    name: string,
    value: unknown,
    visitor: PartsVisitor,
    at: string,
    depth: number,
  ): void {
    if (!isObject(value)) return;
    if (this.#sought.isDefinition(name)) visitor.object?.(name, value, at);
    this.#visit(this.#definitions.get(name)!.type, value, visitor, at, depth);
  }

  #visit(type: Type, value: unknown, visitor: PartsVisitor, at: string, depth: number): void {
    if (depth > maxDepth) return;
    switch (type.kind) {
      case "reference":
        return this.#visitNamed(type.name, value, visitor, at, depth);
      case "array":
        if (Array.isArray(value))
          for (let index = 0; index < value.length; index++)
            this.#visit(
              itemTypeAt(type, index),
              value[index],
              visitor,
              `${at}/${index}`,
              depth + 1,
            );
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
    visitor: PartsVisitor,
    at: string,
    depth: number,
  ): void {
    for (const { property, step, isSought, isHolding } of this.#propertiesOf(type)) {
      const { name } = property;
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      if (own === undefined) continue;
      const pointer = at + step;
      if (isSought) visitor.property?.(property, pointer);
      if (isHolding) this.#visit(property.type, own, visitor, pointer, depth + 1);
    }
  }

  /** The properties that are sought or hold a part. */
  #propertiesOf(type: ObjectType): readonly SoughtProperty[] {
    let properties = this.#properties.get(type);
    if (properties === undefined) {
      properties = flattenProperties(this.#definitions, type)
        .map((property) => ({
          property,
          step: pointerStep(property.name),
          isSought: this.#sought.isProperty(property),
          isHolding: this.#holds(property.type, this.#holding),
        }))
        .filter(({ isSought, isHolding }) => isSought || isHolding);
      this.#properties.set(type, properties);
    }
    return properties;
  }

  #holdingDefinitions(): ReadonlySet<string> {
    const { isDefinition } = this.#sought;
    const holding = new Set([...this.#definitions.keys()].filter(isDefinition));
    for (let size = -1; size < holding.size;) {
      size = holding.size;
      for (const { name, type } of this.#definitions.values())
        if (this.#holds(type, holding)) holding.add(name);
    }
    return holding;
  }

  /** Whether a type holds a part, if the definitions that do are those of `holding`. */
  #holds(type: Type, holding: ReadonlySet<string>): boolean {
    switch (type.kind) {
      case "reference":
        return holding.has(type.name);
      case "array":
        return itemTypes(type).some((each) => this.#holds(each, holding));
      case "map":
        return this.#holds(type.values, holding);
      case "union": {
        const member = onlyMember(type.members);
        return member !== undefined && this.#holds(member, holding);
      }
      case "object": {
        // A base that is sought is not part of those that extend it.
        const { isProperty, isDefinition } = this.#sought;
        return (
          type.bases.some((base) => holding.has(base) && !isDefinition(base)) ||
          type.properties.some((each) => isProperty(each) || this.#holds(each.type, holding))
        );
      }
      default:
        return false;
    }
  }
}

/** The member of a union that is not null, if there is one only: of several, nothing says which is meant. */
function onlyMember(members: readonly Type[]): Type | undefined {
  const others = members.filter(({ kind }) => kind !== "null");
  return others.length === 1 ? others[0] : undefined;
}
