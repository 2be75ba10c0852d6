import type { EventMessage, Protocol, RequestMessage, ResponseArm } from "./protocol.js";
import type { Definition, ObjectType, Property } from "./types.js";

/** Looks definitions up by name. */
export function definitionsByName(protocol: Protocol): ReadonlyMap<string, Definition> {
  return new Map(protocol.definitions.map((definition) => [definition.name, definition]));
}

export function requestsOf(protocol: Protocol): readonly RequestMessage[] {
  return protocol.messages.filter((message) => message.kind === "request");
}

/** A request that has a response of its own. */
export type AnsweredRequest = RequestMessage & { readonly responseDefinition: string };

/** Requests with their responses; none where answers are messages of their own. */
export function answeredRequests(protocol: Protocol): readonly AnsweredRequest[] {
  return protocol.messages.filter(
    (message): message is AnsweredRequest =>
      message.kind === "request" && message.responseDefinition !== undefined,
  );
}

/** The request that each response definition answers. */
export function requestsByResponse(protocol: Protocol): ReadonlyMap<string, AnsweredRequest> {
  return new Map(
    answeredRequests(protocol).map((request) => [request.responseDefinition, request]),
  );
}

/** How responses are told, and the definitions that they have in common. */
export interface Responses {
  readonly arm: ResponseArm;
  readonly base: string;
  readonly error: string;
}

/** The responses of a protocol; undefined where answers are messages of their own. */
export function responsesOf({ envelope, bases }: Protocol): Responses | undefined {
  const { response: arm } = envelope;
  const { response: base, error } = bases;
  return arm === undefined || base === undefined || error === undefined
    ? undefined
    : { arm, base, error };
}

export function eventsOf(protocol: Protocol): readonly EventMessage[] {
  return protocol.messages.filter((message) => message.kind === "event");
}

/** The role that receives what `sender` sends; `both` stays `both`. */
export function receiverOf(protocol: Protocol, sender: string): string {
  const [first, second] = protocol.roles;
  return sender === first ? second : sender === second ? first : sender;
}

/** All properties of an object with those of its bases, base first; own properties replace inherited ones. */
export function flattenProperties(
  definitions: ReadonlyMap<string, Definition>,
  type: ObjectType,
): readonly Property[] {
  const byName = new Map<string, Property>();
  for (const base of type.bases) {
    const target = definitions.get(base)?.type;
    if (target?.kind !== "object") continue;
    for (const property of flattenProperties(definitions, target))
      byName.set(property.name, property);
  }
  for (const property of type.properties) {
    const inherited = byName.get(property.name);
    byName.set(
      property.name,
      inherited?.required === true ? { ...property, required: true } : property,
    );
  }
  return [...byName.values()];
}

/** Whether `name` is `ancestor` or has it among its bases, at any distance. */
export function extendsDefinition(
  definitions: ReadonlyMap<string, Definition>,
  name: string,
  ancestor: string,
): boolean {
  if (name === ancestor) return true;
  const type = definitions.get(name)?.type;
  return (
    type?.kind === "object" &&
    type.bases.some((base) => extendsDefinition(definitions, base, ancestor))
  );
}
