import { pascalCase } from "../../model/names.js";
import type { Message, Protocol } from "../../model/protocol.js";
import { receiverOf, type AnsweredRequest } from "../../model/queries.js";

/** The module that generated code imports the runtime from, and its entry for Node. */
export const runtime = "@wirewright/runtime";
export const nodeRuntime = "@wirewright/runtime/node";

/**
 * The names that a generated package exports. They are all chosen here in order to avoid
 * collisions.
 */
export interface PackageNames {
  /** Returns the type name of a successful response. */
  success(request: AnsweredRequest): string;
  /** Returns the name of a definition's guard, such as `isStoppedEvent`. */
  guard(definition: string): string;
  /** Returns the name of the function that checks a definition, such as `isValidStoppedEvent`. */
  check(definition: string): string;
  /** Returns the name of a definition's validator, such as `validateStoppedEvent`. */
  validator(definition: string): string;
  /** Returns the name of the union of all messages that a role sends, such as `ClientToAdapter`. */
  sentBy(role: string): string;
  /** The protocol's word for an event, in the singular, such as `event` or `notification`. */
  readonly event: string;
  /** The word for an event, including the article, such as `an event`. */
  readonly withArticle: string;
  /** The word for an event in type names, such as `Event`. */
  readonly Event: string;
  /** The name of the constant table of events, such as `events`. */
  readonly events: string;
  /** The name of the type map of events, such as `Events`. */
  readonly Events: string;
}

/** Chooses a package's names. `claimNames` checks for collisions. */
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
 * Returns the names of a message's definitions that have a guard. A response has one only if it
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

/** Adds the article to a word, as in `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
