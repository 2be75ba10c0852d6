import { isObject } from "../../runtime/protocol/message-fields.js";
import { oncePer } from "../../generator/model/once.js";
import { flattenProperties } from "../../generator/model/properties.js";
import { itemTypes } from "../../generator/model/type-checks.js";
import type { Definition, ObjectType, Property, Type } from "../../generator/model/types.js";
import type { Fields } from "../read/message-reader.js";
import { pointerStep } from "../../runtime/base/json-pointer.js";

export interface PartsVisitor {
  /** Called for each property that is present. */
  property?(property: Property, path: PartPath, value: unknown): void;
  /** Called for each object of a definition. */
  object?(definition: string, value: Fields, path: PartPath | undefined): void;
  /**
   * Called for each value whose type is neither an object nor an array, and for values of unions
   * with several alternatives.
   */
  value?(type: Type, value: unknown, path: PartPath | undefined): void;
}

/** Maximum depth to visit. */
const maxDepth = 64;

/** Visits the parts of messages along with their types. */
export class PartsWalk {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #propertiesOf: (type: ObjectType) => readonly Property[];

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
    this.#propertiesOf = oncePer((type: ObjectType) => flattenProperties(definitions, type));
  }

  /** Visits the parts of a message. Skips values that do not match their types. */
  visit(definition: string, message: unknown, visitor: PartsVisitor): void {
    this.#visit({ kind: "reference", name: definition }, message, visitor, undefined, 0);
  }

  #visit(
    type: Type,
    value: unknown,
    visitor: PartsVisitor,
    path: PartPath | undefined,
    depth: number,
  ): void {
    if (depth > maxDepth) return;
    switch (type.kind) {
      case "reference": {
        const { name } = type;
        if (isObject(value)) visitor.object?.(name, value, path);
        return this.#visit(this.#definitions.get(name)!.type, value, visitor, path, depth);
      }
      case "array": {
        if (!Array.isArray(value)) return;
        const types = itemTypes(type);
        value.forEach((item, key) =>
          this.#visit(types[key] ?? types.at(-1)!, item, visitor, { owner: path, key }, depth + 1),
        );
        return;
      }
      case "map":
        if (!isObject(value)) return;
        for (const [key, part] of Object.entries(value))
          this.#visit(type.values, part, visitor, { owner: path, key }, depth + 1);
        return;
      case "object":
        if (!isObject(value)) return;
        for (const property of this.#propertiesOf(type)) {
          const key = property.name;
          const part = Object.hasOwn(value, key) ? value[key] : undefined;
          if (part === undefined) continue;
          const inner = { owner: path, key };
          visitor.property?.(property, inner, part);
          this.#visit(property.type, part, visitor, inner, depth + 1);
        }
        return;
      case "union": {
        const member = onlyMember(type.members);
        if (member !== undefined) return this.#visit(member, value, visitor, path, depth);
      }
    }
    visitor.value?.(type, value, path);
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
