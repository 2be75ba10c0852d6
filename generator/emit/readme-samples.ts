import type { EventMessage, Protocol, RequestMessage } from "../model/protocol.js";
import { eventsOf, requestsOf } from "../model/queries.js";
import { quote } from "./printer/source-file.js";

/**
 * Selects an example for the README from the events that a role sends. Events with a payload are
 * preferred to those without. If `hasPayload` is false, an event with a required payload is the
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
 * Selects an example for the README from the requests that a role sends. Requests that need no
 * parameters and that any peer answers are preferred.
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
 * Selects an example for the README from those of a role's requests that may have an empty result.
 * Requests that have parameters and occur in every session are preferred.
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
 * Returns the arguments for sending a message in an example: its name, followed by `parameters` if
 * it requires any.
 */
export function callOf({ name, payload }: RequestMessage | EventMessage): string {
  return `${quote(name)}${payload?.required === true ? ", parameters" : ""}`;
}

export function payloadName({ payload }: EventMessage): string {
  return payload === undefined ? "_" : "body";
}
