import { isObject } from "../../runtime/protocol/message-fields.js";
import { flattenProperties } from "../../generator/model/properties.js";
import { itemTypes } from "../../generator/model/type-checks.js";
import type {
  ArrayType,
  Definition,
  ObjectType,
  Property,
  Type,
} from "../../generator/model/types.js";
import type { Fields } from "../read/message-reader.js";
import { pointerStep } from "../../runtime/base/json-pointer.js";

/** Selects which parts of messages a walk looks for. */
export interface SoughtParts {
  readonly isProperty?: (property: Property) => boolean;
  readonly isDefinition?: (name: string) => boolean;
  /**
   * Tests whether a type is sought. Called for types that are neither objects nor arrays, and for
   * unions with several alternatives.
   */
  readonly isValue?: (type: Type) => boolean;
}

export interface PartsVisitor {
  /** Called for a sought property that is present. */
  property?(property: Property, path: PartPath, value: unknown): void;
  /** Called for an object of a sought definition. */
  object?(definition: string, value: Fields, path: PartPath | undefined): void;
  /** Called for a value of a sought type. */
  value?(type: Type, value: unknown, path: PartPath | undefined): void;
}

/** Visits a value of a type that is sought or contains sought parts. */
type VisitParts = (
  value: unknown,
  visitor: PartsVisitor,
  path: PartPath | undefined,
  depth: number,
) => void;

/** A property that is itself sought, or that contains sought parts. */
interface SoughtProperty {
  readonly property: Property;
  readonly isSought: boolean;
  readonly visit: VisitParts | undefined;
}

/** Maximum depth to visit. */
const maxDepth = 64;

/**
 * Finds parts of messages by type. Skips types that cannot contain such parts, and prepares a
 * visitor for each other type only once.
 */
export class PartsWalk {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #sought: Required<SoughtParts>;
  /** Names of the definitions to find, and of those that contain such a definition at any depth. */
  readonly #holding: ReadonlySet<string>;
  readonly #named = new Map<string, VisitParts>();

  constructor(
    definitions: ReadonlyMap<string, Definition>,
    { isProperty = () => false, isDefinition = () => false, isValue = () => false }: SoughtParts,
  ) {
    this.#definitions = definitions;
    this.#sought = { isProperty, isDefinition, isValue };
    this.#holding = this.#holdingDefinitions();
  }

  /** Returns whether messages of a definition can contain sought parts. */
  holds(definition: string): boolean {
    return this.#holding.has(definition);
  }

  /** Visits the sought parts of a message. Skips values that do not match their types. */
  visit(definition: string, message: unknown, visitor: PartsVisitor): void {
    if (this.#holding.has(definition))
      this.#visitForName(definition)(message, visitor, undefined, 0);
  }

  /**
   * Creates a visitor for a type's values. Returns undefined if the type does not contain sought
   * parts.
   */
  #visitForType(type: Type): VisitParts | undefined {
    if (!this.#holds(type, this.#holding)) return undefined;
    switch (type.kind) {
      case "reference":
        return this.#visitForName(type.name);
      case "array":
        return this.#visitForItems(type);
      case "map":
        return this.#visitForMap(this.#visitForType(type.values)!);
      case "object":
        return this.#visitForObject(type);
      case "union": {
        const member = onlyMember(type.members);
        if (member !== undefined) return this.#visitForType(member);
      }
    }
    return (value, visitor, path, depth) => {
      if (depth <= maxDepth) visitor.value?.(type, value, path);
    };
  }

  #visitForName(name: string): VisitParts {
    let visit = this.#named.get(name);
    if (visit !== undefined) return visit;
    const isSought = this.#sought.isDefinition(name);
    // A definition may be recursive, so its contents are resolved only when the first value is
    // visited.
    let inner: VisitParts | undefined | "unknown" = "unknown";
    visit = (value, visitor, path, depth) => {
      if (isSought && isObject(value)) visitor.object?.(name, value, path);
      if (inner === "unknown") inner = this.#visitForType(this.#definitions.get(name)!.type);
      inner?.(value, visitor, path, depth);
    };
    this.#named.set(name, visit);
    return visit;
  }

  #visitForItems(type: ArrayType): VisitParts {
    const visits = itemTypes(type).map((each) => this.#visitForType(each));
    const last = visits.length - 1;
    return (value, visitor, owner, depth) => {
      if (!Array.isArray(value) || depth >= maxDepth) return;
      for (let key = 0; key < value.length; key++)
        visits[Math.min(key, last)]?.(value[key], visitor, { owner, key }, depth + 1);
    };
  }

  #visitForMap(visit: VisitParts): VisitParts {
    return (value, visitor, owner, depth) => {
      if (!isObject(value) || depth >= maxDepth) return;
      for (const [key, part] of Object.entries(value))
        visit(part, visitor, { owner, key }, depth + 1);
    };
  }

  #visitForObject(type: ObjectType): VisitParts {
    let properties: readonly SoughtProperty[] | undefined;
    return (value, visitor, owner, depth) => {
      if (!isObject(value) || depth > maxDepth) return;
      properties ??= this.#propertiesOf(type);
      for (const { property, isSought, visit } of properties) {
        const { name } = property;
        const part = Object.hasOwn(value, name) ? value[name] : undefined;
        if (part === undefined) continue;
        const path = { owner, key: name };
        if (isSought) visitor.property?.(property, path, part);
        if (depth < maxDepth) visit?.(part, visitor, path, depth + 1);
      }
    };
  }

  /** Returns the properties that are sought or contain sought parts. */
  #propertiesOf(type: ObjectType): readonly SoughtProperty[] {
    return flattenProperties(this.#definitions, type)
      .map((property) => ({
        property,
        isSought: this.#sought.isProperty(property),
        visit: this.#visitForType(property.type),
      }))
      .filter(({ isSought, visit }) => isSought || visit !== undefined);
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

  /**
   * Returns whether a type contains sought parts.
   *
   * @param holding Names of the definitions already known to contain sought parts.
   */
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
        return member === undefined ? this.#sought.isValue(type) : this.#holds(member, holding);
      }
      case "object": {
        // Skip a base that is itself sought, because objects of derived types are not objects of
        // that base.
        const { isProperty, isDefinition } = this.#sought;
        return (
          type.bases.some((base) => holding.has(base) && !isDefinition(base)) ||
          type.properties.some((each) => isProperty(each) || this.#holds(each.type, holding))
        );
      }
      default:
        return this.#sought.isValue(type);
    }
  }
}

/**
 * Returns a union's only non-null member. Returns undefined if there are several, because the walk
 * does not know to which of them a value belongs.
 */
function onlyMember(members: readonly Type[]): Type | undefined {
  const nonNull = members.filter(({ kind }) => kind !== "null");
  return nonNull.length === 1 ? nonNull[0] : undefined;
}

/**
 * The path of a part of a message, stored as its parent's path and its key in the parent. A string
 * is built only on demand, because few paths are printed.
 */
export interface PartPath {
  /** The parent's path. Undefined if the parent is the message itself. */
  readonly owner: PartPath | undefined;
  readonly key: string | number;
}

/** Returns a part's JSON Pointer. */
export function pointerOf(path: PartPath | undefined): string {
  let pointer = "";
  for (let part = path; part !== undefined; part = part.owner)
    pointer = pointerStep(String(part.key)) + pointer;
  return pointer;
}
