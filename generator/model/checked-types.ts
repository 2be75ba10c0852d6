import type { Protocol, RequestMessage } from "./protocol.js";
import { responsesOf, type Responses } from "./queries.js";
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
  const { success } = responsesOf(protocol)!.arm;
  return success === undefined
    ? anySuccessType(protocol, definition)
    : withProperties(definition.type as ObjectType, [
        pinned(success, { kind: "boolean" }),
        ...namePins(protocol, request),
      ]);
}

/** The same of a response of which it is not known what it answers. */
export function anySuccessType(protocol: Protocol, definition: Definition): ObjectType {
  const { success } = responsesOf(protocol)!.arm;
  const type = definition.type as ObjectType;
  return success === undefined ? withProperties(type, [resultProperty(protocol, type)]) : type;
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

/** A success without a result would be told from a failure by nothing. */
function resultProperty(protocol: Protocol, type: ObjectType): Property {
  const { result } = responsesOf(protocol)!.arm;
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

/**
 * All properties of an object with those of its bases, in the order in which checks number them: those of the
 * bases, then its own required ones, then the others. One that is defined again keeps its place.
 */
export function checkedProperties(
  definitions: ReadonlyMap<string, Definition>,
  type: ObjectType,
): readonly Property[] {
  const byName = new Map<string, Property>();
  for (const base of type.bases) {
    const target = definitions.get(base)?.type;
    if (target?.kind !== "object") continue;
    for (const property of checkedProperties(definitions, target))
      byName.set(property.name, property);
  }
  for (const required of [true, false]) {
    for (const property of type.properties) {
      if (property.required !== required) continue;
      // What a base requires stays required, whatever it is narrowed to.
      const isRequired = required || byName.get(property.name)?.required === true;
      byName.set(property.name, { ...property, required: isRequired });
    }
  }
  return [...byName.values()];
}
