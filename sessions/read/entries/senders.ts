import type { Protocol } from "../../../generator/model/protocol.js";
import { isOfArm } from "../../../runtime/protocol/message-fields.js";

type Fields = Readonly<Record<string, unknown>>;

/** Determines the sender of a message from its kind and name. */
export class Senders {
  readonly #protocol: Protocol;
  /**
   * The roles that send requests and events, by name. Messages that both roles may send are not
   * included.
   */
  readonly #known: Readonly<Record<"request" | "event", ReadonlyMap<unknown, string>>>;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    const known = (kind: "request" | "event"): ReadonlyMap<unknown, string> =>
      new Map(
        protocol.messages
          .filter((each) => each.kind === kind && each.sender !== "both")
          .map(({ name, sender }) => [name, sender]),
      );
    this.#known = { request: known("request"), event: known("event") };
  }

  /**
   * Returns the role that sends a message, or undefined if it cannot be determined from the
   * message's kind and name.
   */
  senderOf(message: object): string | undefined {
    const { request, event, response } = this.#protocol.envelope;
    const fields = message as Fields;
    if (isOfArm(request, fields)) return this.#known.request.get(fields[request.name]);
    if (isOfArm(event, fields)) return this.#known.event.get(fields[event.name]);
    if (response?.name === undefined || !isOfArm(response, fields)) return undefined;
    const asking = this.#known.request.get(fields[response.name]);
    return asking === undefined ? undefined : this.#protocol.roles.find((role) => role !== asking);
  }
}

/** Returns whether an object is a request, an event or a response. */
export function isMessage(value: object, { envelope }: Protocol): boolean {
  const { request, event, response } = envelope;
  const fields = value as Fields;
  return (
    isOfArm(request, fields) ||
    isOfArm(event, fields) ||
    (response !== undefined && isOfArm(response, fields))
  );
}
