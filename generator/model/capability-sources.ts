import type { ConversationTable } from "../../runtime/protocol/protocol-table.js";
import type { Payload, Protocol } from "./protocol.js";
import { definitionsByName, eventsOf, requestsOf } from "./queries.js";

/** Where a role announces its capabilities: the request that carries the flags, and the event that updates them. */
export type CapabilitySource = CapabilitySources[string];
type CapabilitySources = ConversationTable["capabilities"];

/** Finds for each role the request whose parameters or result carry its capabilities. */
export function capabilitySourcesOf(protocol: Protocol): CapabilitySources {
  const names = (payload: Payload | undefined, definition: string): boolean =>
    payload?.type.kind === "reference" && payload.type.name === definition;
  return Object.fromEntries(
    protocol.capabilities.flatMap(({ role, definition, update }) => {
      const request = requestsOf(protocol).find(
        ({ sender, payload, result }) =>
          names(sender === role ? payload : undefined, definition) ||
          names(sender === role ? undefined : result, definition),
      );
      if (request === undefined) return [];
      const event = updateOf(protocol, definition, update);
      const part = request.sender === role ? "payload" : "result";
      return [
        [role, { request: request.name, part, ...(event === undefined ? {} : { update: event }) }],
      ];
    }),
  );
}

/** The event that updates capabilities, and its parameter that carries them. */
function updateOf(
  protocol: Protocol,
  definition: string,
  update: string | undefined,
): { readonly event: string; readonly field: string } | undefined {
  const definitions = definitionsByName(protocol);
  const payload = eventsOf(protocol).find(({ name }) => name === update)?.payload?.type;
  const body = payload?.kind === "reference" ? definitions.get(payload.name)?.type : payload;
  if (update === undefined || body?.kind !== "object") return undefined;
  const field = body.properties.find(
    ({ type }) => type.kind === "reference" && type.name === definition,
  );
  return field === undefined ? undefined : { event: update, field: field.name };
}
