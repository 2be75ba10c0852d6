import { pascalCase } from "../../model/names.js";
import type { Message, Protocol } from "../../model/protocol.js";
import { receiverOf, type AnsweredRequest } from "../../model/queries.js";

/** All exported names of a generated package. They are chosen in one place to avoid collisions. */
export interface PackageNames {
  /** Type of a successful response. */
  success(request: AnsweredRequest): string;
  /** Guard of a definition: `isStoppedEvent`. */
  guard(definition: string): string;
  /** Function that checks a definition: `isValidStoppedEvent`. */
  check(definition: string): string;
  /** Validator of a definition: `validateStoppedEvent`. */
  validator(definition: string): string;
  /** Union of all messages that a role sends: `ClientToAdapter`. */
  sentBy(role: string): string;
  /** The protocol's word for an event, in the singular, such as `event` or `notification`. */
  readonly event: string;
  /** The word for an event with its article: `an event`. */
  readonly withArticle: string;
  /** The word for an event in type names: `Event`. */
  readonly Event: string;
  /** Constant table of events: `events`. */
  readonly events: string;
  /** Type map of events: `Events`. */
  readonly Events: string;
}

/** Chooses the names of a package. `claimNames` checks for collisions. */
export function namePackage(protocol: Protocol): PackageNames {
  const event = protocol.envelope.event.noun;
  const Event = pascalCase(event);
  return {
    success: (request) => `${request.responseDefinition.replace(/Response$/, "")}Success`,
    guard: (definition) => `is${definition}`,
    check: (definition) => `isValid${definition}`,
    validator: (definition) => `validate${definition}`,
    sentBy: (role) => `${pascalCase(role)}To${pascalCase(receiverOf(protocol, role))}`,
    event,
    withArticle: withArticle(event),
    Event,
    events: `${event}s`,
    Events: `${Event}s`,
  };
}

/**
 * Names of the definitions of a message that have a guard. A response has a guard only if it
 * contains the name of its request.
 */
export function wireDefinitions(protocol: Protocol, message: Message): readonly string[] {
  if (
    message.kind === "event" ||
    message.responseDefinition === undefined ||
    protocol.envelope.response?.name === undefined
  )
    return [message.definition];
  return [message.definition, message.responseDefinition];
}

/** A word with its article: `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
