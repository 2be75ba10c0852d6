import { oncePer } from "./once.js";
import type {
  EventMessage,
  Message,
  Protocol,
  RequestMessage,
  ResponseArm,
  When,
} from "./protocol.js";
import type { Definition, Definitions, Type } from "./types.js";

/**
 * First segment of the JSON Pointers in a model that point into the description instead of the
 * schema.
 */
export const describedPart = "x-description";

const byName = oncePer(
  (definitions: readonly Definition[]): ReadonlyMap<string, Definition> =>
    new Map(definitions.map((definition) => [definition.name, definition])),
);

/**
 * Returns a map from names to definitions. A model never changes, so the map is computed only once.
 */
export function definitionsByName({ definitions }: Protocol): ReadonlyMap<string, Definition> {
  return byName(definitions);
}

/** Follows references until they lead to a type that is not a reference. */
export function resolve(
  definitions: Definitions,
  type: Type,
): Exclude<Type, { readonly kind: "reference" }> {
  let resolved = type;
  while (resolved.kind === "reference") resolved = definitions.get(resolved.name)!.type;
  return resolved;
}

/** Returns a protocol's requests, in schema order. */
export function requestsOf(protocol: Protocol): readonly RequestMessage[] {
  return protocol.messages.filter((message) => message.kind === "request");
}

/** Returns whether a request has no response. */
export function isUnanswered({ unanswered }: RequestMessage): boolean {
  return unanswered === true;
}

/** A request that has a response definition. */
export type AnsweredRequest = RequestMessage & { readonly responseDefinition: string };

/** Returns the requests that have a response. Empty if answers are separate messages. */
export function answeredRequests({ messages }: Protocol): readonly AnsweredRequest[] {
  return answeredAmong(messages);
}

function answeredAmong(messages: readonly Message[]): readonly AnsweredRequest[] {
  return messages.filter(
    (message): message is AnsweredRequest =>
      message.kind === "request" && message.responseDefinition !== undefined,
  );
}

const byResponse = oncePer(
  (messages: readonly Message[]): ReadonlyMap<string, AnsweredRequest> =>
    new Map(answeredAmong(messages).map((request) => [request.responseDefinition, request])),
);

/** Returns a map from response definitions to their requests. */
export function requestsByResponse({ messages }: Protocol): ReadonlyMap<string, AnsweredRequest> {
  return byResponse(messages);
}

/** How to recognise a protocol's responses, and the definitions that they extend. */
export interface Responses {
  readonly arm: ResponseArm;
  readonly base: string;
  readonly error: string;
}

/** Returns a protocol's responses, or undefined if answers are separate messages. */
export function responsesOf({ envelope, bases }: Protocol): Responses | undefined {
  const { response: arm } = envelope;
  const { response: base, error } = bases;
  return arm === undefined || base === undefined || error === undefined
    ? undefined
    : { arm, base, error };
}

/** Returns a protocol's events, in schema order. */
export function eventsOf(protocol: Protocol): readonly EventMessage[] {
  return protocol.messages.filter((message) => message.kind === "event");
}

/** Returns the role that receives messages from `sender`, or `both` if `sender` is `both`. */
export function receiverOf(protocol: Protocol, sender: string): string {
  const [first, second] = protocol.roles;
  return sender === first ? second : sender === second ? first : sender;
}

/** Returns whether `name` is `base` or extends it, directly or indirectly. */
export function extendsDefinition(
  definitions: ReadonlyMap<string, Definition>,
  name: string,
  base: string,
): boolean {
  if (name === base) return true;
  const type = definitions.get(name)?.type;
  return (
    type?.kind === "object" && type.bases.some((each) => extendsDefinition(definitions, each, base))
  );
}

/** A kind of message: how to recognise it, and its definitions. */
export interface MessageArm {
  readonly kind: "request" | "event" | "response";
  readonly when: When;
  /** Field that contains the message name. Undefined for responses without a name. */
  readonly name: string | undefined;
  /** The names of messages, or of the requests that they answer, and their definitions. */
  readonly known: readonly (readonly [name: string, definition: string])[];
  /** Definition of messages with unknown names. */
  readonly other: string;
}

/** Returns a protocol's kinds of messages: requests, events and responses. */
export function messageArms(protocol: Protocol): readonly MessageArm[] {
  const { request, event } = protocol.envelope;
  const responses = responsesOf(protocol);
  const arms: MessageArm[] = [
    {
      kind: "request",
      when: request.when,
      name: request.name,
      known: requestsOf(protocol).map((each) => [each.name, each.definition]),
      other: protocol.bases.request,
    },
    {
      kind: "event",
      when: event.when,
      name: event.name,
      known: eventsOf(protocol).map((each) => [each.name, each.definition]),
      other: protocol.bases.event,
    },
  ];
  if (responses === undefined) return arms;
  const { when, name } = responses.arm;
  const known = answeredRequests(protocol).map(
    (each) => [each.name, each.responseDefinition] as const,
  );
  return [...arms, { kind: "response", when, name, known, other: responses.base }];
}
