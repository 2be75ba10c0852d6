import { statedFields } from "../base/stated-fields.js";
import type { Protocol, RequestMessage } from "./protocol.js";
import { responsesOf, type Responses } from "./queries.js";
import { never } from "./type-checks.js";
import type { Definition, ObjectType, Property, Type } from "./types.js";

/**
 * Creates the type of a successful response. The type requires the field that distinguishes success
 * from failure, because schemas state that only in prose. If responses contain the name of their
 * request, the type requires that name as well.
 */
export function successType(
  protocol: Protocol,
  definition: Definition,
  request: RequestMessage,
): ObjectType {
  const { success, name } = responsesOf(protocol)!.arm;
  const type = definition.type as ObjectType;
  if (success === undefined) return withProperties(type, [resultProperty(protocol, type)]);
  const names = name === undefined ? [] : [pinned(name, { kind: "literal", value: request.name })];
  return withProperties(type, [pinned(success, { kind: "boolean" }), ...names]);
}

/** Creates the type of a failed response. */
export function failureType(protocol: Protocol, definition: Definition): ObjectType {
  const response = responsesOf(protocol)!.arm;
  const type = definition.type as ObjectType;
  return withProperties(type, [
    response.success === undefined
      ? { ...pinned(response.result, never), required: false }
      : pinned(response.success, { kind: "literal", value: false }),
  ]);
}

/**
 * The fields that mark the response to any request as a failure. See `FailureRule` in the runtime.
 */
interface FailureSigns {
  readonly by: string;
  readonly byPresence?: true;
  readonly name?: string;
}

export function failureSigns({ arm: { success, error, name } }: Responses): FailureSigns {
  return success === undefined
    ? { by: error, byPresence: true }
    : statedFields({ by: success, name });
}

/**
 * Creates the property for a response's result. It is required, because only its presence
 * distinguishes success from failure.
 */
function resultProperty(protocol: Protocol, type: ObjectType): Property {
  const { result } = responsesOf(protocol)!.arm;
  const declared = type.properties.find((property) => property.name === result);
  return pinned(result, declared?.type ?? { kind: "any" });
}

function pinned(name: string, type: Type): Property {
  return { name, type, required: true, pointer: "" };
}

/** Adds properties to an object, replacing its own properties with the same names. */
function withProperties(type: ObjectType, properties: readonly Property[]): ObjectType {
  const names = new Set(properties.map((property) => property.name));
  return {
    ...type,
    properties: [...type.properties.filter(({ name }) => !names.has(name)), ...properties],
  };
}
