import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import { isNever } from "../../../generator/model/type-checks.js";
import type { Type } from "../../../generator/model/types.js";
import type { Shape, Version } from "../schema-pairs/shapes.js";

/**
 * Converts a protocol's types to shapes, for readers that do not use the model. Adds the shape
 * `Payload` for the message's payload.
 */
export function shapesOf(protocol: Protocol, payload: Type): Version {
  const definitions = definitionsByName(protocol);
  const shapeOf = (type: Type): Shape => {
    switch (type.kind) {
      case "any":
      case "null":
      case "boolean":
        return { kind: type.kind };
      case "string":
        return { kind: "text", ...bounds(type.minLength, type.maxLength) };
      case "integer":
      case "number":
        return { kind: type.kind, ...bounds(type.minimum, type.maximum) };
      case "literal":
        return { kind: "values", open: false, values: [type.value] };
      case "enum":
        return {
          kind: "values",
          open: type.open,
          values: type.values.map(({ value }) => value),
        };
      case "array": {
        const { first, items, minItems, maxItems } = type;
        const length = isNever(items) ? (first?.length ?? 0) : undefined;
        return {
          kind: "list",
          ...(first === undefined ? {} : { first: first.map(shapeOf) }),
          items: length === undefined ? shapeOf(items) : { kind: "any" },
          ...bounds(
            minItems,
            length === undefined ? maxItems : Math.min(length, maxItems ?? length),
          ),
        };
      }
      case "map":
        return { kind: "map", values: shapeOf(type.values) };
      case "object":
        return {
          kind: "object",
          closed: type.extras === "closed",
          fields: flattenProperties(definitions, type).map(({ name, required, type: own }) => ({
            name,
            required,
            shape: shapeOf(own),
          })),
        };
      case "union":
        return { kind: "union", members: type.members.map(shapeOf) };
      case "reference":
        return { kind: "reference", name: type.name };
    }
  };
  return new Map([
    ...protocol.definitions.map(({ name, type }) => [name, shapeOf(type)] as const),
    ["Payload", shapeOf(payload)] as const,
  ]);
}

function bounds(
  least: number | undefined,
  most: number | undefined,
): { readonly least?: number; readonly most?: number } {
  return {
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
  };
}
