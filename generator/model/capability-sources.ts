import type { ConversationTable } from "../../runtime/protocol/protocol-description.js";
import { statedFields } from "../base/stated-fields.js";
import type { Payload, Protocol } from "./protocol.js";
import { flattenProperties } from "./properties.js";
import { definitionsByName, eventsOf, requestsOf } from "./queries.js";
import type { Type } from "./types.js";

/**
 * The messages with which a role announces its capabilities: the request whose parameters or result
 * contain them, and the event that updates them.
 */
export type CapabilitySource = CapabilitySources[string];
type CapabilitySources = ConversationTable["capabilities"];

/** Finds, for each role, the request whose parameters or result contain the role's capabilities. */
export function capabilitySourcesOf(protocol: Protocol): CapabilitySources {
  return Object.fromEntries(
    protocol.capabilities.flatMap(({ role, definition, update }) => {
      const source =
        announcementOf(protocol, role, (payload) => (isOf(payload, definition) ? {} : undefined)) ??
        announcementOf(protocol, role, (payload) => fieldOf(protocol, payload, definition));
      if (source === undefined) return [];
      const event = eventsOf(protocol).find(({ name }) => name === update);
      const field = event?.payload && fieldOf(protocol, event.payload, definition);
      return [
        [role, statedFields({ ...source, update: field && { event: event!.name, ...field } })],
      ];
    }),
  );
}

/** Finds the first request with which a role announces its capabilities. */
function announcementOf(
  protocol: Protocol,
  role: string,
  find: (payload: Payload) => { readonly field?: string } | undefined,
): CapabilitySource | undefined {
  for (const { name, sender, payload, result } of requestsOf(protocol)) {
    const part = sender === role ? "payload" : "result";
    const content = part === "payload" ? payload : result;
    const announcement = content && find(content);
    if (announcement !== undefined) return { request: name, part, ...announcement };
  }
  return undefined;
}

function isOf({ type }: { readonly type: Type }, definition: string): boolean {
  return type.kind === "reference" && type.name === definition;
}

/**
 * Finds the field of a payload whose type is the given definition. Required fields take precedence
 * over optional ones.
 */
function fieldOf(
  protocol: Protocol,
  { type }: Payload,
  definition: string,
): { readonly field: string } | undefined {
  const definitions = definitionsByName(protocol);
  const body = type.kind === "reference" ? definitions.get(type.name)?.type : type;
  if (body?.kind !== "object") return undefined;
  const fields = flattenProperties(definitions, body).filter((each) => isOf(each, definition));
  const field = fields.find(({ required }) => required) ?? fields[0];
  return field && { field: field.name };
}
