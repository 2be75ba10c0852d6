import type { Protocol, RequestMessage } from "./protocol.js";
import type { Definition, ObjectType, Property, Type } from "./types.js";

/** A type that nothing is of. */
export const never: Type = { kind: "union", members: [] };

/**
 * The object that a successful response must be: with its name pinned where it carries one, and told from
 * a failure, which the schema of a response leaves to its prose.
 */
export function successType(
  protocol: Protocol,
  definition: Definition,
  request: RequestMessage,
): ObjectType {
  const { response } = protocol.envelope;
  const type = definition.type as ObjectType;
  return response.success === undefined
    ? withProperties(type, [resultProperty(protocol, type)])
    : withProperties(type, [
        pinned(response.success, { kind: "boolean" }),
        ...namePins(protocol, request),
      ]);
}

/** The object that a failed response must be. */
export function failureType(protocol: Protocol, definition: Definition): ObjectType {
  const { response } = protocol.envelope;
  const type = definition.type as ObjectType;
  return withProperties(type, [
    response.success === undefined
      ? { ...pinned(response.result, never), required: false }
      : pinned(response.success, { kind: "literal", value: false }),
  ]);
}

/** What the name of a request pins in its response, besides what every response has. */
export function namePins(protocol: Protocol, request: RequestMessage): readonly Property[] {
  const { name } = protocol.envelope.response;
  return name === undefined ? [] : [pinned(name, { kind: "literal", value: request.name })];
}

/** A success without a result would be told from a failure by nothing. */
function resultProperty(protocol: Protocol, type: ObjectType): Property {
  const { result } = protocol.envelope.response;
  const own = type.properties.find((property) => property.name === result);
  return { ...pinned(result, own?.type ?? { kind: "any" }) };
}

function pinned(name: string, type: Type): Property {
  return { name, type, required: true, at: "" };
}

/** An object with own properties replaced, or added behind the others. */
function withProperties(type: ObjectType, properties: readonly Property[]): ObjectType {
  const names = new Set(properties.map((property) => property.name));
  return {
    ...type,
    properties: [...type.properties.filter(({ name }) => !names.has(name)), ...properties],
  };
}
