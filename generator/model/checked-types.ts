import type { Protocol, RequestMessage } from "./protocol.js";
import { responsesOf, type Responses } from "./queries.js";
import type { Definition, ObjectType, Property, Type } from "./types.js";

/** The empty union: no value has this type. */
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
  const { success } = responsesOf(protocol)!.arm;
  const type = definition.type as ObjectType;
  return withProperties(
    type,
    success === undefined
      ? [resultProperty(protocol, type)]
      : [pinned(success, { kind: "boolean" }), ...namePins(protocol, request)],
  );
}

/** The object that a failed response must be. */
export function failureType(protocol: Protocol, definition: Definition): ObjectType {
  const response = responsesOf(protocol)!.arm;
  const type = definition.type as ObjectType;
  return withProperties(type, [
    response.success === undefined
      ? { ...pinned(response.result, never), required: false }
      : pinned(response.success, { kind: "literal", value: false }),
  ]);
}

/** How a failure is told, whatever it answers: see `FailureRule` of the runtime. */
export interface FailureSigns {
  readonly by: string;
  readonly byPresence?: true;
  readonly name?: string;
}

export function failureSigns({ arm: { success, error, name } }: Responses): FailureSigns {
  return success === undefined
    ? { by: error, byPresence: true }
    : { by: success, ...(name === undefined ? {} : { name }) };
}

/** What the name of a request pins in its response, besides what every response has. */
function namePins(protocol: Protocol, request: RequestMessage): readonly Property[] {
  const { name } = responsesOf(protocol)!.arm;
  return name === undefined ? [] : [pinned(name, { kind: "literal", value: request.name })];
}

/** Without a result nothing would distinguish a success from a failure. */
function resultProperty(protocol: Protocol, type: ObjectType): Property {
  const { result } = responsesOf(protocol)!.arm;
  const own = type.properties.find((property) => property.name === result);
  return pinned(result, own?.type ?? { kind: "any" });
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
