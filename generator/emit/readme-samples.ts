import type { EventMessage, Protocol, RequestMessage } from "../model/protocol.js";
import { eventsOf, requestsOf } from "../model/queries.js";
import { quote } from "./printer/source-file.js";

/**
 * Selects an event that a role sends, as an example in the README. Prefers an event with a payload
 * to an event without a payload. If `hasPayload` is false, an event with a required payload is the
 * last choice.
 */
export function sampleEvent(
  protocol: Protocol,
  role: string,
  hasPayload: boolean,
): EventMessage | undefined {
  const events = eventsOf(protocol).filter(({ sender }) => sender === role || sender === "both");
  return (
    events.find(({ payload }) => payload !== undefined && (hasPayload || !payload.required)) ??
    events.find(({ payload }) => payload === undefined) ??
    events[0]
  );
}

/**
 * Selects a request that a role sends, as an example in the README. Prefers a request that needs no
 * parameters and that any peer answers.
 */
export function sampleRequest(protocol: Protocol, role: string): RequestMessage | undefined {
  const requests = requestsOf(protocol).filter(
    ({ sender }) => sender === role || sender === "both",
  );
  return (
    requests.find(
      ({ payload, result, gate, answers }) =>
        payload === undefined && gate === undefined && (result ?? answers) !== undefined,
    ) ??
    requests.find(({ payload, gate }) => payload?.required !== true && gate === undefined) ??
    requests[0]
  );
}

/**
 * Selects a request that a role sends and that may have an empty result, as an example in the
 * README. Prefers a request with parameters that every session needs.
 */
export function sampleHandled(protocol: Protocol, role: string): RequestMessage | undefined {
  const { conversation, essential } = protocol;
  const requests = requestsOf(protocol).filter(
    ({ sender, result, gate, name }) =>
      (sender === role || sender === "both") &&
      result?.required !== true &&
      gate === undefined &&
      name !== conversation?.opening,
  );
  return (
    requests.find(({ name, payload }) => essential.includes(name) && payload?.required === true) ??
    requests.find(({ payload }) => payload !== undefined) ??
    requests[0]
  );
}

/**
 * Prints the arguments for sending a message in an example: its name, and `parameters` if it
 * requires any.
 */
export function callOf({ name, payload }: RequestMessage | EventMessage): string {
  return `${quote(name)}${payload?.required === true ? ", parameters" : ""}`;
}

export function payloadName({ payload }: EventMessage): string {
  return payload === undefined ? "_" : "body";
}
