import { pascalCase } from "../../model/names.js";
import type { Message, Protocol } from "../../model/protocol.js";
import { receiverOf, type AnsweredRequest } from "../../model/queries.js";

/** Every exported name of a generated package, decided in one place so that no two can be the same. */
export interface PackageNames {
  /** Success arm of a response. */
  success(request: AnsweredRequest): string;
  /** Guard of a definition: `isStoppedEvent`. */
  guard(definition: string): string;
  /** Yes or no of a definition: `isValidStoppedEvent`. */
  check(definition: string): string;
  /** Validator of a definition: `validateStoppedEvent`. */
  validator(definition: string): string;
  /** Union of all messages that a role sends: `ClientToAdapter`. */
  sentBy(role: string): string;
  /** What the protocol calls an event, in the singular: `event`, `notification`. */
  readonly event: string;
  /** The same with its article: `an event`. */
  readonly withArticle: string;
  /** The same for type names: `Event`. */
  readonly Event: string;
  /** Constant table of events: `events`. */
  readonly events: string;
  /** Type map of events: `Events`. */
  readonly Events: string;
}

/** The names of a package. Nothing is said yet of collisions: see `claimNames`. */
export function namePackage(protocol: Protocol): PackageNames {
  const noun = protocol.envelope.event.noun;
  const Event = pascalCase(noun);
  return {
    success: (request) => `${request.responseDefinition.replace(/Response$/, "")}Success`,
    guard: (definition) => `is${definition}`,
    check: (definition) => `isValid${definition}`,
    validator: (definition) => `validate${definition}`,
    sentBy: (role) => `${pascalCase(role)}To${pascalCase(receiverOf(protocol, role))}`,
    event: noun,
    withArticle: `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`,
    Event,
    events: `${noun}s`,
    Events: `${Event}s`,
  };
}

/** Definitions of a message that have a guard: a response only if it says which request it answers. */
export function wireDefinitions(protocol: Protocol, message: Message): readonly string[] {
  if (
    message.kind === "event" ||
    message.responseDefinition === undefined ||
    protocol.envelope.response?.name === undefined
  )
    return [message.definition];
  return [message.definition, message.responseDefinition];
}
