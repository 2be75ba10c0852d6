import { isAnnounced } from "../../runtime/protocol/capabilities.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import type { Message, Protocol, RegistrationRequest } from "../../generator/model/protocol.js";
import { type Fields, payloadFieldOf } from "../read/message-reader.js";
import type { JudgedMessage } from "./judged-message.js";
import type { Doubt, Gap, SessionKnowledge } from "./knowledge.js";
import type { JudgedProtocol } from "./judged-protocol.js";

/**
 * Tests an announced capability. `true`: it was announced. `false`: it was not announced.
 * `default`: it was announced or not mentioned. `is` and `isNot` compare the announced string.
 */
export type CapabilityTest =
  boolean | "default" | { readonly is: readonly string[] } | { readonly isNot: readonly string[] };

/** Tracks the capabilities that each role has announced. */
export class AnnouncedCapabilities {
  readonly #protocol: Protocol;
  readonly #judged: JudgedProtocol;
  readonly #knowledge: SessionKnowledge;
  /**
   * Roles that have announced all their capabilities. Roles that have only announced changes are
   * not included.
   */
  readonly #complete = new Set<string>();
  /** The capabilities that each role has announced so far. */
  readonly #announced = new Map<string, Fields>();

  constructor(judged: JudgedProtocol, knowledge: SessionKnowledge) {
    this.#protocol = judged.protocol;
    this.#judged = judged;
    this.#knowledge = knowledge;
  }

  /** Returns whether a role is known to have announced a capability. */
  has(role: string, flag: string): boolean {
    return isAnnounced(this.#announced.get(role), flag);
  }

  /**
   * Returns why it is unknown whether a role has announced a capability, or undefined if it is
   * known.
   */
  gapOf(role: string, flag: string): Gap | undefined {
    const gap = this.#knowledge.gapOf("own order");
    if (gap !== undefined) return gap;
    if (this.has(role, flag)) return undefined;
    if (!this.#complete.has(role) && !this.#isMentioned(role, flag)) return "capabilities";
    // A lost message may have announced the capability.
    const mayChange = this.#judged.capabilitySources[role]?.update !== undefined;
    return mayChange ? this.#knowledge.gapOf("no loss") : undefined;
  }

  /**
   * Returns whether all tests hold, or may hold because a capability is unknown. In the latter
   * case, adds the reason to `doubt`.
   */
  areMet(flags: Readonly<Record<string, CapabilityTest>> = {}, doubt: Doubt): boolean {
    return Object.entries(flags).every(([flag, test]) => this.isMet(flag, test, doubt));
  }

  /** @param flag A role and one of its capabilities: `adapter.supportsStepBack`. */
  isMet(flag: string, test: CapabilityTest, doubt: Doubt): boolean {
    const dot = flag.indexOf(".");
    const [role, name] = [flag.slice(0, dot), flag.slice(dot + 1)];
    const gap = this.gapOf(role, name);
    doubt.add(gap);
    if (gap !== undefined) return true;
    if (typeof test === "boolean") return this.has(role, name) === test;
    if (test === "default") return this.has(role, name) || !this.#isMentioned(role, name);
    const value = this.#announced.get(role)?.[name];
    return "is" in test
      ? typeof value === "string" && test.is.includes(value)
      : typeof value !== "string" || !test.isNot.includes(value);
  }

  /** Returns whether a role has announced that a capability is present or absent. */
  #isMentioned(role: string, flag: string): boolean {
    const [outer = ""] = flag.split(".", 1);
    return Object.hasOwn(this.#announced.get(role) ?? {}, outer);
  }

  follow({ kind, from, name, fields, unknown }: JudgedMessage): void {
    const source = this.#judged.capabilitySources[from];
    if (source === undefined) return;
    const { envelope } = this.#protocol;
    const { request, part, update } = source;
    const isSource = part === "payload" ? kind === "request" : kind === "response";
    if (name === request && isSource) {
      const field = payloadFieldOf(envelope, part === "payload" ? "request" : "response");
      if (unknown?.includes(`/${field}`) !== true) this.#complete.add(from);
      const announced = fields[field];
      this.#add(
        from,
        source.field === undefined || !isObject(announced) ? announced : announced[source.field],
      );
    }
    if (update !== undefined && kind === "event" && name === update.event) {
      const changes = fields[envelope.event.payload];
      this.#add(from, isObject(changes) ? changes[update.field] : undefined);
    }
  }

  #add(role: string, flags: unknown): void {
    if (isObject(flags)) this.#announced.set(role, { ...this.#announced.get(role), ...flags });
  }
}

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
    const registration = this.#requestIn(message, by);
    if (registration === undefined) return [];
    const { each, name: field } = registration;
    const list = listIn(message.fields[this.#field], registration);
    return (list ?? []).flatMap((item, index) => {
      const name = isObject(item) ? item[field] : undefined;
      const pointer = `/${this.#field}/${each}/${index}/${field}`;
      return typeof name === "string" ? [{ name, pointer }] : [];
    });
  }

  follow(message: JudgedMessage): void {
    const { from, fields } = message;
    for (const by of ["register", "unregister"] as const) {
      const registration = this.#requestIn(message, by);
      if (registration === undefined) continue;
      if (listIn(fields[this.#field], registration) === undefined) this.#unclear.add(from);
      const names = this.#registered.get(from) ?? new Set();
      this.#registered.set(from, names);
      for (const { name } of this.namesIn(message, by))
        if (by === "register") names.add(name);
        else names.delete(name);
    }
  }

  #requestIn(
    { kind, name, from }: JudgedMessage,
    by: "register" | "unregister",
  ): RegistrationRequest | undefined {
    const request = this.#protocol.capabilities.find(({ role }) => role === from)?.[by];
    return kind === "request" && request?.request === name ? request : undefined;
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
