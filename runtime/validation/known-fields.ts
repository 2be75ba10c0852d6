import { isObject, type AnyFields } from "../protocol/message-fields.js";
import { kinds } from "./rule-kinds.js";
import type { ObjectNode, PropertyNode, RuleNode } from "./rule-node.js";

/**
 * Returns whether a valid value definitely has no unknown fields. If false, a closer look is
 * needed. Throws if reading the value does.
 */
export function hasOnlyKnownFields(node: RuleNode, value: unknown): boolean {
  switch (node.kind) {
    case kinds.object:
      return isObject(value) && areKnown(node, value);
    case kinds.list: {
      const items = value as readonly unknown[];
      for (let index = 0; index < items.length; index++)
        if (!hasOnlyKnownFields(node.item, items[index])) return false;
      return true;
    }
    case kinds.map: {
      for (const name in value as AnyFields)
        if (!hasOnlyKnownFields(node.item, (value as AnyFields)[name])) return false;
      return true;
    }
    case kinds.checked:
      return hasOnlyKnownFields(node.of, value);
    default:
      return !node.holdsObjects;
  }
}

/**
 * Returns whether all fields of an object are known. Objects with the same definition mostly have
 * the same fields in the same order, so the property last found at an index is tried first.
 */
function areKnown(node: ObjectNode, value: AnyFields): boolean {
  const { lastOrder, byName, free } = node;
  let place = 0;
  for (const name in value) {
    let property: PropertyNode | undefined = lastOrder[place];
    if (property === undefined || property.name !== name) {
      property = byName.get(name);
      if (property === undefined) {
        if (free) continue;
        return false;
      }
      lastOrder[place] = property;
    }
    place++;
    if (!property.node.holdsObjects) continue;
    const part = value[name];
    if (part !== undefined && !hasOnlyKnownFields(property.node, part)) return false;
  }
  return true;
}
