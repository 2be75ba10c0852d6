import { createValidator, type Validator } from "../../runtime/validation/validator.js";
import {
  type CapabilitySource,
  capabilitySourcesOf,
} from "../../generator/model/capability-sources.js";
import { oncePer } from "../../generator/model/once.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { definitionsByName, requestsOf } from "../../generator/model/queries.js";
import { typeAt } from "../../generator/model/type-at.js";
import type { Definition, Type } from "../../generator/model/types.js";
import { validationRulesOf } from "../../generator/model/validation-rules.js";
import { MessageReader } from "../read/message-reader.js";
import { PartsWalk } from "./parts-walk.js";

/** Tables for judging a protocol's sessions, shared by all of these sessions. */
export interface JudgedProtocol {
  readonly protocol: Protocol;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly reader: MessageReader;
  /** Validates any message. */
  readonly validate: Validator<unknown>;
  /**
   * Returns the validator for a successful response, given the name of its definition. Returns
   * undefined if responses repeat the name of their request.
   */
  readonly validateResponse: (definition: string) => Validator<unknown> | undefined;
  readonly parts: PartsWalk;
  /** The messages and fields that announce capabilities, by role. */
  readonly capabilitySources: Readonly<Record<string, CapabilitySource>>;
  /** Whether sides may register for messages in a way that does not show up in a recording. */
  readonly hasUnseenRegistrations: boolean;
  /** The capabilities with which a role accepts a registration, keyed by registration name. */
  readonly registrationConsents: ReturnType<typeof registrationConsents>;
}

export const judgedProtocolOf = oncePer((protocol: Protocol): JudgedProtocol => {
  const definitions = definitionsByName(protocol);
  const rules = validationRulesOf(protocol);
  const isNamed = protocol.envelope.response?.name !== undefined;
  const validators = new Map<string, Validator<unknown> | undefined>();
  return {
    protocol,
    definitions,
    reader: new MessageReader(protocol),
    validate: createValidator(rules.message),
    validateResponse: (definition) => {
      if (isNamed) return undefined;
      if (!validators.has(definition)) {
        const rule = rules.definitions.get(definition);
        validators.set(definition, rule === undefined ? undefined : createValidator(rule()));
      }
      return validators.get(definition);
    },
    parts: new PartsWalk(definitions),
    capabilitySources: capabilitySourcesOf(protocol),
    hasUnseenRegistrations: hasUnseenRegistrations(protocol),
    registrationConsents: registrationConsents(protocol),
  };
});

/**
 * Returns whether sides may register for messages in a way that the protocol does not describe as a
 * request.
 */
function hasUnseenRegistrations(protocol: Protocol): boolean {
  const requests = new Set(requestsOf(protocol).map(({ name }) => name));
  return (
    protocol.messages.some(({ registration }) => registration !== undefined) &&
    !protocol.capabilities.some(
      ({ register }) => register !== undefined && requests.has(register.request),
    )
  );
}

/**
 * Determines who must agree to each registration: maps the name of a registration to the role that
 * accepts it and to the capabilities by which that role shows that it does. Any one of these
 * capabilities is enough. They are nested in the capability for sending the message, or in a
 * capability that contains it.
 */
function registrationConsents(
  protocol: Protocol,
): ReadonlyMap<string, { readonly role: string; readonly flags: readonly string[] }> {
  const flags = new Map<string, { readonly role: string; readonly flags: readonly string[] }>();
  for (const { registration, gate, senderGate } of protocol.messages) {
    const flag = protocol.capabilities.find(({ role }) => role === gate?.role)?.registrationConsent;
    if (registration === undefined || senderGate === undefined || flag === undefined) continue;
    const steps = senderGate.capability.split(".");
    const { role } = senderGate;
    const nested = steps
      .map((_, index) => `${steps.slice(0, index + 1).join(".")}.${flag}`)
      .filter((capability) => canAnnounce(protocol, role, capability));
    const earlier = flags.get(registration.method)?.flags ?? [];
    flags.set(registration.method, { role, flags: [...new Set([...earlier, ...nested])] });
  }
  return flags;
}

function canAnnounce(protocol: Protocol, role: string, flag: string): boolean {
  const source = protocol.capabilities.find((each) => each.role === role);
  if (source === undefined) return false;
  const type: Type = { kind: "reference", name: source.definition };
  return typeAt(definitionsByName(protocol), type, flag.split(".")) !== undefined;
}
