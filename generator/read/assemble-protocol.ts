import type {
  Dialect,
  Envelope,
  Fact,
  Message,
  Protocol,
  RoleCapabilities,
} from "../model/protocol.js";
import type { Definition } from "../model/types.js";
import type { DescribedEnvelope, Description } from "./description/description-types.js";
import type { SchemaSource, FoundMessages } from "./description/draft.js";
import { readSummaries } from "./messages/summaries.js";

/**
 * Creates a protocol's model from its description and from the messages and definitions of its
 * schema.
 */
export function assembleProtocol(
  description: Description,
  { version, unstated }: SchemaSource,
  { messages, definitions, bases }: FoundMessages,
): Protocol {
  const { configured, conversation, compatibility } = description;
  return {
    kind: "protocol",
    name: description.name,
    title: description.title,
    version,
    packageName: description.package,
    packageVersion:
      description.packageVersion ?? (/^\d+\.\d+\.\d+/.test(version) ? version : "0.0.0"),
    roles: description.roles,
    envelope: completeEnvelope(description.envelope),
    framing: description.framing,
    ...(configured === undefined ? {} : { configured }),
    messages,
    definitions,
    bases,
    ...(conversation === undefined ? {} : { conversation }),
    capabilities: readCapabilities(description, definitions, messages),
    ...(compatibility === undefined ? {} : { compatibility }),
    dialects: readDialects(description),
    ...readSummaries(description),
    essential: description.essential ?? [],
    ...unstatedFacts(definitions, unstated),
  };
}

function completeEnvelope({ fields, ...envelope }: DescribedEnvelope): Envelope {
  return {
    ...envelope,
    ...(fields === undefined ? {} : { fields: Object.keys(fields) }),
    constants: envelope.constants ?? {},
    idTypes: envelope.idTypes ?? ["integer"],
    request: { noun: "request", ...envelope.request },
    event: { noun: "event", ...envelope.event },
  };
}

function readCapabilities(
  description: Description,
  definitions: readonly Definition[],
  messages: readonly Message[],
): readonly RoleCapabilities[] {
  return Object.entries(description.capabilities ?? {})
    .filter(([, { type }]) => definitions.some((definition) => definition.name === type))
    .map(([role, { type, update, ...ways }]) => ({
      role,
      definition: type,
      ...(update !== undefined && messages.some((message) => message.name === update)
        ? { update }
        : {}),
      ...ways,
    }));
}

function readDialects({ dialects = {} }: Description): readonly Dialect[] {
  return Object.entries(dialects).map(
    ([name, { docs, reads = [], writes = [], envelope, unexplained, names }]) => ({
      name,
      docs,
      reads,
      writes,
      ...(envelope === undefined ? {} : { envelope: completeEnvelope(envelope) }),
      ...(unexplained === undefined ? {} : { unexplained }),
      ...(names === undefined ? {} : { names }),
    }),
  );
}

/**
 * Lists the facts that the source cannot state. These include `docs` and `deprecation` if the
 * schema contains no descriptions at all.
 */
function unstatedFacts(
  definitions: readonly Definition[],
  known: readonly Fact[],
): Pick<Protocol, "unstated"> {
  const hasDocs = definitions.some(
    ({ docs, type }) =>
      docs !== undefined ||
      (type.kind === "object" && type.properties.some((property) => property.docs !== undefined)),
  );
  const unstated = [...known, ...(hasDocs ? [] : (["docs", "deprecation"] as const))];
  return unstated.length === 0 ? {} : { unstated: [...new Set(unstated)] };
}
