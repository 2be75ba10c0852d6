import { isObject } from "../../../runtime/index.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import type { Message, Protocol, RegistrationRequest } from "../../../generator/model/protocol.js";
import { definitionsByName, requestsOf } from "../../../generator/model/queries.js";
import type { Definition, Type } from "../../../generator/model/types.js";
import type { JudgedMessage } from "./judged-message.js";

/** Tracks which messages each role has registered for after announcing its capabilities. */
export class Registrations {
  readonly #protocol: Protocol;
  readonly #field: string;
  readonly #registered = new Map<string, Set<string>>();
  /** Roles that sent a registration whose contents the recording omits. */
  readonly #unclear = new Set<string>();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#field = protocol.envelope.request.payload;
  }

  /**
   * Returns whether a role has, or may have, registered for a message. If the message requires a
   * capability that is nested in another message's capability, registering for that other message
   * is enough.
   */
  has(role: string, message: Message): boolean {
    if (this.#unclear.has(role)) return true;
    const names = this.#registered.get(role);
    if (names === undefined || names.size === 0) return false;
    if (names.has(message.name) || names.has(message.registration?.method ?? message.name))
      return true;
    const needed = message.gate?.capability ?? "";
    return this.#protocol.messages.some(
      ({ registration, gate }) =>
        registration !== undefined &&
        gate?.role === role &&
        names.has(registration.method) &&
        `${needed}.`.startsWith(`${gate.capability}.`),
    );
  }

  /** Returns the message names in a request that registers or unregisters. */
  namesIn(message: JudgedMessage, by: "register" | "unregister"): readonly RegisteredName[] {
    const way = this.#wayOf(message, by);
    if (way === undefined) return [];
    const list = listIn(message.fields[this.#field], way);
    return (list ?? []).flatMap((item, index) => {
      const name = isObject(item) ? item[way.name] : undefined;
      return typeof name === "string"
        ? [{ name, pointer: `/${this.#field}/${way.each}/${index}/${way.name}` }]
        : [];
    });
  }

  follow(message: JudgedMessage): void {
    const { from, fields } = message;
    for (const by of ["register", "unregister"] as const) {
      const way = this.#wayOf(message, by);
      if (way === undefined) continue;
      if (listIn(fields[this.#field], way) === undefined) this.#unclear.add(from);
      const names = this.#registered.get(from) ?? new Set();
      this.#registered.set(from, names);
      for (const { name } of this.namesIn(message, by))
        if (by === "register") names.add(name);
        else names.delete(name);
    }
  }

  #wayOf(
    { kind, name, from }: JudgedMessage,
    by: "register" | "unregister",
  ): RegistrationRequest | undefined {
    const way = this.#protocol.capabilities.find(({ role }) => role === from)?.[by];
    return kind === "request" && way?.request === name ? way : undefined;
  }
}

/** A message name in a registration, with its location. */
interface RegisteredName {
  readonly name: string;
  readonly pointer: string;
}

function listIn(payload: unknown, { each }: RegistrationRequest): readonly unknown[] | undefined {
  const list = isObject(payload) ? payload[each] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/**
 * Returns whether sides may register for messages in a way that the protocol does not describe as a
 * request.
 */
export function hasUnseenRegistrations(protocol: Protocol): boolean {
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
export function registrationConsents(
  protocol: Protocol,
): ReadonlyMap<string, { readonly role: string; readonly flags: readonly string[] }> {
  const flags = new Map<string, { readonly role: string; readonly flags: readonly string[] }>();
  for (const { registration, gate, senderGate } of protocol.messages) {
    const flag = protocol.capabilities.find(({ role }) => role === gate?.role)?.registrationConsent;
    if (registration === undefined || senderGate === undefined || flag === undefined) continue;
    const steps = senderGate.capability.split(".");
    const own = steps
      .map((_, index) => `${steps.slice(0, index + 1).join(".")}.${flag}`)
      .filter((each) => canAnnounce(protocol, senderGate.role, each));
    const known = flags.get(registration.method)?.flags ?? [];
    flags.set(registration.method, {
      role: senderGate.role,
      flags: [...new Set([...known, ...own])],
    });
  }
  return flags;
}

function canAnnounce(protocol: Protocol, role: string, flag: string): boolean {
  const source = protocol.capabilities.find((each) => each.role === role);
  if (source === undefined) return false;
  const definitions = definitionsByName(protocol);
  return hasPath(definitions, { kind: "reference", name: source.definition }, flag.split("."));
}

/** Returns whether a path leads to a nested property of a type. */
function hasPath(
  definitions: ReadonlyMap<string, Definition>,
  type: Type,
  steps: readonly string[],
): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  switch (type.kind) {
    case "reference":
      return hasPath(definitions, definitions.get(type.name)!.type, steps);
    case "union":
      return type.members.some((member) => hasPath(definitions, member, steps));
    case "object":
      return flattenProperties(definitions, type).some(
        (property) => property.name === step && hasPath(definitions, property.type, rest),
      );
    default:
      return false;
  }
}
