import type {
  EventMessage,
  Message,
  Protocol,
  RequestMessage,
} from "../../generator/model/protocol.js";
import { eventsOf, requestsOf } from "../../generator/model/queries.js";
import {
  hasFailed,
  kindReaderOf,
  type MessageKind,
} from "../../runtime/protocol/message-fields.js";
import { visible } from "../../generator/base/visible-text.js";
import { rememberedKey, shortName, shortText, valueText } from "./remembered.js";

export { kindReaderOf, type MessageKind };

/** The fields of a message or of part of a message. */
export type Fields = { readonly [field: string]: unknown };

/** A message's kind, name and ids. */
export interface MessageEnvelope {
  readonly kind: MessageKind;
  /** Undefined in the responses of some protocols. */
  readonly name: string | undefined;
  /** Map key of the message's id. Undefined if it has none. */
  readonly id: unknown;
  /** Only for responses: map key of the request's id. */
  readonly replyTo: unknown;
}

/** Returns the map key for an id, or undefined for a value that cannot be an id. */
function idKey(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? rememberedKey(value) : undefined;
}

/** Returns the name of the field that contains the parameters or the result. */
export function payloadFieldOf(envelope: Protocol["envelope"], kind: MessageKind): string {
  return (kind === "response" ? envelope.response?.result : envelope[kind].payload) ?? "";
}

/** Reads message envelopes. */
export class MessageReader {
  readonly #protocol: Protocol;
  readonly #requests: ReadonlyMap<string, RequestMessage>;
  readonly #events: ReadonlyMap<string, EventMessage>;
  /** Returns the kind of a message, or undefined if it is not a request, an event or a response. */
  readonly kindOf: (fields: Fields) => MessageKind | undefined;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.kindOf = kindReaderOf(protocol);
    this.#requests = byName(requestsOf(protocol));
    this.#events = byName(eventsOf(protocol));
  }

  /** Reads a message's envelope. Returns undefined if it is not a request, an event or a response. */
  envelopeOf(message: object | undefined): MessageEnvelope | undefined {
    const fields = message as Fields | undefined;
    const kind = fields && this.kindOf(fields);
    if (kind === undefined) return undefined;
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    return {
      kind,
      name: this.nameOf(kind, fields!),
      id: idKey(fields![id]),
      replyTo: kind === "response" ? idKey(fields![replyTo]) : undefined,
    };
  }

  /**
   * Returns the only role that may send such a message, or undefined if both may, or if the protocol
   * does not define it.
   */
  senderOf(kind: MessageKind, name: string | undefined): string | undefined {
    const { envelope, conversation, roles } = this.#protocol;
    const { request, event, response } = envelope;
    const stated = kind === "event" ? event.sender : request.sender;
    const { sender } = this.knownMessage(kind === "event" ? "event" : "request", name) ?? {};
    // Without its schema, only a protocol's opening request is known.
    const opener = kind !== "event" && name === conversation?.opening ? roles[0] : undefined;
    const asker = stated ?? (sender === "both" ? undefined : (sender ?? opener));
    if (kind !== "response") return asker;
    return stated === undefined && response?.name === undefined
      ? undefined
      : otherRole(this.#protocol, asker);
  }

  /** Returns a message's name. In some protocols, responses have none. */
  nameOf(kind: MessageKind, fields: Fields): string | undefined {
    const field = this.#protocol.envelope[kind]?.name;
    const name = field === undefined ? undefined : fields[field];
    return typeof name === "string" ? name : undefined;
  }

  /**
   * Returns the request or event with this name, or undefined if the protocol does not define it.
   */
  knownMessage(kind: "request" | "event", name = ""): Message | undefined {
    return kind === "request" ? this.#requests.get(name) : this.#events.get(name);
  }

  /** Returns the names of all requests or events that the protocol defines. */
  namesOf(kind: "request" | "event"): Iterable<string> {
    return kind === "request" ? this.#requests.keys() : this.#events.keys();
  }

  /**
   * Returns the name of a message's definition, or undefined if the protocol does not define the
   * message.
   */
  definitionOf(kind: MessageKind, name: string | undefined, fields: Fields): string | undefined {
    if (kind === "event") return this.#events.get(name ?? "")?.definition;
    const request = this.#requests.get(name ?? "");
    if (kind === "request") return request?.definition;
    return this.hasFailed(kind, fields) ? this.#protocol.bases.error : request?.responseDefinition;
  }

  hasFailed(kind: MessageKind, fields: Fields): boolean {
    const { response } = this.#protocol.envelope;
    return kind === "response" && response !== undefined && hasFailed(response, fields);
  }

  /** Describes a message in a few words. */
  describe(kind: MessageKind, fields: Fields, name: string | undefined): string {
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    const number = fields[kind === "response" ? replyTo : id];
    // Names defined by the protocol are short and printable, so they need no escaping.
    const isKnown =
      kind === "event" ? this.#events.has(name ?? "") : this.#requests.has(name ?? "");
    if (isKnown && kind === "event") return `event ${name}`;
    if (isKnown && typeof number === "number") return `${kind} ${number} ${name}`;
    const numberText = number === undefined || kind === "event" ? "" : ` ${valueText(number)}`;
    return visible(shortText(`${kind}${numberText} ${shortName(name ?? "")}`.trimEnd(), 100));
  }
}

/** Returns the role on the other side. */
export function otherRole({ roles }: Protocol, role: string | undefined): string | undefined {
  return role === undefined ? undefined : roles.find((other) => other !== role);
}

function byName<Each extends { readonly name: string }>(
  list: readonly Each[],
): ReadonlyMap<string, Each> {
  return new Map(list.map((each) => [each.name, each]));
}
