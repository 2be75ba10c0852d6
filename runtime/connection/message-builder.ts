import type { EnvelopeTable, WhenTable } from "../protocol/protocol-description.js";
import type { RequestOptions } from "./connection-settings.js";
import type { AnyFields } from "../protocol/message-fields.js";

type Message = Record<string, unknown>;

/**
 * Builds and numbers the messages sent by one side. Assigns fields one at a time, which is fastest.
 */
export class MessageBuilder {
  readonly #envelope: EnvelopeTable;
  /** Whether events and responses have sequence numbers, too. */
  readonly #numbersAllMessages: boolean;
  readonly #requestConstants: readonly (readonly [string, string])[];
  readonly #eventConstants: readonly (readonly [string, string])[];
  readonly #responseConstants: readonly (readonly [string, string])[];
  #number = 0;

  constructor(envelope: EnvelopeTable) {
    this.#envelope = envelope;
    this.#numbersAllMessages = envelope.id !== envelope.replyTo;
    this.#requestConstants = constantsOf(envelope, envelope.request.when);
    this.#eventConstants = constantsOf(envelope, envelope.event.when);
    this.#responseConstants = constantsOf(envelope, envelope.response.when);
  }

  /** Builds a request. Returns it along with its number. */
  request(
    name: string,
    parameters: unknown,
    others: RequestOptions["fields"] = undefined,
  ): readonly [number: number, message: object] {
    const { id, request, fields } = this.#envelope;
    const number = ++this.#number;
    const message: Message = {};
    message[id] = number;
    for (const [field, value] of this.#requestConstants) message[field] = value;
    message[request.name] = name;
    if (parameters !== undefined) message[request.payload] = parameters;
    if (fields !== undefined) copyFields(fields, others ?? {}, message);
    return [number, message];
  }

  event(name: string, body: unknown): object {
    const { event } = this.#envelope;
    const message = this.#begin(this.#eventConstants);
    message[event.name] = name;
    if (body !== undefined) message[event.payload] = body;
    return message;
  }

  /** Builds the response to a successful request. */
  success(request: AnyFields, name: string, result: unknown): object {
    const { response } = this.#envelope;
    const message = this.#respond(request, name);
    if (response.success !== undefined) message[response.success] = true;
    // If only the result field distinguishes a success from a failure, the field is required.
    const reported = result === undefined && response.success === undefined ? null : result;
    if (reported !== undefined) message[response.result] = reported;
    return message;
  }

  /** Builds the response to a failed request. `fields` cannot override the envelope. */
  failure(request: AnyFields, name: string, fields: AnyFields): object {
    const { success } = this.#envelope.response;
    const message = this.#respond(request, name);
    if (success !== undefined) message[success] = false;
    for (const [field, value] of Object.entries(fields))
      if (!(field in message)) message[field] = value;
    return message;
  }

  #respond(request: AnyFields, name: string): Message {
    const { id, replyTo, response, fields } = this.#envelope;
    const message = this.#begin(this.#responseConstants);
    message[replyTo] = request[id];
    if (fields !== undefined) copyFields(fields, request, message);
    if (response.name !== undefined) message[response.name] = name;
    return message;
  }

  #begin(constants: readonly (readonly [string, string])[]): Message {
    const message: Message = {};
    if (this.#numbersAllMessages) message[this.#envelope.id] = ++this.#number;
    for (const [field, value] of constants) message[field] = value;
    return message;
  }
}

function copyFields(names: readonly string[], from: AnyFields, to: Message): void {
  for (const name of names)
    if (Object.hasOwn(from, name) && from[name] !== undefined) to[name] = from[name];
}

/** Returns the fields that have the same value in all messages of a kind. */
function constantsOf(
  envelope: EnvelopeTable,
  when: WhenTable,
): readonly (readonly [string, string])[] {
  return Object.entries({ ...envelope.constants, ...when }).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}
