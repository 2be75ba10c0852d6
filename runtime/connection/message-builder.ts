import type { EnvelopeTable, WhenTable } from "../protocol/protocol-table.js";
import type { AnyFields } from "../protocol/message-fields.js";

type Message = Record<string, unknown>;

/** Makes the messages of one side, with their numbers. Fields are set one by one: that is what is fast. */
export class MessageBuilder {
  readonly #envelope: EnvelopeTable;
  /** Whether messages have numbers that are no requests. */
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

  /** A request and its number. */
  request(name: string, parameters: unknown): readonly [number: number, message: object] {
    const { id, request } = this.#envelope;
    const number = ++this.#number;
    const message: Message = {};
    message[id] = number;
    for (const [field, value] of this.#requestConstants) message[field] = value;
    message[request.name] = name;
    if (parameters !== undefined) message[request.payload] = parameters;
    return [number, message];
  }

  event(name: string, body: unknown): object {
    const { event } = this.#envelope;
    const message = this.#begin(this.#eventConstants);
    message[event.name] = name;
    if (body !== undefined) message[event.payload] = body;
    return message;
  }

  /** The response to a request that was carried out. */
  success(request: AnyFields, name: string, result: unknown): object {
    const { response } = this.#envelope;
    const message = this.#respond(request, name);
    if (response.success !== undefined) message[response.success] = true;
    // Where nothing else tells success from failure, the result must be there.
    const reported = result === undefined && response.success === undefined ? null : result;
    if (reported !== undefined) message[response.result] = reported;
    return message;
  }

  /** The response to a request that failed. What makes it a response to that request cannot be overridden. */
  failure(request: AnyFields, name: string, fields: AnyFields): object {
    const { success } = this.#envelope.response;
    const message = this.#respond(request, name);
    if (success !== undefined) message[success] = false;
    for (const [field, value] of Object.entries(fields))
      if (!(field in message)) message[field] = value;
    return message;
  }

  #respond(request: AnyFields, name: string): Message {
    const { id, replyTo, response } = this.#envelope;
    const message = this.#begin(this.#responseConstants);
    message[replyTo] = request[id];
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

/** Fields that every message of a kind has. */
function constantsOf(
  envelope: EnvelopeTable,
  when: WhenTable,
): readonly (readonly [string, string])[] {
  return Object.entries({ ...envelope.constants, ...when }).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}
