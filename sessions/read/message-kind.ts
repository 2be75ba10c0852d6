import { testOfArm } from "../../runtime/protocol/message-fields.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Fields } from "./message-fields.js";

export type MessageKind = "request" | "event" | "response";

/**
 * Returns a function that determines a message's kind from its envelope. The function returns
 * undefined if the message is not a request, an event or a response.
 */
export function kindReaderOf({
  envelope,
}: Pick<Protocol, "envelope">): (fields: Fields) => MessageKind | undefined {
  const isResponse = envelope.response === undefined ? () => false : testOfArm(envelope.response);
  const isRequest = testOfArm(envelope.request);
  const isEvent = testOfArm(envelope.event);
  return (fields) => {
    if (isResponse(fields)) return "response";
    if (isRequest(fields)) return "request";
    return isEvent(fields) ? "event" : undefined;
  };
}
