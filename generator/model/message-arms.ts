import type { Protocol, When } from "./protocol.js";
import { answeredRequests, eventsOf, requestsOf, responsesOf } from "./queries.js";

/** A kind of message: how to recognise it, and its definitions. */
export interface MessageArm {
  readonly when: When;
  /** Field that contains the message name. Undefined for responses without a name. */
  readonly name: string | undefined;
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
      when: request.when,
      name: request.name,
      known: requestsOf(protocol).map((each) => [each.name, each.definition]),
      other: protocol.bases.request,
    },
    {
      when: event.when,
      name: event.name,
      known: eventsOf(protocol).map((each) => [each.name, each.definition]),
      other: protocol.bases.event,
    },
  ];
  if (responses === undefined) return arms;
  const { when, name } = responses.arm;
  const known =
    name === undefined
      ? []
      : answeredRequests(protocol).map((each) => [each.name, each.responseDefinition] as const);
  return [...arms, { when, name, known, other: responses.base }];
}
