import type { Protocol } from "../../generator/model/protocol.js";
import { flattenProperties } from "../../generator/model/properties.js";
import { definitionsByName, requestsByResponse } from "../../generator/model/queries.js";
import type { Type } from "../../generator/model/types.js";

type Node = { readonly [key: string]: unknown };

/**
 * Creates a protocol schema that rejects unknown fields, for validators that can detect them only
 * through the schema. Inherited properties are repeated because `additionalProperties` does not see
 * them.
 */
export function closedSchema(protocol: Protocol): Node {
  const byName = definitionsByName(protocol);
  const requestOf = requestsByResponse(protocol);
  const definitions: Record<string, Node> = {};
  for (const { name, type, extensible } of protocol.definitions) {
    definitions[name] = schemaOf(type, extensible);
    const request = requestOf.get(name);
    if (request === undefined) continue;
    const success = definitions[name] as { readonly properties: Node };
    definitions[name.replace(/Response$/, "Success")] = {
      ...success,
      properties: {
        ...success.properties,
        success: { enum: [true] },
        command: { enum: [request.name] },
      },
    };
  }
  definitions["ErrorResponse"] = {
    ...definitions["ErrorResponse"],
    properties: {
      ...(definitions["ErrorResponse"]!["properties"] as Node),
      success: { enum: [false] },
    },
  };
  return { definitions };

  function schemaOf(type: Type, isFree = false): Node {
    switch (type.kind) {
      case "any":
        return {};
      case "null":
      case "boolean":
      case "string":
        return { type: type.kind };
      case "integer":
      case "number":
        return {
          type: type.kind,
          ...(type.minimum === undefined ? {} : { minimum: type.minimum }),
          ...(type.maximum === undefined ? {} : { maximum: type.maximum }),
        };
      case "literal":
        return { enum: [type.value] };
      case "enum":
        return type.open
          ? { type: [...new Set(type.values.map(({ value }) => typeof value))] }
          : { enum: type.values.map(({ value }) => value) };
      case "array":
        return { type: "array", items: schemaOf(type.items) };
      case "map":
        return { type: "object", additionalProperties: schemaOf(type.values) };
      case "union":
        return { anyOf: type.members.map((each) => schemaOf(each)) };
      case "reference":
        return { $ref: `#/definitions/${type.name}` };
      case "object": {
        const properties = flattenProperties(byName, type);
        const required = properties.filter((each) => each.required).map(({ name }) => name);
        return {
          type: "object",
          properties: Object.fromEntries(
            properties.map((each) => [each.name, schemaOf(each.type)]),
          ),
          ...(required.length > 0 ? { required } : {}),
          ...(isFree || properties.length === 0 ? {} : { additionalProperties: false }),
        };
      }
    }
  }
}
